import { useQuery } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { useTexts } from "../../lib/language";
import { organisationQuery } from "../../lib/organisation";
import { useUrlState } from "../../lib/url-state";
import { useUser } from "../../lib/use-session";
import { Button } from "../../ui/button";
import { Page, Stack } from "../../ui/page";
import { Empty } from "../../ui/panels";
import { Order } from "./order";
import { Payment } from "./payment";
import { texts } from "./texts";
import { Unpaid } from "./unpaid";

const nothing = {
  register: undefined,
  customer: undefined,
  recipient: undefined,
  quote: undefined,
  transaction: undefined,
};
/** What is taken back first. */
const lastFirst = ["transaction", "quote", "recipient", "customer"] as const;

/**
 * Sells a transfer for cash, by keys alone. Where it stands is in the address, by ids and nothing
 * else: a reload goes on there, and a transaction that is not paid yet waits in the list.
 */
export default function CounterPage() {
  const t = useTexts(texts);
  const { values, set } = useUrlState();
  const { transaction, register } = values;
  const isBegun = register !== undefined || lastFirst.some((name) => values[name] !== undefined);
  useEscape(() => {
    const last = lastFirst.find((name) => values[name] !== undefined);
    if (last !== undefined) set(last === "transaction" ? nothing : { [last]: undefined });
  });
  return (
    <Page
      title={t.counter}
      about={t.counterAbout}
      actions={isBegun && <Button onClick={() => set(nothing)}>{t.beginAnew}</Button>}
    >
      <WhoMaySell>
        <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_320px] [&>*]:min-w-0">
          <Stack>
            {transaction === undefined ? (
              <Order onCreated={({ id }) => set({ ...nothing, transaction: id })} />
            ) : (
              <Payment key={transaction} transactionId={transaction} onNext={() => set(nothing)} />
            )}
          </Stack>
          <Unpaid chosen={transaction} onOpen={(id) => set({ ...nothing, transaction: id })} />
        </div>
      </WhoMaySell>
    </Page>
  );
}

/** Agents where the organisation has them sell. */
function WhoMaySell({ children }: { children: ReactNode }) {
  const t = useTexts(texts);
  const isAgent = useUser().role === "AGENT";
  const preference = useQuery({ ...organisationQuery(), enabled: isAgent });
  if (!isAgent || preference.data?.agentCounterSales !== false) return children;
  return (
    <div className="card">
      <Empty title={t.agentsDoNotSell}>{t.agentsDoNotSellHint}</Empty>
    </div>
  );
}

/** Escape takes the last step back, where no dialog or menu is open that it closes. */
function useEscape(back: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open], [role=menu]"))
        return;
      back();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}
