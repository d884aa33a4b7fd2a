import { bucketOf } from "./duration-buckets.js";
import { fxMarginOf, type Counted, type CountedEvent } from "./counted.js";
import type { Transaction } from "./transaction.js";

/** In the place of an agent's id: all transactions, whoever managed their senders. */
export const everyAgent = "*";

/** What day sums of a corridor are of. */
export interface DayKey {
  day: string;
  /** `everyAgent`; or one agent's own, empty for those of nobody. */
  agentId: string;
  originCountry: string;
  receivingCountry: string;
  sendCurrency: string;
  receivingCurrency: string;
}

/** What day sums of who created transactions are of. */
export interface CreatorKey {
  day: string;
  agentId: string;
  createdBy: string;
  createdByRole: string;
  sendCurrency: string;
}

/**
 * Sums of a key. A figure's name is its path: `created.METHOD.STATUS.count`, where a status that a
 * block hides is `BLOCKED-SHOWN`, `open.METHOD.PARTNER.STATUS.count`, and
 * `events.KIND.count.METHOD.PARTNER`, behind which may stand a reason or a bucket of times: so a
 * report reads those figures alone that it shows. Amounts are in minor units, those in `received`
 * of the receiving currency.
 */
export interface DaySums<Key> {
  key: Key;
  figures: Map<string, bigint>;
}

export type CorridorSums = DaySums<DayKey>;
export type CreatorSums = DaySums<CreatorKey>;

/** What changes in the sums; figures that do not are left out. */
export interface SumsChange {
  corridors: Map<string, CorridorSums>;
  creators: Map<string, CreatorSums>;
}

/** Stands in a path for nobody. */
export const nobody = "none";

export const noChange = (): SumsChange => ({ corridors: new Map(), creators: new Map() });

/** Adds to a change what the sums of one transaction become, after what they were before. */
export function addChange(
  to: SumsChange,
  transaction: Transaction,
  before: Counted | undefined,
  after: Counted,
): SumsChange {
  if (before !== undefined) addCounted(to, transaction, before, -1n);
  addCounted(to, transaction, after, 1n);
  return to;
}

type Add = (path: string, by: bigint) => void;

function addCounted(to: SumsChange, transaction: Transaction, counted: Counted, sign: 1n | -1n): void {
  const { agentId = "", createdBy, createdByRole, deliveryMethod: method } = transaction;
  const { price, transferInformation } = transaction;
  const [sendCurrency, receivingCurrency] = [price.principal.currency, price.receive.currency];
  const { originCountry, receivingCountry } = transferInformation;
  const corridor = { originCountry, receivingCountry, sendCurrency, receivingCurrency };
  const add = (day: string, path: string, figures: Figures): void => {
    for (const agent of [everyAgent, agentId]) addTo(to.corridors, { day, agentId: agent, ...corridor }, path, figures);
  };
  const addTo = <Key extends object>(all: Map<string, DaySums<Key>>, key: Key, path: string, figures: Figures) => {
    const id = Object.values(key).join("\n");
    let sums = all.get(id);
    if (sums === undefined) all.set(id, (sums = { key, figures: new Map() }));
    const put: Add = (name, by) => {
      if (by === 0n) return;
      const full = `${path}.${name}`;
      sums.figures.set(full, (sums.figures.get(full) ?? 0n) + by * sign);
    };
    for (const [name, by] of Object.entries(figures)) put(name, by);
  };
  const status = counted.shownAs === undefined ? counted.status : `${counted.status}-${counted.shownAs}`;
  const created = dayOfEvent(counted, "CREATED");
  const { received, ...sent } = createdFigures(transaction);
  addTo(to.creators, { day: created, agentId, createdBy, createdByRole, sendCurrency }, `created.${status}`, sent);
  add(created, `created.${method}.${status}`, { ...sent, received, ...promised(counted, transaction) });
  const partner = counted.partner || nobody;
  for (const event of counted.events) {
    const figures = Object.entries(eventFigures(event, transaction, counted)).map(([name, by]): [string, bigint] => {
      const [figure, ...rest] = name.split(".");
      return [[figure, method, partner, ...rest].join("."), by];
    });
    add(event.day, `events.${event.kind}`, Object.fromEntries(figures));
  }
  const open = openSince(counted);
  if (open !== undefined) {
    const { principal, receive } = price;
    const figures = { count: 1n, principal: principal.minor, received: receive.minor };
    add(open.day, `open.${method}.${partner}.${open.status}`, figures);
  }
}

type Figures = Record<string, bigint>;

function dayOfEvent({ events }: Counted, kind: CountedEvent["kind"]): string {
  return events.find((one) => one.kind === kind)!.day;
}

function createdFigures({ price }: Transaction) {
  const { principal, totalFees, totalTaxes, receive } = price;
  return {
    count: 1n,
    principal: principal.minor,
    fees: totalFees.minor,
    taxes: totalTaxes.minor,
    received: receive.minor,
  };
}

function promised({ events, waitsFor }: Counted, { paidAt }: Transaction): Figures {
  if (waitsFor !== undefined) return { [`waits.${waitsFor}`]: 1n };
  const outcome = events.find(({ kind }) => kind === "AVAILABLE")?.reason;
  return paidAt === undefined || outcome === undefined ? {} : { [outcome.toLowerCase()]: 1n };
}

/** Of one event. What a refund takes back is taken on its own day. */
function eventFigures({ kind, reason, back, slippageMinor }: CountedEvent, of: Transaction, counted: Counted): Figures {
  const { principal, totalFees, totalTaxes, receive } = of.price;
  const counts: Figures = { count: 1n, ...(reason !== undefined && { [`reasonCount.${reason}`]: 1n }) };
  const amounts = { principal: principal.minor, received: receive.minor };
  switch (kind) {
    case "PAID":
      return { ...counts, ...amounts, fees: totalFees.minor, taxes: totalTaxes.minor };
    case "COMPLETED":
      return { ...counts, ...amounts, ...exchanged(of, slippageMinor), ...took(of) };
    case "REFUNDED": {
      const { minor, fees, taxes, isReturn } = back!;
      const completed = counted.events.find((one) => one.kind === "COMPLETED");
      const undone = isReturn && completed !== undefined ? exchanged(of, completed.slippageMinor) : {};
      return { ...counts, amount: minor, fees, taxes, ...undone };
    }
    default:
      return {
        ...counts,
        ...amounts,
        ...(reason !== undefined && { [`reasonAmount.${reason}`]: principal.minor }),
      };
  }
}

function exchanged(of: Transaction, slippage: bigint | undefined): Figures {
  return { fxMargin: fxMarginOf(of), ...(slippage !== undefined && { slippage, slippageCount: 1n }) };
}

/** How long it took from the payment, as a bucket of `duration-buckets.ts`. */
function took({ paidAt, timeline }: Transaction): Figures {
  const completed = timeline.find(({ status }) => status === "COMPLETED");
  if (paidAt === undefined || completed === undefined) return {};
  return { [`times.${bucketOf(completed.at.getTime() - paidAt.getTime())}`]: 1n };
}

/** What waits at a partner, or at a desk of ours, and since which day. */
function openSince({ status, shownAs, events }: Counted): { status: string; day: string } | undefined {
  const shown = shownAs ?? status;
  if (shown !== "PROCESSING" && shown !== "READY_FOR_PICKUP") return undefined;
  const kind = shown === "PROCESSING" ? "SENT" : "READY";
  const since = events.find((one) => one.kind === kind);
  return since && { status: shown, day: since.day };
}
