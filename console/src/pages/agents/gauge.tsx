import { useQuery } from "@tanstack/react-query";
import { shareOf, sum } from "../../lib/exact";
import { useTexts } from "../../lib/language";
import { Badge } from "../../ui/badge";
import { Bars, KeyValue } from "../../ui/facts";
import { Money } from "../../ui/figures";
import { Loaded } from "../../ui/panels";
import { accountsQuery } from "./queries";
import { texts } from "./texts";
import type { Account } from "./types";

/** What an agent has to sell by, of each currency. */
export function Accounts({ agentId }: { agentId: string }) {
  const t = useTexts(texts);
  const accounts = useQuery(accountsQuery(agentId));
  return (
    <Loaded query={accounts} lines={3}>
      {(all) =>
        all.length === 0 ? (
          <p className="text-muted">{t.noAccounts}</p>
        ) : (
          <div className="flex flex-col gap-5">
            {all.map((one) => (
              <Gauge key={one.currency} account={one} />
            ))}
          </div>
        )
      }
    </Loaded>
  );
}

function Gauge({ account }: { account: Account }) {
  const t = useTexts(texts);
  const { currency, available, used, reserved, low } = account;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  const whole = sum(sum(available, used), reserved);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p>
          <span className="text-muted">{t.available}</span>{" "}
          <strong className="text-xl font-semibold">{money(available)}</strong>
        </p>
        {low && <Badge tone="warn">{t.low}</Badge>}
      </div>
      <Bars
        bars={[{ label: currency, share: shareOf(available, whole), text: money(whole), tone: low ? "warn" : "good" }]}
      />
      <KeyValue
        columns={3}
        facts={[
          { label: t.balance, value: money(account.balance) },
          { label: t.creditLine, value: money(account.creditLine) },
          { label: t.used, value: money(used) },
          { label: t.reserved, value: money(reserved) },
          { label: t.unsettled, value: money(account.unsettled) },
          { label: t.commission, value: money(account.commission) },
        ]}
      />
    </div>
  );
}
