import type { StoredAnswer, Ticket } from "../../shared/idempotency/index.js";
import { keptRefusal, Refusal } from "../../shared/refusal.js";
import type { DriveContext, SagaIdentity, Sagas } from "../../shared/sagas.js";
import type { Deposit, DepositEnding } from "../domain/deposit.js";
import { heldAccount, heldBy, transferOfHeld, type NewlyHeld } from "../domain/held.js";
import type { HeldArrivals } from "./held-arrivals.js";
import { bankSettlement, transferOfDeposit } from "../domain/transfers.js";
import type { Posting } from "../clients/posting.js";
import type { WalletStore } from "../store/index.js";
import { depositAnswer } from "../wire/payments.js";

export const recordDepositOperation = "wallet.v1.RecordDeposit";
export const depositRecovery = "drive-deposit";

export interface DepositSagaDeps {
  store: WalletStore;
  sagas: Sagas;
  posting: Posting;
  heldArrivals: Pick<HeldArrivals, "note">;
  crashPoint: (name: string) => void;
}

export type DepositSaga = ReturnType<typeof createDepositSaga>;

/** Money from the tenant's bank into a wallet. */
export function createDepositSaga({ store, sagas, posting, heldArrivals, crashPoint }: DepositSagaDeps) {
  /** First transaction. */
  async function begin(tenantId: string, deposit: Deposit, ticket: Ticket): Promise<void> {
    const wallet = store.forTenant(tenantId);
    await sagas.begin(identityOf(tenantId, deposit), {
      ticket,
      id: deposit.depositId,
      insert: (session) => wallet.insertDeposit(deposit, session).then(() => true),
      readBack: async () => (await wallet.findDeposit(deposit.depositId)) && true,
    });
    crashPoint("wallet.deposit.recorded");
  }

  /** Drives a deposit to its end; idempotent and safe beside itself. Throws while the outcome is unknown. */
  async function drive(tenantId: string, deposit: Deposit, pass: DriveContext): Promise<StoredAnswer> {
    const answer = depositAnswer(deposit);
    if (answer !== undefined) return answer;
    // The tenant's own account is made when it is first needed.
    const { currency } = deposit.amount;
    const held = heldByDeposit(deposit);
    const accounts = [bankSettlement(currency), ...(held === undefined ? [] : [heldAccount(currency)])];
    await posting.ensureAccounts(tenantId, deposit, accounts, pass);
    const group = [transferOfDeposit(deposit), ...(held === undefined ? [] : [transferOfHeld(held)])];
    const posted = await posting.post(tenantId, deposit, group, pass);
    crashPoint("wallet.deposit.posted");
    const isRefused = posted instanceof Refusal;
    return end(
      tenantId,
      deposit,
      isRefused
        ? { status: "FAILED", refusal: keptRefusal(posted) }
        : { status: "DONE", newBalanceMinor: posted.creditBalanceMinor },
      pass,
    );
  }

  async function driveById(tenantId: string, depositId: string, pass: DriveContext): Promise<StoredAnswer> {
    const deposit = await store.forTenant(tenantId).findDeposit(depositId);
    if (deposit === undefined) throw new Error(`deposit ${depositId} is not there`);
    return drive(tenantId, deposit, pass);
  }

  async function end(
    tenantId: string,
    deposit: Deposit,
    ending: DepositEnding,
    pass: DriveContext,
  ): Promise<StoredAnswer> {
    const wallet = store.forTenant(tenantId);
    const answer = await sagas.end(
      identityOf(tenantId, deposit),
      {
        answer: depositAnswer({ ...deposit, ending }) as StoredAnswer,
        apply: async (session) => {
          if (!(await wallet.endDeposit(deposit.depositId, ending, session))) return false;
          const held = ending.status === "DONE" ? heldByDeposit(deposit) : undefined;
          const { interactionId, createdBy: actor } = deposit;
          if (held !== undefined) await heldArrivals.note({ tenantId, interactionId, actor }, held, session);
          return true;
        },
        readBack: async () => {
          const found = await wallet.findDeposit(deposit.depositId);
          return found && depositAnswer(found);
        },
      },
      pass,
    );
    crashPoint("wallet.deposit.ended");
    return answer;
  }

  return { begin, drive, driveById };
}

function heldByDeposit(deposit: Deposit): NewlyHeld | undefined {
  const { accountId, heldFor: customerId } = deposit;
  if (customerId === undefined) return undefined;
  return heldBy(transferOfDeposit(deposit), { accountId, customerId }, "BANK_CREDIT_RECEIVED");
}

function identityOf(tenantId: string, deposit: Deposit): SagaIdentity {
  const { depositId, caller, idempotencyKey, interactionId, createdBy } = deposit;
  return {
    tenantId,
    operation: recordDepositOperation,
    aggregate: `deposit:${depositId}`,
    recovery: depositRecovery,
    payload: { depositId },
    caller,
    idempotencyKey,
    interactionId,
    createdBy,
  };
}
