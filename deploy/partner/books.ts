import type { DatabaseSync } from "node:sqlite";
import { openBooksFile } from "./books-file.js";

/** What the payout network has recorded of one payout. Amounts are decimal text in `currency`. */
export interface PayoutRecord {
  account: string;
  reference: string;
  payoutId: string;
  amount: string;
  currency: string;
  /** Hash of what was asked; the same reference with other content is refused. */
  content: string;
  status: PayoutStatus;
  reason: string;
  /** What was kept of a returned payout, decimal text in `currency`. */
  kept: string;
  /** What happens next by itself, and when (epoch ms); "" when nothing does. */
  next: PayoutStatus | "";
  dueAt: number;
  /** Callbacks a change: 2 for a network that calls twice. */
  tellTimes: number;
  callbackUrl: string;
  createdAt: number;
  changedAt: number;
}

export type PayoutStatus = "ACCEPTED" | "PAID" | "REFUSED" | "RECALLED" | "RETURNED";

export interface StatementLine {
  lineId: number;
  account: string;
  reference: string;
  payoutId: string;
  kind: "PAYOUT" | "RETURN";
  amount: string;
  currency: string;
  at: number;
}

export interface CallbackRecord {
  callbackId: string;
  url: string;
  body: string;
  attempts: number;
  dueAt: number;
}

/** Who pays and who is paid, of an order of contract 2; each as JSON text. */
export interface PartiesRecord {
  account: string;
  reference: string;
  originator: string;
  beneficiary: string;
}

/** Whom an order's creditParty names as the holder of the account. */
export interface HolderRecord {
  account: string;
  reference: string;
  holder: string;
}

export interface AmendmentRecord {
  account: string;
  reference: string;
  amendmentId: string;
  /** Hash of what was asked; the same id with other content is refused. */
  content: string;
  status: "ACCEPTED" | "DONE" | "REFUSED";
  reason: string;
}

export type Books = ReturnType<typeof openBooks>;

/**
 * The partner's own books, in one SQLite file that nobody else opens: they outlive every process of
 * the platform and the platform's databases, which is what makes them worth reconciling against.
 * `onChange` is called where something may be due sooner than before.
 */
export function openBooks(file: string, onChange: () => void = () => undefined) {
  const db = openBooksFile(file, schema);
  const statements = prepare(db);

  function inTransaction<T>(work: () => T): T {
    db.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      db.exec("COMMIT");
      return result;
    } catch (error) {
      db.exec("ROLLBACK");
      throw error;
    }
  }

  return {
    inTransaction,
    find: (account: string, reference: string) => statements.find.get(account, reference) as PayoutRecord | undefined,
    insert: (payout: PayoutRecord) => {
      statements.insert.run({ ...payout });
      onChange();
    },
    update: (payout: PayoutRecord) => {
      const { account, reference, status, reason, kept, next, dueAt, changedAt } = payout;
      statements.update.run({ account, reference, status, reason, kept, next, dueAt, changedAt });
      onChange();
    },
    findParties: (account: string, reference: string) =>
      statements.findParties.get(account, reference) as PartiesRecord | undefined,
    putParties: (parties: PartiesRecord) => void statements.putParties.run({ ...parties }),
    putHolder: (holder: HolderRecord) => void statements.putHolder.run({ ...holder }),
    findAmendment: (account: string, reference: string, amendmentId: string) =>
      statements.findAmendment.get(account, reference, amendmentId) as AmendmentRecord | undefined,
    putAmendment: (amendment: AmendmentRecord) => void statements.putAmendment.run({ ...amendment }),
    due: (now: number) => statements.due.all(now) as unknown as PayoutRecord[],
    /**
     * When the next payout changes or the next callback goes out, in epoch
     * ms; undefined where none waits.
     */
    nextDueAt: (): number | undefined => (statements.nextDue.get() as { at: number | null }).at ?? undefined,
    addLine: (payout: PayoutRecord, kind: StatementLine["kind"], amount: string, at: number) =>
      void statements.addLine.run(payout.account, payout.reference, payout.payoutId, kind, amount, payout.currency, at),
    lines: (account: string, from: number, to: number, after: number, limit: number) =>
      statements.lines.all(account, from, to, after, limit) as unknown as StatementLine[],
    addCallback: ({ callbackId, url, body, attempts, dueAt }: CallbackRecord) => {
      statements.addCallback.run(callbackId, url, body, attempts, dueAt);
      onChange();
    },
    dueCallbacks: (now: number) => statements.dueCallbacks.all(now) as unknown as CallbackRecord[],
    postponeCallback: (callbackId: string, dueAt: number) => void statements.postponeCallback.run(dueAt, callbackId),
    removeCallback: (callbackId: string) => void statements.removeCallback.run(callbackId),
    close: () => db.close(),
  };
}

