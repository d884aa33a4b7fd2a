import { amendmentOfTrace, type Trace } from "./trace.js";
import type { Transaction } from "./transaction.js";

const at = new Date("2026-11-30T10:00:00Z");
const names = (name: string) => ({ recipientName: name, accountHolderName: name });
const trace = (before: string, after: string): Trace => ({
  traceId: `${before}-${after}`,
  status: "DONE",
  before: names(before),
  after: names(after),
  reason: "it was misspelled",
  askedBy: "MA1",
  askedAt: at,
});
const sent = (holder: string, traces: Trace[]) =>
  ({
    recipient: { name: holder },
    creditParty: holder === "" ? [] : [{ key: "accountholdername", value: holder }],
    orderParties: { beneficiary: { name: holder, account: "1", country: "NGA" } },
    traces,
  }) as unknown as Transaction;

test("a trace back to the order's own holder names them: the partner has another one by now", () => {
  const done = trace("Ada A", "Bola B");
  const back = trace("Bola B", "Ada A");
  const asked = amendmentOfTrace(sent("Ada A", [done, back]), back);
  expect(asked).toMatchObject({ beneficiary: { name: "Ada A" }, accountHolderName: "Ada A" });
});

test("where the way of delivery names no holder, none is named", () => {
  const one = { ...trace("", ""), after: { recipientName: "Bola B", accountHolderName: "" } };
  expect(amendmentOfTrace(sent("", [one]), one)).not.toHaveProperty("accountHolderName");
});
