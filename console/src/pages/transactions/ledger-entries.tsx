import { useInfiniteQuery } from "@tanstack/react-query";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { Money, None, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { ErrorPanel, Section, Skeleton } from "../../ui/panels";
import { ScrollBox } from "../../ui/scroll-box";
import { Table } from "../../ui/table";
import { inWords } from "../../ui/words";
import { transferPage } from "../ledger/paths";
import { texts } from "./texts";

type Entry = RowOf<typeof api.transactions.listEntries>;

const inOrder = (one: Entry, other: Entry) => Number(one.sequence - other.sequence);

/** All that the ledger has of a transaction: payment, payout, return and refunds. */
export function LedgerEntries({ transactionId }: { transactionId: string }) {
  const t = useTexts(texts);
  const pages = useInfiniteQuery({
    queryKey: ["ledger", "listTransactionEntries", transactionId],
    queryFn: ({ pageParam, signal }) => api.transactions.listEntries(transactionId, pageParam, { signal }).page(),
    initialPageParam: {},
    getNextPageParam: ({ next }) => next,
  });
  const entries = pages.data?.pages.flatMap(({ items }) => items).toSorted(inOrder);
  return (
    <Section title={t.ledger} flush>
      {pages.error && <ErrorPanel error={pages.error} onRetry={() => void pages.refetch()} />}
      {entries === undefined ? (
        !pages.error && <Skeleton lines={4} />
      ) : entries.length === 0 ? (
        <p className="p-4 text-muted">{t.noEntries}</p>
      ) : (
        <Entries entries={entries} />
      )}
      {pages.hasNextPage && (
        <div className="p-3">
          <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t.moreEntries}
          </Button>
        </div>
      )}
    </Section>
  );
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  const t = useTexts(texts);
  const may = useMay();
  const amount = (side: Entry["side"], entry: Entry) =>
    entry.side === side && <Money amount={entry.amount} currency={entry.currency} />;
  return (
    <ScrollBox>
      <Table
        label={t.ledger}
        rows={entries}
        rowKey={({ sequence, side }) => `${sequence} ${side}`}
        columns={[
          { header: t.when, cell: (row) => <Time at={row.insertedAt} /> },
          {
            header: t.account,
            cell: ({ accountId, accountName }) => <span title={accountId}>{accountName ?? accountId}</span>,
          },
          {
            header: t.description,
            cell: ({ transferId, kind, description = inWords(kind) }) =>
              may("readLedgerTransfer") ? (
                <Link to={transferPage(transferId)} className="link">
                  {description}
                </Link>
              ) : (
                description
              ),
          },
          { header: t.debit, isNumber: true, cell: (row) => amount("DEBIT", row) || <None /> },
          { header: t.credit, isNumber: true, cell: (row) => amount("CREDIT", row) || <None /> },
          { header: t.balance, isNumber: true, cell: (row) => <Money amount={row.balance} currency={row.currency} /> },
        ]}
      />
    </ScrollBox>
  );
}
