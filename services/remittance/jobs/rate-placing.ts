import { v7 as uuidv7 } from "uuid";
import type { NewRow, Outbox } from "../../kernel/outbox/index.js";
import { nameOfPair, placingOf, type GuardBand, type HeldRate, type ReadRate } from "../domain/guard-band.js";
import type { RateLine } from "../domain/rate.js";
import type { RemittanceStore, Session, TenantStore } from "../store/index.js";
import { putRates } from "../store/put-rates.js";
import { rowKinds } from "../row-kinds.js";

export interface PlacingDeps {
  store: RemittanceStore;
  outbox: Pick<Outbox, "addAll" | "wake">;
}

/** Rates of one reading, and by which rules they are put. */
export interface Reading extends Pick<GuardBand, "guardPercent" | "isFirstReading" | "olderSources"> {
  tenantId: string;
  installationId: string;
  interactionId: string;
  /** In the order of their beginnings. */
  rates: readonly ReadRate[];
  /** The tenant's time. */
  now: Date;
}

export interface Placed {
  put: number;
  unchanged: number;
  held: number;
}

// Short transactions: a long one could be cut off by the server's limit on their life.
const pairsPerTransaction = 200;

/**
 * Puts what a source says as a person would have put it; what jumps is held, and asked about. Safe
 * to repeat.
 */
export async function placeRates(deps: PlacingDeps, reading: Reading): Promise<Placed> {
  const { store, outbox } = deps;
  const pairs = [...Map.groupBy(reading.rates, ({ rate }) => nameOfPair(rate)).values()];
  const total = { put: 0, unchanged: 0, held: 0 };
  for (let from = 0; from < pairs.length; from += pairsPerTransaction) {
    const some = pairs.slice(from, from + pairsPerTransaction);
    const placed = await store.transaction(
      (session) => placeSome(deps, reading, some, session),
      // What is in says so by itself when it is read again.
      async () => undefined,
    );
    total.put += placed.put;
    total.unchanged += placed.unchanged;
    total.held += placed.held;
  }
  outbox.wake();
  return total;
}

async function placeSome(
  { store, outbox }: PlacingDeps,
  reading: Reading,
  pairs: readonly (readonly ReadRate[])[],
  session: Session,
): Promise<Placed> {
  const tenant = store.forTenant(reading.tenantId);
  const [lines, rows] = [[] as RateLine[], [] as NewRow[]];
  const counts = { put: 0, unchanged: 0, held: 0 };
  for (const rates of pairs) {
    const { put, unchanged, next } = await placePair(tenant, reading, rates, session);
    lines.push(...put.map((rate) => ({ rate, statedFrom: rate.validFrom })));
    counts.unchanged += unchanged;
    if (next !== undefined) rows.push(...(await moveHeld(tenant, reading, next, session)));
    if (next?.isHeld === true) counts.held += 1;
  }
  const by = { createdAt: reading.now, createdBy: `plugin:${reading.installationId}` };
  counts.put = (await putRates(tenant, lines, by, session)).filter(({ isNew }) => isNew).length;
  await outbox.addAll(rows, session);
  return counts;
}

/** What becomes of the question about a pair; `fresh` is what is asked now. */
interface HeldChange {
  before: HeldRate | undefined;
  isHeld: boolean;
  fresh?: { rate: ReadRate; replaces: string | undefined };
  /** It is still said: the question stands for so long. */
  seenUntil?: Date;
}

/** Rates of one pair in their order: what follows one that is held waits with it. */
async function placePair(tenant: TenantStore, reading: Reading, rates: readonly ReadRate[], session: Session) {
  const held = await tenant.findHeldRate(rates[0]!.rate, session);
  const put: ReadRate["rate"][] = [];
  let unchanged = 0;
  for (const read of rates) {
    const { rate } = read;
    const last = put.at(-1);
    const before = (await tenant.findRate(rate, rate.validFrom, session)) ?? (await tenant.findLastRate(rate, session));
    // What this reading puts holds before what was there.
    const current =
      last === undefined ? before : { ...last, rateId: "", sequence: 0, createdAt: reading.now, createdBy: "" };
    const placing = placingOf(read, { ...reading, current, held });
    if (placing === "OLDER") return { put, unchanged, next: undefined };
    if (placing === "HELD") {
      const next: HeldChange = { before: held, isHeld: true, fresh: { rate: read, replaces: current?.rate } };
      return { put, unchanged, next };
    }
    if (placing === "WAITS") {
      return { put, unchanged, next: { before: held, isHeld: true, seenUntil: rate.validUntil } satisfies HeldChange };
    }
    if (placing === "PUT") put.push(rate);
    else unchanged += 1;
  }
  return { put, unchanged, next: { before: held, isHeld: false } satisfies HeldChange };
}

/** Writes it, and gives the rows that tell identity. */
async function moveHeld(
  tenant: TenantStore,
  reading: Reading,
  { before, fresh, seenUntil }: HeldChange,
  session: Session,
): Promise<NewRow[]> {
  if (seenUntil !== undefined) {
    // A rejected one is kept as it was: it is only not asked again.
    if (before?.status === "WAITING") await tenant.noteHeldRate(before.heldId, { validUntil: seenUntil }, session);
    return [];
  }
  const closing = before === undefined ? [] : await closeHeld(tenant, reading, before, session);
  if (fresh === undefined) return closing;
  const { validFrom, validUntil, rate, source, sendCurrency, receivingCurrency } = fresh.rate.rate;
  const held: HeldRate = {
    heldId: uuidv7(),
    installationId: reading.installationId,
    sendCurrency,
    receivingCurrency,
    source,
    rate,
    validFrom,
    validUntil,
    ...(fresh.replaces !== undefined && { beforeRate: fresh.replaces }),
    guardPercent: reading.guardPercent,
    status: "WAITING",
    isOpen: true,
    heldAt: reading.now,
  };
  await tenant.insertHeldRate(held, session);
  return [...closing, rowOf(reading, held.heldId, rowKinds.requestRateApproval)];
}

type Cause = Pick<Reading, "tenantId" | "interactionId">;

/** Ends a question, or what was decided of it: the source says something else by now. */
export async function closeHeld(
  tenant: Pick<TenantStore, "noteHeldRate">,
  cause: Cause,
  { heldId, status }: HeldRate,
  session: Session,
): Promise<NewRow[]> {
  // By real time, which is what MongoDB forgets it by.
  const closed = { isOpen: false, closedAt: new Date() };
  await tenant.noteHeldRate(heldId, status === "WAITING" ? { ...closed, status: "CLOSED" } : closed, session);
  return status === "WAITING" ? [rowOf(cause, heldId, rowKinds.withdrawRateQuestion)] : [];
}

/** The question goes out before it is taken back. */
function rowOf({ tenantId, interactionId }: Cause, heldId: string, kind: NewRow["kind"]): NewRow {
  const seq = kind === rowKinds.requestRateApproval ? 1 : 2;
  return {
    tenantId,
    interactionId,
    actor: "remittance",
    aggregate: `held-rate:${heldId}`,
    seq,
    kind,
    payload: { heldId },
  };
}
