import { useInfiniteQuery } from "@tanstack/react-query";
import { api, type RowOf } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { useMay } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { Money, None, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { ErrorPanel, Section, Skeleton } from "../../ui/panels";
import { ScrollBox } from "../../ui/scroll-box";
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
        <Table entries={entries} />
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

function Table({ entries }: { entries: readonly Entry[] }) {
  const t = useTexts(texts);
  return (
    <ScrollBox>
      <table className="table as-cards" aria-label={t.ledger}>
        <thead>
          <tr>
            <th scope="col">{t.when}</th>
            <th scope="col">{t.account}</th>
            <th scope="col">{t.description}</th>
            <th scope="col" className="is-number">
              {t.debit}
            </th>
            <th scope="col" className="is-number">
              {t.credit}
            </th>
            <th scope="col" className="is-number">
              {t.balance}
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row key={`${entry.sequence} ${entry.side}`} entry={entry} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Row({ entry }: { entry: Entry }) {
  const t = useTexts(texts);
  const may = useMay();
  const { side, currency, transferId, accountId, accountName, description, kind } = entry;
  const amount = (of: Entry["side"]) => (side === of ? <Money amount={entry.amount} currency={currency} /> : <None />);
  const what = description ?? inWords(kind);
  return (
    <tr>
      <td data-label={t.when}>
        <Time at={entry.insertedAt} />
      </td>
      <td data-label={t.account}>
        <span title={accountId}>{accountName ?? accountId}</span>
      </td>
      <td data-label={t.description}>
        {may("readLedgerTransfer") ? (
          <Link to={transferPage(transferId)} className="link">
            {what}
          </Link>
        ) : (
          what
        )}
      </td>
      <td data-label={t.debit} className="is-number">
        {amount("DEBIT")}
      </td>
      <td data-label={t.credit} className="is-number">
        {amount("CREDIT")}
      </td>
      <td data-label={t.balance} className="is-number">
        <Money amount={entry.balance} currency={currency} />
      </td>
    </tr>
  );
}
