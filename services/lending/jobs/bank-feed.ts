import type { AmountCeilings } from "../../platform/preferences/amount-ceilings.js";
import type { BankConnector, BankCredit } from "../../platform/banks/bank-connector.js";
import { creditIdAt, type OwnPartner } from "../../platform/banks/own-partner.js";
import type { Takers } from "../../platform/banks/partners-of-kind.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Clock } from "../../kernel/time/clock.js";
import { leaveRow } from "../../kernel/outbox/left-rows.js";
import type { Logger } from "../../kernel/process/log.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { passesByItself } from "../../kernel/outbox/patience.js";
import { reportChanged, reportUnreadable } from "../../platform/banks/bank-credits.js";
import type { Credit } from "../domain/credit.js";
import { comparableReference } from "../domain/repayment.js";
import type { LendingStore } from "../store/index.js";
import { cursorOf } from "../store/tenants.js";
import type { CreditMatching } from "./credit-matching.js";
import { bankDecision, type Suspense } from "./suspense.js";

export interface BankFeedDeps {
  store: LendingStore;
  matching: CreditMatching;
  suspense: Pick<Suspense, "put">;
  bank: Pick<BankConnector, "credits">;
  banks: Pick<Takers, "allOf">;
  businessClock: BusinessClock;
  ceilings: Pick<AmountCeilings, "passedBy">;
  outbox: Pick<Outbox, "runNow">;
  clock: Clock;
  log: Logger;
  crashPoint: (name: string) => void;
}

// A tenant's own bank that hangs, or whose list has no end, must not keep others' from being read.
const readAtOnce = 4;
const readOwnForMs = 10_000;

export type BankFeed = ReturnType<typeof createBankFeed>;

/**
 * Reads what arrives at the tenant's bank for loans: each credit once, to the repayment or payoff
 * that it is, or into suspense.
 */
export function createBankFeed(deps: BankFeedDeps) {
  const { store, matching, suspense, bank, banks, businessClock, ceilings, outbox, clock, log, crashPoint } = deps;

  async function take(tenantId: string, partner: OwnPartner | undefined, arrived: BankCredit): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const time = await businessClock.forTenant(tenantId);
    const { creditId, reference, amount, senderName, receivedAt } = arrived;
    const plain = { creditId, reference, senderName, receivedAt, amountMinor: amount.minor, currency: amount.currency };
    const credit = { ...plain, matchReference: comparableReference(reference), ...(partner && { partner }) };
    const decision = bankDecision(time, clock.now(), { creditId, isInSuspense: false, partner });
    // The bank has it already: it waits in suspense, and what nobody would have let in takes no
    // room of others.
    const passed = await ceilings.passedBy({ tenantId, interactionId: decision.interactionId }, amount);
    const isApart = passed === "OPERATOR";
    // A sandbox's business time runs ahead of the bank's.
    const aheadMs = time.now().getTime() - clock.now().getTime();
    const arrivedAt = new Date(receivedAt.getTime() + aheadMs);
    const arrival = { arrivedAt, time, isWithinCeiling: passed === undefined, decision };
    const write = (isMatched: boolean) =>
      store.transaction<string | Credit>(
        async (session) => {
          const known = await tenant.findCredit(creditId, session);
          if (known !== undefined) return known;
          const found = isMatched ? await matching.match(tenantId, credit, arrival, session) : credit;
          return typeof found === "string" ? found : suspense.put(tenantId, found, decision, isApart, session);
        },
        () => tenant.findCredit(creditId),
      );
    const taken = await write(!isApart).catch((error: unknown) => {
      if (isApart || passesByItself(error)) throw error;
      // What it would pay is out of order: it waits in suspense, and those behind it are taken.
      leaveRow(log, "bank credits", { tenantId, creditId }, error);
      return write(false);
    });
    crashPoint("lending.credit.taken");
    if (typeof taken === "string") return outbox.runNow(tenantId, taken);
    const { amountMinor, currency, ...known } = taken;
    reportChanged({ ...known, amount: { minor: amountMinor, currency } }, arrived, tenantId, log);
  }

  /**
   * Takes what has arrived since the last look; stops where nothing can be
   * taken for now, which comes again.
   */
  async function readList(tenantId: string, at: OwnPartner | undefined): Promise<void> {
    const until = at === undefined ? Infinity : performance.now() + readOwnForMs;
    while (performance.now() < until) {
      const row = await store.forTenant(tenantId).findTenant();
      if (row === null) return;
      const cursor = cursorOf(row, at);
      const { credits, unreadable, nextCursor } = await bank.credits(cursor, { tenantId, at });
      if (credits.length + unreadable.length === 0) return;
      for (const credit of credits) {
        await take(tenantId, at, { ...credit, creditId: creditIdAt(at, credit.creditId) });
      }
      reportUnreadable(unreadable, tenantId, log);
      // A page that is its own next one has been read.
      if (nextCursor === cursor) return;
      if (!(await store.forTenant(tenantId).moveCreditCursor(at, cursor, nextCursor))) return;
    }
  }

  /**
   * All of a tenant's banks; one that is away does not keep the
   * others. Throws what one of them did.
   */
  async function read(tenantId: string): Promise<void> {
    const all = await banks.allOf(tenantId, "credits");
    const reads = await Promise.allSettled(all.map((at) => readList(tenantId, at)));
    const failed = reads.find((read) => read.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  return {
    read,
    /** All tenants, a few at a time; one whose bank is away does not keep the others. */
    async readAll(): Promise<void> {
      const tenants = (await store.listTenants()).values();
      const work = async () => {
        for (const { tenantId } of tenants) {
          await read(tenantId).catch((error: unknown) => {
            log.info({ err: error, tenantId }, "the bank's credits are read later");
          });
        }
      };
      await Promise.all(Array.from({ length: readAtOnce }, work));
    },
  };
}
