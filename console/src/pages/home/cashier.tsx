import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Money, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Columns, Stack } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Latest } from "./latest";
import { Shortcuts } from "./shortcuts";
import { texts } from "./texts";

/** The own tills, and what to do at the desk. */
export function CashierHome() {
  return (
    <Columns>
      <Stack>
        <Tills />
        <Latest />
      </Stack>
      <Shortcuts />
    </Columns>
  );
}

function Tills() {
  const t = useTexts(texts);
  const tills = useQuery(
    read("wallets", "listTills", { open: "true" }, (options) =>
      api.cash.listTills({ open: "true" }, options).toArray({ max: 50 }),
    ),
  );
  return (
    <Section title={t.tills} flush>
      <Loaded query={tills}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={t.noTill}>
              <p className="mb-1">{t.noTillHint}</p>
              <Link to="/till" className="link">
                {t.openTill}
              </Link>
            </Empty>
          ) : (
            <table className="table as-cards" aria-label={t.tills}>
              <thead>
                <tr>
                  <th scope="col">{t.till}</th>
                  <th scope="col" className="is-number">
                    {t.inTill}
                  </th>
                  <th scope="col" className="is-number">
                    {t.float}
                  </th>
                  <th scope="col">{t.opened}</th>
                </tr>
              </thead>
              <tbody>
                {found.map((till) => (
                  <tr key={till.tillId}>
                    <td data-label={t.till}>
                      <Link to="/till" className="link font-medium">
                        {till.currency}
                      </Link>
                    </td>
                    <td data-label={t.inTill} className="is-number">
                      <Money amount={till.expected} currency={till.currency} />
                    </td>
                    <td data-label={t.float} className="is-number">
                      <Money amount={till.float} currency={till.currency} />
                    </td>
                    <td data-label={t.opened}>
                      <Time at={till.openedAt} />
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
