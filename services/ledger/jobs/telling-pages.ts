import type { NewEvent } from "../../../proto/gen/events/v1/events.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { leaveRow } from "../../kernel/outbox/left-rows.js";
import { isMongoAway } from "../../kernel/mongo/away.js";
import { isAwayOrLate } from "../../kernel/refusal.js";
import type { StoredDecision } from "../domain/journal.js";
import type { Transfer } from "../domain/model.js";
import { movesMoney } from "../domain/steps.js";
import { isImported } from "../store/journal.js";
import { walletEvents, walletOf, type PublishedWallet } from "../wire/event-rows.js";
import type { TellingOptions } from "./telling.js";

type Remembered = Map<string, PublishedWallet | undefined>;
type PublishableDecision = StoredDecision & { transfer: Transfer };

/** What a transfer tells, or why that cannot be said. */
interface TransferEvents {
  transfer: Transfer;
  events: NewEvent[];
  error?: unknown;
}

const transfersAtOnce = 500;
const eventsAtOnce = 100;
const timeoutMs = 10_000;
const maxRemembered = 50_000;
// Of a tenant of which more cannot be told, it is no single transfer that is at fault.
const maxLeft = 1_000;
/** Events are kept so long: who is told for the first time is not told of years. */
export const publishedForMs = 30 * 24 * 60 * 60_000;

/** Tells a tenant's journal; whether to its end, or until it should let others go first. */
export async function tell(
  options: TellingOptions,
  tenantId: string,
  remembered: Remembered,
  shouldYield: (pages: number) => boolean,
): Promise<boolean> {
  const { store, tellings, clock } = options;
  const journal = store.forTenant(tenantId);
  let published = await tellings.publishedThrough(tenantId);
  for (let pages = 1; ; pages += 1) {
    const found = await journal.journalAfter(published, transfersAtOnce);
    const last = found.at(-1)?.transfer;
    if (last === undefined) return true;
    const oldest = clock.now().getTime() - publishedForMs;
    const transfers = found.flatMap((decision) => (isPublishable(decision, oldest) ? [decision.transfer] : []));
    await tellOrLeave(options, tenantId, await eventsOf(options, tenantId, transfers, remembered));
    crashPoint("ledger.telling.told");
    published = last.seq;
    await tellings.recordPublished(tenantId, published);
    crashPoint("ledger.telling.noted");
    if (found.length < transfersAtOnce) return true;
    if (shouldYield(pages)) return false;
  }
}

/** Tells what was left before, as far as it can be told by now: behind what came after it. */
export async function tellLeft(options: TellingOptions, tenantId: string, remembered: Remembered): Promise<void> {
  const { store, tellings, log } = options;
  for (const seq of (await tellings.leftOf(tenantId)).slice(0, eventsAtOnce)) {
    try {
      const found = await store.forTenant(tenantId).journalAfter(seq - 1n, 1);
      const transfers = found.flatMap((decision) => (isPublishable(decision, 0) ? [decision.transfer] : []));
      for (const { events, error } of await eventsOf(options, tenantId, transfers, remembered)) {
        if (error !== undefined) throw error;
        if (events.length > 0) await publish(options, tenantId, events);
      }
      await tellings.recordLeftPublished(tenantId, seq);
    } catch (error) {
      log.warn({ err: error, tenantId, seq }, "what a transfer tells still cannot be told");
      if (holdsAll(error)) return;
    }
  }
}

const holdsAll = (error: unknown): boolean => isAwayOrLate(error) || isMongoAway(error);

/** What reserves or releases is none, and what was imported was told where it happened. */
function isPublishable(decision: StoredDecision, oldestMs: number): decision is PublishableDecision {
  const { transfer, groupId } = decision;
  return transfer !== undefined && movesMoney(transfer) && !isImported(groupId) && transfer.timeMs >= oldestMs;
}

async function eventsOf(
  { store }: TellingOptions,
  tenantId: string,
  transfers: readonly Transfer[],
  remembered: Remembered,
): Promise<TransferEvents[]> {
  const named = (accountId: string): string => `${tenantId} ${accountId}`;
  const ids = new Set(transfers.flatMap(({ debitAccountId, creditAccountId }) => [debitAccountId, creditAccountId]));
  const unknown = [...ids].filter((accountId) => !remembered.has(named(accountId)));
  // Another tenant's run may empty what is remembered meanwhile.
  const wallets = new Map([...ids].map((accountId) => [accountId, remembered.get(named(accountId))]));
  const found = unknown.length === 0 ? [] : await store.forTenant(tenantId).findAccounts(unknown);
  if (remembered.size + found.length > maxRemembered) remembered.clear();
  for (const { info } of found) {
    const wallet = walletOf(info);
    wallets.set(info.accountId, wallet);
    remembered.set(named(info.accountId), wallet);
  }
  return transfers.map((transfer): TransferEvents => {
    try {
      return { transfer, events: walletEvents(tenantId, transfer, (accountId) => wallets.get(accountId)) };
    } catch (error) {
      return { transfer, events: [], error };
    }
  });
}

/**
 * One that cannot be told is left for later and holds up none of the others;
 * where none can be, nobody is told.
 */
async function tellOrLeave(options: TellingOptions, tenantId: string, page: readonly TransferEvents[]): Promise<void> {
  const { tellings, log } = options;
  const left: { transfer: Transfer; error: unknown }[] = [];
  for (const { transfer, error } of page) if (error !== undefined) left.push({ transfer, error });
  const sound = page.filter(({ error, events }) => error === undefined && events.length > 0);
  for (const some of chunksOf(sound)) {
    try {
      await publish(
        options,
        tenantId,
        some.flatMap(({ events }) => events),
      );
    } catch (error) {
      if (holdsAll(error)) throw error;
      left.push(...(await apart(options, tenantId, some)));
    }
  }
  if (left.length === 0) return;
  const known = new Set(await tellings.leftOf(tenantId));
  const fresh = left.filter(({ transfer }) => !known.has(transfer.seq));
  if (known.size + fresh.length > maxLeft) throw left[0]?.error;
  await tellings.noteLeft(
    tenantId,
    fresh.map(({ transfer }) => transfer.seq),
  );
  for (const { transfer, error } of fresh) leaveRow(log, "telling", { tenantId, seq: transfer.seq }, error);
}

/** Each by itself: gives those that cannot be told. Throws where that is all of several. */
async function apart(options: TellingOptions, tenantId: string, some: readonly TransferEvents[]) {
  const left: { transfer: Transfer; error: unknown }[] = [];
  for (const { transfer, events } of some) {
    await publish(options, tenantId, events).catch((error: unknown) => {
      if (holdsAll(error)) throw error;
      left.push({ transfer, error });
    });
  }
  if (left.length === some.length && some.length > 1) throw left[0]?.error;
  return left;
}

/** A transfer's events stay together. */
function chunksOf(page: readonly TransferEvents[]): TransferEvents[][] {
  const chunks: TransferEvents[][] = [];
  let size = eventsAtOnce;
  for (const one of page) {
    if (size + one.events.length > eventsAtOnce) {
      chunks.push([]);
      size = 0;
    }
    chunks.at(-1)?.push(one);
    size += one.events.length;
  }
  return chunks;
}

async function publish({ events }: TellingOptions, tenantId: string, some: readonly NewEvent[]): Promise<void> {
  const call = outgoing({ tenantId, interactionId: some[0]?.interactionId ?? "" }, { timeoutMs });
  await events.publishEvents({ events: [...some] }, call);
}
