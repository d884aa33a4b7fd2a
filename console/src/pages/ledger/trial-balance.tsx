import { useQuery } from "@tanstack/react-query";
import { api, type AnswerOf } from "../../lib/api";
import { difference } from "../../lib/exact";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useUrlState } from "../../lib/url-state";
import { Badge } from "../../ui/badge";
import { Money } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Stack } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Table } from "../../ui/table";
import { texts } from "./texts";

type Balance = AnswerOf<typeof api.ledger.readTrialBalance>;

/**
 * Debits and credits per code, a table a currency: their sums are the same, or something is wrong.
 */
export function TrialBalance() {
  const t = useTexts(texts);
  const { values, set } = useUrlState();
  const day = values["day"] ?? "";
  const balance = useQuery(
    read("ledger", "readTrialBalance", { day }, (options) =>
      api.ledger.readTrialBalance(day === "" ? {} : { at: day }, options),
    ),
  );
  return (
    <Stack>
      <label className="flex w-44 flex-col gap-0.5">
        <span className="text-xs text-muted">{t.endOfDay}</span>
        <input
          type="date"
          className="control"
          value={day}
          onChange={(event) => set({ day: event.target.value || undefined }, true)}
        />
      </label>
      <Loaded query={balance} lines={8}>
        {(found) =>
          found.totals.length === 0 ? (
            <div className="card">
              <Empty title={t.noEntries}>{t.noEntriesHint}</Empty>
            </div>
          ) : (
            <Stack>
              {found.totals.map((total) => (
                <OfCurrency key={total.currency} total={total} lines={found.lines} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Stack>
  );
}

function OfCurrency({ total, lines }: { total: Balance["totals"][number]; lines: Balance["lines"] }) {
  const t = useTexts(texts);
  const { values } = useUrlState();
  const { currency, debits, credits } = total;
  const day = values["day"] ?? "";
  const accountsOf = (code: string) => `/ledger?code=${code}&currency=${currency}${day && `&day=${day}`}`;
  const off = difference(debits, credits);
  const isEven = /^-?0(\.0*)?$/.test(off);
  return (
    <Section
      title={currency}
      flush
      actions={
        <Badge tone={isEven ? "good" : "bad"}>
          {isEven ? (
            t.even
          ) : (
            <>
              {t.uneven} <Money amount={off} currency={currency} />
            </>
          )}
        </Badge>
      }
    >
      <Table
        label={`${t.trialBalance} ${currency}`}
        rows={lines.filter((line) => line.currency === currency)}
        rowKey={({ code }) => code}
        columns={[
          {
            header: t.code,
            cell: ({ code }) => (
              <Link to={accountsOf(code)} className="link font-mono text-xs">
                {code}
              </Link>
            ),
          },
          { header: t.meaning, cell: ({ meaning }) => meaning },
          { header: t.accounts, isNumber: true, cell: ({ accounts }) => String(accounts) },
          { header: t.debits, isNumber: true, cell: (line) => <Money amount={line.debits} /> },
          { header: t.credits, isNumber: true, cell: (line) => <Money amount={line.credits} /> },
        ]}
        sums={
          <tr className="font-semibold">
            <td data-label={t.code}>{t.total}</td>
            <td className="max-sm:hidden!" />
            <td className="max-sm:hidden!" />
            <td data-label={t.debits} className="is-number">
              <Money amount={debits} />
            </td>
            <td data-label={t.credits} className="is-number">
              <Money amount={credits} />
            </td>
          </tr>
        }
      />
    </Section>
  );
}
