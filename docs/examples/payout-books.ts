// What payout-connector.ts has recorded. Yours is a database, unique by account and reference: a
// payout is written before it is answered.
import { EventEmitter } from "node:events";
import { randomUUID } from "node:crypto";

/** Contract 2: who pays and who is paid, kept as they came. Your network is told them. */
interface Parties {
  originator?: object;
  beneficiary?: { account?: string; country: string };
}
export interface Order extends Parties {
  reference: string;
  amount: string;
  currency: string;
  method: string;
  creditParty: Record<string, string>;
  callbackUrl?: string;
  forced?: { behaviour: string; settleMs?: number; delayMs?: number; reason?: string; kept?: string };
}
interface Payout extends Pick<Order, "reference" | "amount" | "currency"> {
  payoutId: string;
  status: "ACCEPTED" | "PAID" | "REFUSED" | "RECALLED" | "RETURNED";
  reason?: string;
  kept?: string;
}
export interface Amendment {
  amendmentId: string;
  beneficiary: { account?: string; country: string };
}
interface Kept {
  account: string;
  payout: Payout;
  parties: Parties;
  /** What it was ordered by: the same reference with anything else is another payout. */
  content: string;
  callbackUrl: string;
  /** By id: what was asked, and what was said. */
  amendments: Map<string, { asked: string; said: { status: string } }>;
}

/** Emits "changed" with each payout that has changed by itself. */
export const changes = new EventEmitter<{ changed: [Kept] }>();

const payouts = new Map<string, Kept>();
const statement: Record<"account" | "reference" | "kind" | "amount" | "currency" | "at", string>[] = [];

export const find = (account: string, reference: string) => payouts.get(`${account} ${reference}`);

function keep(account: string, payout: Payout, rest: Pick<Kept, "content" | "callbackUrl" | "parties">): Kept {
  const one = { account, payout, ...rest, amendments: new Map() };
  payouts.set(`${account} ${payout.reference}`, one);
  return one;
}

function contentOf({ amount, currency, method, creditParty, ...more }: Order): string {
  const { originator, beneficiary, purpose, relationship, sourceOfFunds } = more as Record<string, unknown>;
  const { sendAmount, sendCurrency, transactionCode, remittanceText } = more as Record<string, unknown>;
  const why = [purpose, relationship, sourceOfFunds, sendAmount, sendCurrency, transactionCode, remittanceText];
  const to = Object.entries(creditParty).map(String).toSorted();
  return JSON.stringify([amount, currency, method, to, originator, beneficiary, ...why]);
}

/** Undefined where the reference stands for another payout. */
export function submit(account: string, order: Order): Payout | undefined {
  const known = find(account, order.reference);
  const content = contentOf(order);
  // A recall that came first has no content: its order, when it comes, finds it closed.
  if (known !== undefined) return known.content === content || known.content === "" ? known.payout : undefined;
  const { reference, amount, currency, originator, beneficiary, forced, callbackUrl = "" } = order;
  const { behaviour = "ACCEPT", settleMs = 1_000, delayMs = 1_000, reason = "refused", kept = "0" } = forced ?? {};
  const payout: Payout = { payoutId: randomUUID(), reference, amount, currency, status: "ACCEPTED" };
  const parties = { ...(originator && { originator }), ...(beneficiary && { beneficiary }) };
  const one = keep(account, payout, { content, callbackUrl, parties });
  if (behaviour === "REFUSE") return Object.assign(payout, { status: "REFUSED", reason });
  if (behaviour === "STALL") return payout;
  // Here your network is asked. What it says later changes the payout once, while it is open.
  setTimeout(() => {
    if (payout.status !== "ACCEPTED") return;
    if (behaviour === "REFUSE_LATER") return change(one, { status: "REFUSED", reason });
    change(one, { status: "PAID" });
    if (behaviour === "RETURN") setTimeout(() => change(one, { status: "RETURNED", kept }), delayMs);
  }, settleMs);
  return payout;
}

function change(one: Kept, part: Partial<Payout>): void {
  const { reference, currency, amount, status, kept = "0" } = Object.assign(one.payout, part);
  const line = { account: one.account, reference, currency, at: new Date().toISOString() };
  if (status === "PAID") statement.push({ ...line, kind: "PAYOUT", amount });
  if (status === "RETURNED") statement.push({ ...line, kind: "RETURN", amount: less(amount, kept) });
  changes.emit("changed", one);
}

/** Amounts are decimal text: no number of JavaScript holds them all. */
function less(amount: string, kept: string): string {
  const minor = (text: string) =>
    BigInt(text.replace(/^(\d+)\.?(\d*)$/, (_all, whole, part) => whole + part.padEnd(4, "0")));
  const digits = (minor(amount) - minor(kept)).toString().padStart(5, "0");
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

export function recall(account: string, reference: string): [number, Payout] {
  const unknown = { payoutId: randomUUID(), reference, amount: "0", currency: "", status: "ACCEPTED" } as const;
  const nothing = { content: "", callbackUrl: "", parties: {} };
  const { payout } = find(account, reference) ?? keep(account, { ...unknown }, nothing);
  if (payout.status === "ACCEPTED") payout.status = "RECALLED";
  return [payout.status === "RECALLED" ? 200 : 409, payout];
}

/** Contract 2: who is paid is put right while nobody has the money. Here your network is asked. */
export function amend({ payout, parties, amendments }: Kept, amendment: Amendment): [number, object] {
  const { amendmentId, beneficiary } = amendment;
  const asked = JSON.stringify(amendment);
  const known = amendments.get(amendmentId);
  if (known !== undefined && known.asked !== asked) return [409, { error: "this id stands for another amendment" }];
  const { account, country } = parties.beneficiary ?? {};
  const isSamePlace = beneficiary.account === account && beneficiary.country === country;
  const isDone = payout.status === "ACCEPTED" && isSamePlace;
  const outcome = isDone ? { status: "DONE" } : { status: "REFUSED", reason: "it can not be amended any more" };
  const said = known?.said ?? { amendmentId, reference: payout.reference, ...outcome };
  if (known === undefined && isDone) parties.beneficiary = beneficiary;
  amendments.set(amendmentId, { asked, said });
  return [said.status === "REFUSED" ? 422 : 200, said];
}

export function page(account: string, query: URLSearchParams): object {
  const [from, to] = [query.get("from") ?? "", query.get("to") ?? "9999"];
  const [begin, limit] = [Number(query.get("cursor") ?? 0), Math.min(500, Number(query.get("limit") ?? 500))];
  const all = statement.filter((line) => line.account === account && line.at >= from && line.at < to);
  const end = begin + limit;
  return { lines: all.slice(begin, end), ...(end < all.length && { cursor: String(end) }) };
}
