import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api, type AnswerOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { StatusBadge, type Tone } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Day, Id, Money, None, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Columns, Page } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { Table } from "../../ui/table";
import { inWords } from "../../ui/words";
import { accountPage, transferPage } from "./paths";
import { sourceOf } from "./source";
import { texts } from "./texts";

type Transfer = AnswerOf<typeof api.ledger.readTransfer>;

const tones: Readonly<Record<string, Tone>> = {
  POSTED: "good",
  PENDING: "warn",
  VOIDED: "neutral",
  EXPIRED: "neutral",
};

export default function TransferPage() {
  const t = useTexts(texts);
  const { transferId } = useParams({ strict: false }) as { transferId: string };
  const transfer = useQuery(
    read("ledger", "readLedgerTransfer", { transferId }, (options) => api.ledger.readTransfer(transferId, options)),
  );
  const { data } = transfer;
  return (
    <Page
      title={data ? (data.description ?? inWords(data.kind)) : t.transfer}
      badge={data && <StatusBadge status={data.state} tone={tones[data.state] ?? "accent"} />}
      back={{ to: "/ledger", label: t.title }}
    >
      <Loaded query={transfer} lines={8}>
        {(found) => (
          <Columns>
            <Section title={t.entries} flush>
              <Sides transfer={found} />
            </Section>
            <Facts transfer={found} />
          </Columns>
        )}
      </Loaded>
    </Page>
  );
}

function Sides({ transfer }: { transfer: Transfer }) {
  const t = useTexts(texts);
  // What is only reserved has no entries yet: its accounts are shown all the same.
  const lines: readonly { accountId: string; side: string; balance?: string | undefined }[] =
    transfer.entries.length > 0
      ? transfer.entries
      : [
          { accountId: transfer.debitAccountId, side: "DEBIT" },
          { accountId: transfer.creditAccountId, side: "CREDIT" },
        ];
  const money = (amount: string) => <Money amount={amount} currency={transfer.currency} />;
  return (
    <Table
      label={t.entries}
      rows={lines}
      rowKey={({ accountId, side }) => `${accountId} ${side}`}
      columns={[
        {
          header: t.account,
          cell: ({ accountId }) => (
            <Link to={accountPage(accountId)} className="link font-mono text-xs [overflow-wrap:anywhere]">
              {accountId}
            </Link>
          ),
        },
        { header: t.debit, isNumber: true, cell: ({ side }) => (side === "DEBIT" ? money(transfer.amount) : <None />) },
        {
          header: t.credit,
          isNumber: true,
          cell: ({ side }) => (side === "CREDIT" ? money(transfer.amount) : <None />),
        },
        {
          header: t.balanceAfter,
          isNumber: true,
          cell: ({ balance }) => (balance === undefined ? <None /> : money(balance)),
        },
      ]}
    />
  );
}

function Facts({ transfer }: { transfer: Transfer }) {
  const t = useTexts(texts);
  const other = (label: string, id: string | undefined) =>
    id === undefined
      ? []
      : [
          {
            label,
            value: (
              <Link to={transferPage(id)} className="link font-mono text-xs [overflow-wrap:anywhere]">
                {id}
              </Link>
            ),
          },
        ];
  const source = sourceOf(transfer);
  return (
    <Section title={t.transfer}>
      <KeyValue
        columns={1}
        facts={[
          { label: t.amount, value: <Money amount={transfer.amount} currency={transfer.currency} /> },
          ...(source === undefined
            ? []
            : [
                {
                  label: t.postedFor,
                  value: (
                    <Link to={source.to} className="link">
                      {t[source.of]} {source.of === "transaction" && source.code}
                    </Link>
                  ),
                },
              ]),
          { label: t.mode, value: inWords(transfer.mode) },
          { label: t.kind, value: <code className="text-xs">{transfer.kind}</code> },
          { label: t.sequence, value: String(transfer.sequence) },
          { label: t.when, value: <Time at={transfer.insertedAt} seconds /> },
          { label: t.effective, value: <Time at={transfer.effectiveAt} seconds /> },
          { label: t.countsFor, value: <Day at={transfer.day} /> },
          ...(transfer.belongsTo === undefined ? [] : [{ label: t.belongsTo, value: <Day at={transfer.belongsTo} /> }]),
          ...other(t.resolves, transfer.resolves),
          ...other(t.resolvedBy, transfer.resolvedBy),
          ...other(t.reverses, transfer.reverses),
          ...other(t.reversedBy, transfer.reversedBy),
          { label: t.by, value: <Person id={transfer.createdBy} /> },
          { label: t.interaction, value: <Id value={transfer.interactionId} /> },
          { label: t.id, value: <Id value={transfer.transferId} /> },
        ]}
      />
    </Section>
  );
}
