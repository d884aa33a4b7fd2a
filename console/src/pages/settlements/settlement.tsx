import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api, type AnswerOf, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { StatusBadge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { DataTable } from "../../ui/data-table";
import { KeyValue } from "../../ui/facts";
import { Day, Money, None, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Columns, Page } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { useAction } from "../../ui/use-action";
import { inWords } from "../../ui/words";
import { accountPage, transferPage } from "../ledger/paths";
import { texts } from "./texts";
import { settlementTones } from "./tones";

type Settlement = AnswerOf<typeof api.books.readSettlement>;
type Line = RowOf<typeof api.books.listSettlementLines>;

// No event says that its lines are taken, or that it is posted.
const workingMs = 2_000;

export default function SettlementPage() {
  const t = useTexts(texts);
  const { settlementId } = useParams({ strict: false }) as { settlementId: string };
  const [isReversing, setReversing] = useState(false);
  const settlement = useQuery({
    ...read("books", "readSettlement", { settlementId }, (options) => api.books.readSettlement(settlementId, options)),
    refetchInterval: ({ state }) => (/PROPOSING|APPROVED/.test(state.data?.status ?? "") ? workingMs : false),
  });
  const { data } = settlement;
  return (
    <Page
      title={data?.reference ?? t.settlement}
      badge={data && <StatusBadge status={data.status} tone={settlementTones[data.status] ?? "accent"} />}
      back={{ to: "/settlements", label: t.title }}
      actions={
        data?.status === "POSTED" &&
        data.reversal === undefined && <Button onClick={() => setReversing(true)}>{t.reverse}</Button>
      }
    >
      <Loaded query={settlement} lines={8}>
        {(found) => (
          <Columns>
            <Terms of={found} />
            <Posted of={found} />
          </Columns>
        )}
      </Loaded>
      {data !== undefined && data.lineCount > 0 && <Lines settlementId={settlementId} />}
      {isReversing && <Reverse settlementId={settlementId} onClose={() => setReversing(false)} />}
    </Page>
  );
}

function Terms({ of }: { of: Settlement }) {
  const t = useTexts(texts);
  return (
    <Section title={t.terms}>
      <KeyValue
        columns={2}
        facts={[
          { label: t.kind, value: inWords(of.kind) },
          {
            label: t.account,
            value: (
              <Link to={accountPage(of.accountId)} className="link font-mono text-xs">
                {of.accountId}
              </Link>
            ),
          },
          { label: t.amount, value: <Money amount={of.amount} currency={of.currency} /> },
          { label: t.cost, value: <Money amount={of.cost.amount} currency={of.cost.currency} /> },
          { label: t.fee, value: <Money amount={of.fee} currency={of.cost.currency} /> },
          {
            label: t.bankAccount,
            value: (
              <Link to={accountPage(of.bankAccountId)} className="link font-mono text-xs">
                {of.bankAccountId}
              </Link>
            ),
          },
          { label: t.valueDate, value: <Day at={of.valueDate} /> },
          { label: t.reference, value: of.reference },
          ...(of.note === undefined ? [] : [{ label: t.note, value: of.note }]),
          { label: t.askedBy, value: <Person id={of.askedBy} /> },
          { label: t.when, value: <Time at={of.askedAt} /> },
        ]}
      />
    </Section>
  );
}

function Posted({ of }: { of: Settlement }) {
  const t = useTexts(texts);
  const { reversal } = of;
  return (
    <Section title={t.transfers}>
      <KeyValue
        columns={1}
        facts={[
          ...(of.status === "PROPOSED" ? [{ label: t.approval, value: <ApprovalLink /> }] : []),
          ...(of.decidedBy === undefined ? [] : [{ label: t.decidedBy, value: <Person id={of.decidedBy} /> }]),
          ...(of.refusal === undefined ? [] : [{ label: t.refusedBecause, value: of.refusal.message }]),
          ...(of.postedAt === undefined ? [] : [{ label: t.postedAt, value: <Time at={of.postedAt} /> }]),
          { label: t.transfers, value: <Transfers ids={of.transferIds} /> },
          ...(reversal === undefined
            ? []
            : [
                { label: t.reversal, value: <StatusBadge status={reversal.status} /> },
                ...(reversal.status === "PROPOSED" ? [{ label: t.approval, value: <ApprovalLink /> }] : []),
                { label: t.transfers, value: <Transfers ids={reversal.transferIds} /> },
              ]),
        ]}
      />
    </Section>
  );
}

function ApprovalLink() {
  const t = useTexts(texts);
  return (
    <Link to="/approvals" className="link">
      {t.openApproval}
    </Link>
  );
}

function Transfers({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return <None />;
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <Link to={transferPage(id)} className="link font-mono text-xs">
            {id}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Lines({ settlementId }: { settlementId: string }) {
  const t = useTexts(texts);
  return (
    <DataTable
      label={t.lines}
      area="books"
      operation="listSettlementLines"
      of={settlementId}
      list={(query, options) => api.books.listSettlementLines(settlementId, query, options)}
      columns={[
        { header: t.date, cell: (row: Line) => <Day at={row.date} /> },
        { header: t.transfers, cell: (row: Line) => <span className="font-mono text-xs">{row.transferId}</span> },
        {
          header: t.amount,
          isNumber: true,
          cell: (row: Line) => <Money amount={row.amount} currency={row.currency} />,
        },
      ]}
      rowKey={(row: Line) => row.transferId}
      rowLink={(row: Line) => transferPage(row.transferId)}
      empty={<Empty title={t.noLines} />}
    />
  );
}

function Reverse({ settlementId, onClose }: { settlementId: string; onClose: () => void }) {
  const t = useTexts(texts);
  const reverse = useAction({
    operation: "reverseSettlement",
    run: (reason: string, options) => api.books.reverseSettlement(settlementId, { reason }, options),
    stales: ["books", "ledger", "approvals"],
    done: t.reversalAsked,
  });
  return (
    <ConfirmDialog title={t.reverseTitle} confirm={t.reverse} danger action={reverse} onClose={onClose}>
      <p className="text-muted">{t.reverseHint}</p>
    </ConfirmDialog>
  );
}
