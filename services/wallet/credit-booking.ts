import { randomUUID } from "node:crypto";
import type { RowHandler } from "../shared/outbox/index.js";
import { Refusal } from "../shared/refusal.js";
import type { BankCredit } from "./connector/bank-connector.js";
import { matchOf, numbersIn, transferOfCredit, type StoredCredit } from "./domain/credit.js";
import { bankSettlement, suspense } from "./domain/transfers.js";
import type { Posting } from "./posting.js";
import type { WalletStore } from "./store.js";

/** Kind of outbox row that books a credit which no bank's list will name again. */
export const bookCredit = "book-credit";

export interface CreditBookingDeps {
  store: WalletStore;
  posting: Posting;
  crashPoint: (name: string) => void;
}

export type CreditBooking = ReturnType<typeof createCreditBooking>;

/** A bank transfer that arrived: decided once whose it is, posted under a key of its id, noted. */
export function createCreditBooking({ store, posting, crashPoint }: CreditBookingDeps) {
  /** Whose it is as things are; nothing is stored. */
  async function decide(tenantId: string, credit: BankCredit): Promise<StoredCredit> {
    const match = matchOf(credit.amount, await store.forTenant(tenantId).accountsByNumber(numbersIn(credit.reference)));
    const decided = "account" in match ? { accountId: match.account.accountId, reason: "" } : { reason: match.reason };
    return { ...credit, status: "TAKEN", ...decided };
  }

  async function book(tenantId: string, taken: StoredCredit): Promise<void> {
    if (taken.status !== "TAKEN") return;
    const wallet = store.forTenant(tenantId);
    const { creditId, amount } = taken;
    const origin = {
      caller: "wallet",
      idempotencyKey: "",
      interactionId: `credit-${randomUUID()}`,
      createdBy: "wallet",
    };
    const accounts = [bankSettlement(amount.currency), suspense(amount.currency)];
    await posting.ensureAccounts(tenantId, origin, accounts, {});
    const posted = await posting.post(tenantId, origin, [transferOfCredit(taken)], {});
    crashPoint("wallet.credit.posted");
    if (posted instanceof Refusal) {
      if (taken.accountId === undefined) throw new Error(`credit ${creditId} cannot be set aside: ${posted.code}`);
      // The wallet was closed since it was taken.
      await wallet.setAside(creditId, posted.code);
      const { accountId: _closed, ...aside } = taken;
      return book(tenantId, { ...aside, reason: posted.code });
    }
    const status = taken.accountId === undefined ? ("UNMATCHED" as const) : ("BOOKED" as const);
    await wallet.moveCredit(creditId, "TAKEN", { status });
    crashPoint("wallet.credit.booked");
  }

  const bookRow: RowHandler = async ({ tenantId, payload }) => {
    const credit = await store.forTenant(tenantId).findCredit(String(payload["creditId"]));
    if (credit !== undefined) await book(tenantId, credit);
  };

  return { decide, book, bookRow };
}
