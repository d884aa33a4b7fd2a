import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { StatusBadge } from "../../ui/badge";
import { Ago, Money } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Table } from "../../ui/table";
import { texts } from "./texts";

/** The newest transactions that this person may see. */
export function Latest() {
  const t = useTexts(texts);
  const latest = useQuery(
    read("transactions", "listTransactions", { size: 10 }, async (options) => {
      const page = await api.transactions.list({ size: 10 }, options).page();
      return page.items;
    }),
  );
  return (
    <Section
      title={t.latest}
      flush
      actions={
        <Link to="/transactions" className="link">
          {t.allTransactions}
        </Link>
      }
    >
      <Loaded query={latest}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={t.noTransactions}>{t.noTransactionsHint}</Empty>
          ) : (
            <Table
              label={t.latest}
              rows={found}
              rowKey={({ id }) => id}
              rowLink={({ id }) => `/transactions/${id}`}
              columns={[
                { header: t.code, cell: (row) => row.transactionCode },
                {
                  header: t.who,
                  cell: ({ sender, recipient }) => (
                    <>
                      {sender.name} → {recipient.name} <span className="text-xs text-muted">{recipient.country}</span>
                    </>
                  ),
                },
                {
                  header: t.sends,
                  isNumber: true,
                  cell: (row) => <Money amount={row.sendAmount} currency={row.sendCurrency} />,
                },
                {
                  header: t.status,
                  cell: ({ status, createdAt }) => (
                    <span className="flex flex-col items-start gap-0.5 max-sm:items-end">
                      <StatusBadge status={status} />
                      <span className="text-xs text-muted">
                        <Ago at={createdAt} />
                      </span>
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
