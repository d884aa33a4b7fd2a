import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Download, Undo2 } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { saveFile } from "../../lib/files";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { KeyValue } from "../../ui/facts";
import { Day, Money, None, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Columns, Page } from "../../ui/page";
import { ErrorPanel, Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { Table } from "../../ui/table";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { fromBase64, sizeText } from "../compliance/file-parts";
import { accountPage, transferPage } from "../ledger/paths";
import { settlementTones } from "../settlements/tones";
import { sidesOf } from "./sums";
import { texts } from "./texts";
import type { Journal } from "./types";

// No event says that it is posted; that follows the approval within a moment.
const postingMs = 2_000;

export default function JournalPage() {
  const t = useTexts(texts);
  const may = useMay();
  const { journalId } = useParams({ strict: false }) as { journalId: string };
  const [isReversing, setReversing] = useState(false);
  const journal = useQuery({
    ...read("books", "readJournal", { journalId }, (options) => api.books.readJournal(journalId, options)),
    refetchInterval: ({ state }) => (state.data?.status === "APPROVED" ? postingMs : false),
  });
  const { data } = journal;
  const isReversible = data?.status === "POSTED" && data.reversedByJournalId === undefined;
  return (
    <Page
      title={data?.reason ?? t.journal}
      badge={data && <StatusBadge status={data.status} tone={settlementTones[data.status] ?? "accent"} />}
      back={{ to: "/journals", label: t.title }}
      actions={
        isReversible &&
        may("reverseJournal") && (
          <Button icon={Undo2} onClick={() => setReversing(true)}>
            {t.reverse}
          </Button>
        )
      }
    >
      <Loaded query={journal} lines={8}>
        {(found) => (
          <Columns>
            <Section title={t.lines} flush>
              <Lines of={found} />
            </Section>
            <Life of={found} />
          </Columns>
        )}
      </Loaded>
      {isReversing && <Reverse journalId={journalId} onClose={() => setReversing(false)} />}
    </Page>
  );
}

function Lines({ of }: { of: Journal }) {
  const t = useTexts(texts);
  const amount = (line: Journal["lines"][number], side: string) =>
    line.side === side ? <Money amount={line.amount} currency={line.currency} /> : <None />;
  return (
    <Table
      label={t.lines}
      rows={of.lines}
      rowKey={(_line, index) => index}
      columns={[
        {
          header: t.account,
          cell: ({ accountId }) => (
            <Link to={accountPage(accountId)} className="link font-mono text-xs [overflow-wrap:anywhere]">
              {accountId}
            </Link>
          ),
        },
        { header: t.lineText, cell: ({ text }) => text ?? <None /> },
        { header: t.debit, isNumber: true, cell: (line) => amount(line, "DEBIT") },
        { header: t.credit, isNumber: true, cell: (line) => amount(line, "CREDIT") },
      ]}
      sums={sidesOf(of.lines).map(({ currency, debits, credits }) => (
        <tr key={currency} className="font-semibold">
          <td data-label={t.total}>{t.total}</td>
          <td className="max-sm:hidden!" />
          <td data-label={t.debits} className="is-number">
            <Money amount={debits} currency={currency} />
          </td>
          <td data-label={t.credits} className="is-number">
            <Money amount={credits} currency={currency} />
          </td>
        </tr>
      ))}
    />
  );
}

function Life({ of }: { of: Journal }) {
  const t = useTexts(texts);
  const other = (label: string, id: string | undefined) =>
    id === undefined
      ? []
      : [
          {
            label,
            value: (
              <Link to={`/journals/${id}`} className="link">
                {t.journal}
              </Link>
            ),
          },
        ];
  return (
    <Section title={t.life}>
      <KeyValue
        columns={1}
        facts={[
          { label: t.kind, value: inWords(of.kind) },
          { label: t.valueDate, value: <Day at={of.valueDate} /> },
          { label: t.askedBy, value: <Person id={of.askedBy} /> },
          { label: t.asked, value: <Time at={of.askedAt} /> },
          ...(of.status === "PROPOSED"
            ? [
                {
                  label: t.approval,
                  value: (
                    <Link to="/approvals" className="link">
                      {t.openApproval}
                    </Link>
                  ),
                },
              ]
            : []),
          ...(of.decidedBy === undefined ? [] : [{ label: t.decidedBy, value: <Person id={of.decidedBy} /> }]),
          ...(of.failure === undefined ? [] : [{ label: t.refusedBecause, value: of.failure }]),
          ...(of.postedAt === undefined ? [] : [{ label: t.postedAt, value: <Time at={of.postedAt} /> }]),
          ...other(t.reverses, of.reversesJournalId),
          ...other(t.reversedBy, of.reversedByJournalId),
          ...(of.attachment === undefined ? [] : [{ label: t.attachment, value: <Attachment of={of} /> }]),
          ...(of.transferIds.length === 0 ? [] : [{ label: t.transfers, value: <Transfers ids={of.transferIds} /> }]),
        ]}
      />
    </Section>
  );
}

function Transfers({ ids }: { ids: readonly string[] }) {
  return (
    <ul className="max-h-64 overflow-y-auto">
      {ids.map((id) => (
        <li key={id}>
          <Link to={transferPage(id)} className="link font-mono text-xs [overflow-wrap:anywhere]">
            {id}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Attachment({ of: { journalId, attachment } }: { of: Journal }) {
  const t = useTexts(texts);
  const save = useAction({
    operation: "readJournalAttachment",
    run: async (_none: void, options) => {
      const { content, attachment: file } = await api.books.readJournalAttachment(journalId, options);
      return saveFile(fromBase64(content), file.fileName, file.mediaType);
    },
  });
  if (attachment === undefined) return <None />;
  return (
    <>
      <Button icon={Download} busy={save.isRunning} onClick={() => void save.run()}>
        {t.saveFile(attachment.fileName)}
      </Button>{" "}
      <span className="text-xs text-muted">{sizeText(Number(attachment.sizeBytes))}</span>
      <ErrorPanel error={save.error} />
    </>
  );
}

function Reverse({ journalId, onClose }: { journalId: string; onClose: () => void }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const reverse = useAction({
    operation: "reverseJournal",
    run: (reason: string, options) => api.books.reverseJournal(journalId, { reason }, options),
    stales: ["books", "ledger", "approvals"],
    done: ({ status }) => (status === "PROPOSED" ? t.reversalAsked : t.posted),
    onDone: ({ journalId: reversal }) => void navigate({ to: `/journals/${reversal}` }),
  });
  return (
    <ConfirmDialog title={t.reverseTitle} confirm={t.reverse} danger action={reverse} onClose={onClose}>
      <p className="text-muted">{t.reverseHint}</p>
    </ConfirmDialog>
  );
}
