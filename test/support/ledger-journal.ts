import { randomUUID } from "node:crypto";
import type { ClientSession, Connection } from "mongoose";
import { chartRow } from "../../services/ledger/domain/chart.js";
import type { Calendar } from "../../services/ledger/domain/days.js";
import { createCacheBudget } from "../../services/ledger/journal/cache.js";
import { createJournal, type Journal, type JournalLimits } from "../../services/ledger/journal/journal.js";
import type {
  AccountFlag,
  AccountInfo,
  Decision,
  LinkedGroup,
  NewTransfer,
} from "../../services/ledger/domain/model.js";
import { createJournalStore } from "../../services/ledger/store/journal.js";
import { createLedgerStore } from "../../services/ledger/store/index.js";
import { storedJournal } from "../../services/ledger/audit/stored-journal.js";
import { verifyJournal, type VerifyOptions } from "../../services/ledger/audit/verify.js";
import { silentLog, testTenant } from "./index.js";

interface Limits {
  readonly maxQueuedTransfers?: number;
  readonly maxCachedAccounts?: number;
}

interface Given {
  limits?: Limits;
  now?: () => Date;
  /** Of the tenant; UTC and real time when absent. */
  calendar?: () => Calendar;
  doubtMs?: number;
  /** Of a journal that exists, with its epoch. */
  tenantId?: string;
  epoch?: bigint;
}

/** A journal of a fresh tenant, past leases: `open` makes another owner with a later epoch. */
export async function openLedger(db: Connection, given: Given = {}) {
  const tenantId = given.tenantId ?? testTenant();
  const journalStore = createJournalStore(db, tenantId);
  const store = createLedgerStore(db).forTenant(tenantId);
  const sessions: ClientSession[] = [];
  let epoch = given.epoch ?? 0n;

  async function open(overrides: Partial<typeof journalStore> = {}) {
    epoch += 1n;
    const session = await db.startSession();
    sessions.push(session);
    const lost: unknown[] = [];
    const journal = createJournal({
      store: { ...journalStore, ...overrides },
      session,
      head: await journalStore.raiseEpoch(epoch),
      clock: { now: given.now ?? (() => new Date()) },
      calendar: given.calendar?.() ?? { timeZone: "UTC", aheadMs: 0 },
      limits: limitsOf(given.limits),
      log: silentLog,
      doubtMs: given.doubtMs,
      onLost: (reason) => lost.push(reason),
    });
    return { journal, lost };
  }

  return {
    tenantId,
    store,
    journalStore,
    open,
    async close() {
      for (const session of sessions) await session.endSession();
    },
    commits: async () => (await journalStore.findHead())?.group ?? 0n,
    figures: async (id: string) => (await store.findAccounts([id]))[0]!.figures,
    verify: (options?: VerifyOptions) => verifyJournal(storedJournal(store, tenantId), options),
    /** A wallet that cannot go below zero for each id, and `bank`, which can. */
    async accounts(ids: string[], flags: AccountFlag[] = ["DEBITS_MUST_NOT_EXCEED_CREDITS"]) {
      const info = (accountId: string, code: string, accountFlags: AccountFlag[]): AccountInfo => ({
        ...chartRow(code)!,
        accountId,
        code,
        currency: "USD",
        name: "",
        ownerId: "",
        flags: accountFlags,
        metadata: [],
        createdAt: new Date(),
      });
      const wallets = ids.map((id) => info(id, "customer_wallet", flags));
      await store.ensureAccounts([info("bank", "bank_settlement", []), ...wallets]);
    },
  };
}

function limitsOf({ maxQueuedTransfers = 20_000, maxCachedAccounts = 1_000 }: Limits = {}): JournalLimits {
  return { maxQueuedTransfers, cache: createCacheBudget(maxCachedAccounts) };
}

export function move(
  debitAccountId: string,
  creditAccountId: string,
  minor: bigint,
  more: Partial<NewTransfer> = {},
): NewTransfer {
  const amount = { minor, currency: "USD" };
  const about = { kind: "test", refersTo: "", description: "", metadata: [] };
  return { key: randomUUID(), mode: "POSTED", debitAccountId, creditAccountId, amount, ...about, ...more };
}

export function linked(...transfers: NewTransfer[]): LinkedGroup {
  return { transfers, createdBy: "user-1", interactionId: "interaction-1", service: "wallet" };
}

export function codeOf(decision: Decision): string {
  return decision.kind === "refused" ? decision.refusal.code : "POSTED";
}

/** Puts money into an account from `bank`. */
export async function fund(journal: Journal, accountId: string, minor: bigint): Promise<void> {
  expect(codeOf(await journal.post(linked(move("bank", accountId, minor))))).toBe("POSTED");
}
