import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../../i18n/language";
import { api } from "../../lib/api";
import { read } from "../../lib/queries";
import { inWords } from "../../ui/words";
import { Money, None, Time } from "../../ui/figures";
import { Loaded, Section } from "../../ui/panels";
import { texts } from "./texts";

/** What the ledger wrote under an interaction id. */
export function LedgerEntries({ interactionId }: { interactionId: string }) {
  const t = useTexts(texts);
  const entries = useQuery(
    read("ledger", "ledgerHistoryByInteractionId", { interactionId }, (options) =>
      api.ledger.historyByInteractionId(interactionId, options),
    ),
  );
  return (
    <Section title={t.ledger} flush>
      <Loaded query={entries}>
        {(found) =>
          found.length === 0 ? (
            <p className="p-4 text-muted">{t.noEntries}</p>
          ) : (
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
                {found.map((entry) => (
                  <tr key={entry.entryId}>
                    <td data-label={t.when}>
                      <Time at={entry.executionDate} />
                    </td>
                    <td data-label={t.account}>{entry.accountName}</td>
                    <td data-label={t.description}>{entry.description ?? inWords(entry.kind)}</td>
                    <td data-label={t.debit} className="is-number">
                      {entry.ledgerType === "DEBIT" ? (
                        <Money amount={entry.transactionAmount} currency={entry.currency} />
                      ) : (
                        <None />
                      )}
                    </td>
                    <td data-label={t.credit} className="is-number">
                      {entry.ledgerType === "CREDIT" ? (
                        <Money amount={entry.transactionAmount} currency={entry.currency} />
                      ) : (
                        <None />
                      )}
                    </td>
                    <td data-label={t.balance} className="is-number">
                      <Money amount={entry.newBalance} currency={entry.currency} />
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
