import type { DatabaseSync } from "node:sqlite";
import { openBooksFile } from "./books-file.js";

export type BankTransferStatus = "ACCEPTED" | "PAID" | "REFUSED" | "RETURNED";
export type CardChargeStatus = "PENDING" | "CAPTURED" | "REFUSED";

/** A transfer that the bank was asked to make. Amounts are decimal text in `currency`. */
export interface BankTransferRecord {
  account: string;
  reference: string;
  /** Hash of what was asked; the same reference with other content is refused. */
  content: string;
  status: BankTransferStatus;
  reason: string;
  /** What happens next by itself, and when (epoch ms); "" when nothing does. */
  next: BankTransferStatus | "";
  dueAt: number;
  /** For a return: how long after its payment, ms; -1 for never. */
  returnAfterMs: number;
}

/** A transfer that arrived at the bank for one of the platform's tenants. */
export interface CreditRecord {
  /** Grows; the cursor of who reads. */
  sequence: number;
  creditId: string;
  account: string;
  collection: string;
  reference: string;
  amount: string;
  currency: string;
  senderName: string;
  senderAccountNumber: string;
  receivedAt: number;
}

/** Somebody's entry in the country's register of bank verification numbers. */
export interface BvnRecord {
  /** The platform's tenant that put it there; "" for an entry of everybody's. */
  account: string;
  bvn: string;
  country: string;
  firstName: string;
  lastName: string;
  dateOfBirth: string;
  phoneNumber: string;
}

/** An account as its bank knows it; one that is not registered belongs to its named holder. */
export interface BankAccountRecord {
  bankCode: string;
  accountNumber: string;
  accountHolderName: string;
  status: string;
}

export interface CardChargeRecord {
  account: string;
  reference: string;
  content: string;
  status: CardChargeStatus;
  reason: string;
}

/** A card on file. Customer "" is the account's default, of every customer who has none. */
export interface StoredCardRecord {
  account: string;
  customer: string;
  cardToken: string;
}

export type BankBooks = ReturnType<typeof openBankBooks>;

/** The bank's own record, in the partner's SQLite file. */
export function openBankBooks(file: string) {
  const db = openBooksFile(file, schema);
  const sql = prepare(db);
  return {
    findTransfer: (account: string, reference: string) =>
      sql.findTransfer.get(account, reference) as BankTransferRecord | undefined,
    insertTransfer: (transfer: BankTransferRecord) => void sql.insertTransfer.run({ ...transfer }),
    /** Who is paid by whom, as JSON text. */
    putParties: (record: { account: string; reference: string; parties: string }) => void sql.putParties.run(record),
    findParties: (account: string, reference: string) =>
      (sql.findParties.get(account, reference) as { parties: string } | undefined)?.parties,
    moveTransfer: ({ account, reference, status, next, dueAt }: BankTransferRecord) =>
      void sql.moveTransfer.run({ account, reference, status, next, dueAt }),
    addCredit: (credit: Omit<CreditRecord, "sequence">) => void sql.addCredit.run({ ...credit }),
    findCredit: (creditId: string) => sql.findCredit.get(creditId) as CreditRecord | undefined,
    credits: (account: string, collection: string, after: number, limit: number) =>
      sql.credits.all(account, collection, after, limit) as unknown as CreditRecord[],
    /** A tenant's own entry before everybody's. */
    findBvn: (account: string, bvn: string, country: string) =>
      sql.findBvn.get(bvn, country, account) as BvnRecord | undefined,
    putBvn: (record: BvnRecord) => void sql.putBvn.run({ ...record }),
    findAccount: (bankCode: string, accountNumber: string) =>
      sql.findAccount.get(bankCode, accountNumber) as BankAccountRecord | undefined,
    putAccount: (record: BankAccountRecord) => void sql.putAccount.run({ ...record }),
    findCharge: (account: string, reference: string) =>
      sql.findCharge.get(account, reference) as CardChargeRecord | undefined,
    insertCharge: (charge: CardChargeRecord) => void sql.insertCharge.run({ ...charge }),
    settleCharge: (account: string, reference: string, status: CardChargeStatus, reason: string) =>
      Number(sql.settleCharge.run(status, reason, account, reference).changes) === 1,
    /** The customer's card, else the account's default; "" where it was said that there is none. */
    findCard: (account: string, customer: string) =>
      (sql.findCard.get(account, customer) as { cardToken: string } | undefined)?.cardToken,
    putCard: (card: StoredCardRecord) => void sql.putCard.run({ ...card }),
    close: () => db.close(),
  };
}

