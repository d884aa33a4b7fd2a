import type { DatabaseSync } from "node:sqlite";
import type { mongo } from "mongoose";
import type { BankTransferStatus, CardChargeStatus } from "../../../deploy/partner/bank-books.js";

/** A document of the wallet with its state. */
export interface StatedRow {
  readonly id: string;
  readonly status: string;
}

/** What wallet and bank have written down about money of wallets. */
export interface WalletBooks {
  readonly payables: readonly (StatedRow & { readonly type: string; readonly paymentId?: string })[];
  readonly movements: readonly (StatedRow & { readonly kind: string; readonly subjectId?: string })[];
  readonly topUps: readonly StatedRow[];
  readonly holds: readonly StatedRow[];
  readonly refunds: readonly StatedRow[];
  readonly tills: readonly StatedRow[];
  readonly credits: readonly StatedRow[];
  /** The bank's own. */
  readonly bankTransfers: readonly { readonly reference: string; readonly status: BankTransferStatus }[];
  readonly charges: readonly { readonly reference: string; readonly status: CardChargeStatus }[];
  readonly bankCredits: readonly { readonly creditId: string }[];
}

type All = (service: string, collection: string) => Promise<mongo.WithId<mongo.Document>[]>;
type WithPartner = <T>(read: (books: DatabaseSync) => T) => T;

/** States in which something still happens by itself. */
const underWay: Readonly<Record<string, readonly string[]>> = {
  payables: ["PAYING", "SENDING"],
  movements: ["PENDING"],
  topUps: ["PENDING"],
  holds: ["HOLDING", "CONFIRMING", "RELEASING"],
  refunds: ["ASKED", "POSTING"],
  tills: ["OPENING", "CLOSING"],
  credits: ["TAKEN", "ASSIGNING"],
};

export async function readWalletBooks(tenantId: string, all: All, withPartner: WithPartner): Promise<WalletBooks> {
  const stated = async <T extends StatedRow>(collection: string, idOf = "_id") =>
    (await all("wallet", collection)).map((row) => ({ ...row, id: String(row[idOf]) })) as unknown as T[];
  const atBank = <T>(table: string) =>
    withPartner((books) => books.prepare(`SELECT * FROM ${table} WHERE account = ?`).all(tenantId) as unknown as T[]);
  return {
    payables: await stated("payables"),
    movements: await stated("movements"),
    topUps: await stated("top_ups"),
    holds: await stated("holds"),
    refunds: await stated("refunds"),
    tills: await stated("tills"),
    credits: await stated("bank_credits", "creditId"),
    bankTransfers: atBank("bank_transfers"),
    charges: atBank("card_charges"),
    bankCredits: atBank("bank_credits"),
  };
}

/** What of wallets has to go on by itself. */
export function unfinishedOf(books: WalletBooks): string[] {
  const found = Object.entries(underWay).flatMap(([name, states]) =>
    (books[name as keyof WalletBooks] as readonly StatedRow[])
      .filter(({ status }) => states.includes(status))
      .map(({ id, status }) => `${name}: ${id} is ${status}`),
  );
  const known = new Set(books.credits.map(({ id }) => id));
  const unread = books.bankCredits.filter(({ creditId }) => !known.has(creditId));
  const stateOf = new Map(books.payables.map(({ id, status }) => [id, status]));
  const stored = books.bankTransfers.filter(
    ({ reference, status, next }: { reference: string; status: string; next?: string }) =>
      (status === "RETURNED" || next === "RETURNED") && stateOf.get(reference) !== "RETURNED",
  );
  return [
    ...found,
    ...unread.map(({ creditId }) => `credit ${creditId} has not been read`),
    ...stored.map(({ reference }) => `withdrawal ${reference} came back and is not booked`),
  ];
}