const schema = `
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS payouts (
    account TEXT NOT NULL, reference TEXT NOT NULL, payoutId TEXT NOT NULL, amount TEXT NOT NULL, currency TEXT NOT NULL,
    content TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL, kept TEXT NOT NULL, next TEXT NOT NULL,
    dueAt INTEGER NOT NULL, tellTimes INTEGER NOT NULL, callbackUrl TEXT NOT NULL, createdAt INTEGER NOT NULL,
    changedAt INTEGER NOT NULL, PRIMARY KEY (account, reference)
  );
  CREATE INDEX IF NOT EXISTS payouts_due ON payouts (dueAt) WHERE next <> '';
  CREATE TABLE IF NOT EXISTS payout_parties (
    account TEXT NOT NULL, reference TEXT NOT NULL, originator TEXT NOT NULL, beneficiary TEXT NOT NULL,
    PRIMARY KEY (account, reference)
  );
  CREATE TABLE IF NOT EXISTS payout_holders (
    account TEXT NOT NULL, reference TEXT NOT NULL, holder TEXT NOT NULL, PRIMARY KEY (account, reference)
  );
  CREATE TABLE IF NOT EXISTS payout_amendments (
    account TEXT NOT NULL, reference TEXT NOT NULL, amendmentId TEXT NOT NULL, content TEXT NOT NULL, status TEXT NOT NULL,
    reason TEXT NOT NULL, PRIMARY KEY (account, reference, amendmentId)
  );
  CREATE TABLE IF NOT EXISTS statement (
    lineId INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, reference TEXT NOT NULL, payoutId TEXT NOT NULL,
    kind TEXT NOT NULL, amount TEXT NOT NULL, currency TEXT NOT NULL, at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS statement_account ON statement (account, lineId);
  CREATE TABLE IF NOT EXISTS callbacks (
    callbackId TEXT PRIMARY KEY, url TEXT NOT NULL, body TEXT NOT NULL, attempts INTEGER NOT NULL, dueAt INTEGER NOT NULL
  );
`;

function prepare(db: DatabaseSync) {
  return {
    find: db.prepare("SELECT * FROM payouts WHERE account = ? AND reference = ?"),
    insert:
      db.prepare(`INSERT INTO payouts VALUES (:account, :reference, :payoutId, :amount, :currency, :content, :status,
      :reason, :kept, :next, :dueAt, :tellTimes, :callbackUrl, :createdAt, :changedAt)`),
    update:
      db.prepare(`UPDATE payouts SET status = :status, reason = :reason, kept = :kept, next = :next, dueAt = :dueAt,
      changedAt = :changedAt WHERE account = :account AND reference = :reference`),
    findParties: db.prepare("SELECT * FROM payout_parties WHERE account = ? AND reference = ?"),
    putParties: db.prepare(
      "INSERT OR REPLACE INTO payout_parties VALUES (:account, :reference, :originator, :beneficiary)",
    ),
    putHolder: db.prepare("INSERT OR REPLACE INTO payout_holders VALUES (:account, :reference, :holder)"),
    findAmendment: db.prepare(
      "SELECT * FROM payout_amendments WHERE account = ? AND reference = ? AND amendmentId = ?",
    ),
    putAmendment: db.prepare(
      "INSERT OR REPLACE INTO payout_amendments VALUES (:account, :reference, :amendmentId, :content, :status, :reason)",
    ),
    due: db.prepare("SELECT * FROM payouts WHERE next <> '' AND dueAt <= ? ORDER BY dueAt LIMIT 200"),
    nextDue: db.prepare(
      "SELECT MIN(at) AS at FROM (SELECT MIN(dueAt) AS at FROM payouts WHERE next <> '' UNION ALL SELECT MIN(dueAt) FROM callbacks)",
    ),
    addLine: db.prepare(
      "INSERT INTO statement (account, reference, payoutId, kind, amount, currency, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
    ),
    lines: db.prepare(
      "SELECT * FROM statement WHERE account = ? AND at >= ? AND at < ? AND lineId > ? ORDER BY lineId LIMIT ?",
    ),
    addCallback: db.prepare("INSERT INTO callbacks VALUES (?, ?, ?, ?, ?)"),
    dueCallbacks: db.prepare("SELECT * FROM callbacks WHERE dueAt <= ? ORDER BY dueAt LIMIT 50"),
    postponeCallback: db.prepare("UPDATE callbacks SET attempts = attempts + 1, dueAt = ? WHERE callbackId = ?"),
    removeCallback: db.prepare("DELETE FROM callbacks WHERE callbackId = ?"),
  };
}
