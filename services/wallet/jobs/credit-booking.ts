import { randomUUID } from "node:crypto";
import type { AmountCeilings } from "../../platform/preferences/amount-ceilings.js";
import type { OwnPartner } from "../../platform/banks/own-partner.js";
import type { BankCredit } from "../../platform/banks/bank-connector.js";
import type { CustomerMoves } from "../../platform/neighbours/customer-moves.js";
import { leaveRow } from "../../kernel/outbox/left-rows.js";
import type { Logger } from "../../kernel/process/log.js";
import { isDuplicateKey } from "../../kernel/mongo/transaction.js";
import type { Outbox, OutboxRow, RowHandler } from "../../kernel/outbox/index.js";
import { passesByItself } from "../../kernel/outbox/patience.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Posting } from "../clients/posting.js";
import {
  accountsOfCredit,
  heldByCredit,
  matchOf,
  numbersIn,
  transferOfCredit,
  type StoredCredit,
} from "../domain/credit.js";
import { heldAccount, transferOfHeld } from "../domain/held-arrival.js";
import type { HeldArrivals } from "../sagas/held-arrivals.js";
import { rowKinds } from "../row-kinds.js";
import type { Session } from "../store/collections.js";
import type { WalletStore } from "../store/index.js";

export interface CreditBookingDeps {
  store: WalletStore;
  posting: Posting;
  ceilings: Pick<AmountCeilings, "passedBy">;
  moves: CustomerMoves;
  heldArrivals: Pick<HeldArrivals, "note">;
  outbox: Pick<Outbox, "add" | "wakeSoon">;
  log: Logger;
  crashPoint: (name: string) => void;
}

export type CreditBooking = ReturnType<typeof createCreditBooking>;

/** With the tenant's own bank that it arrived at; the operator's where absent. */
type ArrivedCredit = BankCredit & Pick<StoredCredit, "partner">;

type Origin = Pick<OutboxRow, "tenantId" | "interactionId" | "actor">;

/**
 * Books a bank transfer that arrived: taken once with the decision whose it is and the row that
 * books it, posted under a key of its id, noted.
 */
export function createCreditBooking(deps: CreditBookingDeps) {
  const { store, posting, ceilings, moves, heldArrivals, outbox, log, crashPoint } = deps;
  const originOf = (tenantId: string) => ({ tenantId, interactionId: `credit-${randomUUID()}`, actor: "wallet" });

  /** With the row that books it: its bank may be gone before anybody reads its list again. */
  async function insert(taken: StoredCredit, origin: Origin, session: Session): Promise<void> {
    await store.forTenant(origin.tenantId).insertCredit(taken, session);
    const { creditId } = taken;
    const row = { aggregate: `credit:${creditId}`, seq: 1, kind: rowKinds.bookCredit, payload: { creditId } };
    await outbox.add({ ...origin, ...row }, session);
  }

  /**
   * Takes what a bank's list names, once, and gives it as it was first taken: that decision stands.
   */
  async function take(tenantId: string, at: OwnPartner | undefined, listed: BankCredit): Promise<StoredCredit> {
    const { creditId } = listed;
    const credit = { ...listed, ...(at && { partner: at }) };
    const find = () => store.forTenant(tenantId).findCredit(creditId);
    const taken = await decide(tenantId, credit).catch((error: unknown): StoredCredit => {
      if (passesByItself(error)) throw error;
      // Whose it is cannot be said: it waits for staff, and those behind it are taken.
      leaveRow(log, "bank credits", { tenantId, creditId }, error);
      return { ...credit, status: "TAKEN", reason: "NOT_DECIDED" };
    });
    const write = async (session: Session) => {
      await insert(taken, originOf(tenantId), session);
      return taken;
    };
    const stored = await store.transaction(write, find).catch(orTaken(find));
    crashPoint("wallet.credit.taken");
    outbox.wakeSoon();
    return stored;
  }

  /** Decides whose it is, and whether they may have it; stores nothing. */
  async function decide(tenantId: string, credit: ArrivedCredit): Promise<StoredCredit> {
    const call = originOf(tenantId);
    const passed = await ceilings.passedBy(call, credit.amount);
    if (passed !== undefined) {
      // The bank has it already, so it waits for staff; above the operator's ceiling in accounts of
      // its own.
      const isApart = passed === "OPERATOR" && ({ isApart: true } as const);
      return { ...credit, status: "TAKEN", reason: "AMOUNT_ABOVE_CEILING", ...isApart };
    }
    const match = matchOf(credit.amount, await store.forTenant(tenantId).accountsByNumber(numbersIn(credit.reference)));
    if (!("account" in match)) return { ...credit, status: "TAKEN", reason: match.reason };
    const { accountId, customerId } = match.account;
    const { isHeld } = await moves.ask({ customerId, kind: "BANK_CREDIT_RECEIVED" }, call);
    return { ...credit, status: "TAKEN", reason: "", accountId, ...(isHeld && { heldFor: customerId }) };
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
    const held = heldByCredit(taken);
    const { bank, suspense } = accountsOfCredit(taken);
    const accounts = held === undefined ? [bank, suspense] : [bank, suspense, heldAccount(amount.currency)];
    await posting.ensureAccounts(tenantId, origin, accounts, {});
    const group = [transferOfCredit(taken), ...(held === undefined ? [] : [transferOfHeld(held)])];
    const posted = await posting.post(tenantId, origin, group, {});
    crashPoint("wallet.credit.posted");
    if (posted instanceof Refusal) {
      if (taken.isApart === true) throw new Error(`credit ${creditId} cannot be set aside: ${posted.code}`);
      // The wallet is closed or full: it goes to suspense, and where that is full to its own
      // accounts.
      const isApart = taken.accountId === undefined && ({ isApart: true } as const);
      await wallet.setAside(creditId, { reason: posted.code, ...isApart });
      const { accountId: _refused, heldFor: _nobody, ...aside } = taken;
      return book(tenantId, { ...aside, reason: posted.code, ...isApart });
    }
    const status = taken.accountId === undefined ? ("UNMATCHED" as const) : ("BOOKED" as const);
    if (held === undefined) await wallet.moveCredit(creditId, "TAKEN", { status });
    else {
      const { interactionId, createdBy: actor } = origin;
      await store.transaction(
        async (session) => {
          // Somebody else may have booked it just now.
          if (!(await wallet.moveCredit(creditId, "TAKEN", { status }, session))) return true;
          await heldArrivals.note({ tenantId, interactionId, actor }, held, session);
          return true;
        },
        async () => ((await wallet.findCredit(creditId))?.status === "TAKEN" ? undefined : true),
      );
    }
    crashPoint("wallet.credit.booked");
  }

  const bookRow: RowHandler = async ({ tenantId, payload }) => {
    const credit = await store.forTenant(tenantId).findCredit(String(payload["creditId"]));
    if (credit !== undefined) await book(tenantId, credit);
  };

  return { decide, insert, take, bookRow };
}

/** Another replica, or this one before it was cut off, has written it. */
const orTaken =
  <Found>(find: () => Promise<Found | undefined>) =>
  async (error: unknown): Promise<Found> => {
    const found = isDuplicateKey(error) ? await find() : undefined;
    if (found === undefined) throw error;
    return found;
  };
