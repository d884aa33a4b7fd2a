import type { BankConnector, BankCredit } from "../../platform/banks/bank-connector.js";
import { creditIdAt, type OwnPartner } from "../../platform/banks/own-partner.js";
import type { Takers } from "../../platform/banks/partners-of-kind.js";
import type { Clock } from "../../kernel/time/clock.js";
import type { Logger } from "../../kernel/process/log.js";
import { workOff, type Due } from "../../kernel/polling/work-off.js";
import { reportChanged, reportUnreadable } from "../../platform/banks/bank-credits.js";
import { Refusal } from "../../kernel/refusal.js";
import type { CreditReader } from "../domain/credit.js";
import type { WalletStore } from "../store/index.js";
import type { CreditBooking } from "./credit-booking.js";

export interface CreditReaderOptions {
  store: WalletStore;
  credits: Pick<CreditBooking, "take">;
  bank: Pick<BankConnector, "credits">;
  banks: Pick<Takers, "allOf">;
  clock: Clock;
  log: Logger;
  /** How often each tenant's bank is read, ms. */
  everyMs?: number | undefined;
  /** How often it looks which banks are due, ms. */
  pollMs?: number | undefined;
}

// A tenant's own bank that hangs, or whose list has no end, must not keep others' from being read.
const readAtOnce = 4;
const readOwnForMs = 10_000;

export type CreditReaders = ReturnType<typeof startCreditReaders>;

/**
 * Reads what arrived at tenants' banks and books it to the wallets that the references name,
 * or to suspense. A credit is taken with its decision and the row that books it; the cursor
 * moves on after a whole page. Any number of replicas may read and die at any line, since what
 * is read again is known already.
 */
export function startCreditReaders(options: CreditReaderOptions) {
  const { store, credits, bank, banks, clock, log, everyMs = 60_000 } = options;
  const { pollMs = Math.min(5_000, everyMs / 2) } = options;
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;

  /** What is known stays as it is. */
  async function takeAll(tenantId: string, at: OwnPartner | undefined, listed: readonly BankCredit[]): Promise<void> {
    if (listed.length === 0) return;
    const found = await store.forTenant(tenantId).findCredits(listed.map(({ creditId }) => creditId));
    const known = new Map(found.map((credit) => [credit.creditId, credit]));
    for (const credit of listed) {
      const stored = known.get(credit.creditId) ?? (await credits.take(tenantId, at, credit));
      reportChanged(stored, credit, tenantId, log);
    }
  }

  async function readList(tenantId: string, at: OwnPartner | undefined, cursor: string): Promise<void> {
    const wallet = store.forTenant(tenantId);
    const until = at === undefined ? Infinity : performance.now() + readOwnForMs;
    let after = cursor;
    while (!stopping.signal.aborted && performance.now() < until) {
      const page = await bank.credits(after, { tenantId, at });
      const named = (credit: BankCredit) => ({ ...credit, creditId: creditIdAt(at, credit.creditId) });
      await takeAll(tenantId, at, page.credits.map(named));
      if (page.nextCursor === after) return;
      reportUnreadable(page.unreadable, tenantId, log);
      after = page.nextCursor;
      await wallet.setCursor(at, after);
      if (page.credits.length + page.unreadable.length === 0) return;
    }
  }

  /** One that is away keeps no other from being read. */
  async function readAllOf({ tenantId, cursor }: CreditReader): Promise<void> {
    const all = await banks.allOf(tenantId, "credits");
    const readOne = async (at: OwnPartner | undefined) =>
      readList(tenantId, at, at === undefined ? cursor : await store.forTenant(tenantId).cursorOf(at));
    await Promise.all(
      all.map(async (at) => {
        await readOne(at).catch((error: unknown) => notRead(error, tenantId, at?.installationId));
      }),
    );
  }

  function notRead(error: unknown, tenantId: string, installationId?: string): void {
    const level = error instanceof Refusal && error.code === "UNAVAILABLE" ? "debug" : "warn";
    log[level]({ err: error, tenantId, installationId }, "a bank could not be read, will be tried again");
  }

  const due: Due<CreditReader> = {
    clock,
    takenForMs: everyMs,
    take: store.takeDueReader,
    work: (reader) => readAllOf(reader).catch((error: unknown) => notRead(error, reader.tenantId)),
    atOnce: readAtOnce,
    signal: stopping.signal,
  };

  const timer = setInterval(() => {
    running ??= workOff(due)
      .catch((error: unknown) => log.warn({ err: error }, "banks could not be read"))
      .finally(() => (running = undefined));
  }, pollMs);
  timer.unref();

  const known = new Set<string>();
  return {
    /** From now on this tenant's bank is read. */
    async begin(tenantId: string): Promise<void> {
      if (known.has(tenantId)) return;
      await store.forTenant(tenantId).ensureReader(clock.now());
      if (known.size > 10_000) known.clear();
      known.add(tenantId);
    },
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}