const schema = `
  CREATE TABLE IF NOT EXISTS bank_transfers (
    account TEXT NOT NULL, reference TEXT NOT NULL, content TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL,
    next TEXT NOT NULL, dueAt INTEGER NOT NULL, returnAfterMs INTEGER NOT NULL, PRIMARY KEY (account, reference)
  );
  CREATE TABLE IF NOT EXISTS bank_parties (
    account TEXT NOT NULL, reference TEXT NOT NULL, parties TEXT NOT NULL, PRIMARY KEY (account, reference)
  );
  CREATE TABLE IF NOT EXISTS bank_credits (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, creditId TEXT NOT NULL UNIQUE, account TEXT NOT NULL, collection TEXT NOT NULL,
    reference TEXT NOT NULL, amount TEXT NOT NULL, currency TEXT NOT NULL, senderName TEXT NOT NULL,
    senderAccountNumber TEXT NOT NULL, receivedAt INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS bank_credits_account ON bank_credits (account, collection, sequence);
  CREATE TABLE IF NOT EXISTS bvn_register (
    account TEXT NOT NULL, bvn TEXT NOT NULL, country TEXT NOT NULL, firstName TEXT NOT NULL, lastName TEXT NOT NULL, dateOfBirth TEXT NOT NULL,
    phoneNumber TEXT NOT NULL, PRIMARY KEY (bvn, country, account)
  );
  CREATE TABLE IF NOT EXISTS bank_accounts (
    bankCode TEXT NOT NULL, accountNumber TEXT NOT NULL, accountHolderName TEXT NOT NULL, status TEXT NOT NULL,
    PRIMARY KEY (bankCode, accountNumber)
  );
  CREATE TABLE IF NOT EXISTS card_charges (
    account TEXT NOT NULL, reference TEXT NOT NULL, content TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (account, reference)
  );
  CREATE TABLE IF NOT EXISTS stored_cards (
    account TEXT NOT NULL, customer TEXT NOT NULL, cardToken TEXT NOT NULL, PRIMARY KEY (account, customer)
  );
`;

function prepare(db: DatabaseSync) {
  return {
    findTransfer: db.prepare("SELECT * FROM bank_transfers WHERE account = ? AND reference = ?"),
    insertTransfer: db.prepare(
      "INSERT INTO bank_transfers VALUES (:account, :reference, :content, :status, :reason, :next, :dueAt, :returnAfterMs)",
    ),
    putParties: db.prepare("INSERT OR REPLACE INTO bank_parties VALUES (:account, :reference, :parties)"),
    findParties: db.prepare("SELECT parties FROM bank_parties WHERE account = ? AND reference = ?"),
    moveTransfer: db.prepare(
      "UPDATE bank_transfers SET status = :status, next = :next, dueAt = :dueAt WHERE account = :account AND reference = :reference",
    ),
    addCredit: db.prepare(
      `INSERT INTO bank_credits (creditId, account, collection, reference, amount, currency, senderName, senderAccountNumber, receivedAt)
       VALUES (:creditId, :account, :collection, :reference, :amount, :currency, :senderName, :senderAccountNumber, :receivedAt)`,
    ),
    findCredit: db.prepare("SELECT * FROM bank_credits WHERE creditId = ?"),
    credits: db.prepare(
      "SELECT * FROM bank_credits WHERE account = ? AND collection = ? AND sequence > ? ORDER BY sequence LIMIT ?",
    ),
    findBvn: db.prepare(
      "SELECT * FROM bvn_register WHERE bvn = ? AND country = ? AND account IN (?, '') ORDER BY account DESC LIMIT 1",
    ),
    putBvn: db.prepare(
      "INSERT OR REPLACE INTO bvn_register VALUES (:account, :bvn, :country, :firstName, :lastName, :dateOfBirth, :phoneNumber)",
    ),
    findAccount: db.prepare("SELECT * FROM bank_accounts WHERE bankCode = ? AND accountNumber = ?"),
    putAccount: db.prepare(
      "INSERT OR REPLACE INTO bank_accounts VALUES (:bankCode, :accountNumber, :accountHolderName, :status)",
    ),
    findCharge: db.prepare("SELECT * FROM card_charges WHERE account = ? AND reference = ?"),
    insertCharge: db.prepare("INSERT INTO card_charges VALUES (:account, :reference, :content, :status, :reason)"),
    findCard: db.prepare(
      "SELECT cardToken FROM stored_cards WHERE account = ? AND customer IN (?, '') ORDER BY customer DESC LIMIT 1",
    ),
    putCard: db.prepare("INSERT OR REPLACE INTO stored_cards VALUES (:account, :customer, :cardToken)"),
    settleCharge: db.prepare(
      "UPDATE card_charges SET status = ?, reason = ? WHERE account = ? AND reference = ? AND status = 'PENDING'",
    ),
  };
}
