import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { StatusBadge } from "../../ui/badge";
import { moveBetweenRows } from "../../ui/data-table";
import { Ago, Money } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Empty, Loaded, Section } from "../../ui/panels";
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
            <table className="table as-cards" aria-label={t.latest} onKeyDown={moveBetweenRows}>
              <thead>
                <tr>
                  <th scope="col">{t.code}</th>
                  <th scope="col">{t.who}</th>
                  <th scope="col" className="is-number">
                    {t.sends}
                  </th>
                  <th scope="col">{t.status}</th>
                  <th scope="col">{t.when}</th>
                </tr>
              </thead>
              <tbody>
                {found.map((row) => (
                  <tr key={row.id}>
                    <td data-label={t.code}>
                      <Link to={`/transactions/${row.id}`} className="link font-medium" data-row="">
                        {row.transactionCode}
                      </Link>
                    </td>
                    <td data-label={t.who}>
                      {row.sender.name} → {row.recipient.name}{" "}
                      <span className="text-xs text-muted">{row.recipient.country}</span>
                    </td>
                    <td data-label={t.sends} className="is-number">
                      <Money amount={row.sendAmount} currency={row.sendCurrency} />
                    </td>
                    <td data-label={t.status}>
                      <StatusBadge status={row.status} />
                    </td>
                    <td data-label={t.when} className="whitespace-nowrap">
                      <Ago at={row.createdAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </Section>
  );
}
