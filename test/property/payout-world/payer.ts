import type { Transaction } from "../../../services/remittance/domain/transaction.js";
import { recordRefund, type Payment } from "../../../services/wallet/domain/payment.js";
import { isAboutState, Refusal } from "../../../services/kernel/refusal.js";
import { money } from "../../../services/kernel/money.js";
import type { Ledger, WorldTransfer } from "./ledger.js";
import type { Network } from "./partner.js";
import type { Replica } from "./replica.js";
import type { Process, Schedule } from "./schedule.js";

export const paymentId = "payment-1";
export const walletAccountId = "wallet-1";

export type Payer = ReturnType<typeof createPayer>;

interface PayerDeps {
  schedule: Schedule;
  network: Network;
  ledger: Ledger;
  transaction: Transaction;
  /** Sends a request to some process of remittance; rejects where that process dies under it. */
  remittance<T>(process: Process, work: (replica: Replica) => Promise<T>): Promise<T>;
}

/**
 * The wallet's side of a payment (services/wallet/sagas/payment.ts): claim, debit, end, tell. Runs
 * again until it has told.
 */
export function createPayer({ schedule, network, ledger, transaction, remittance }: PayerDeps) {
  const { transactionId, price } = transaction;
  let payment: "PENDING" | "SUCCESS" | "FAILED" = "PENDING";
  let refund: Payment["refund"];
  let isNotified = false;

  const legs = (): WorldTransfer[] => {
    const { principal, totalFees, totalTaxes } = price;
    const leg = (part: string, code: string, minor: bigint) => ({
      key: `payment:${paymentId}:${part}`,
      debitAccountId: walletAccountId,
      creditAccountId: `${code}:${principal.currency}`,
      minor,
      kind: part,
    });
    return [
      leg("principal", "remittance_clearing", principal.minor),
      leg("fee", "fee_income", totalFees.minor),
      leg("tax", "tax_payable", totalTaxes.minor),
    ].filter(({ minor }) => minor > 0n);
  };

  async function decide(process: Process): Promise<void> {
    const ask = { paymentId, customerId: transaction.sender.customerId, total: price.total, accountNumber: "" };
    let outcome: typeof payment = "SUCCESS";
    try {
      await remittance(process, (replica) => replica.claim(transactionId, ask));
      const code = await network.ask(process, () => {
        ledger.open(legs().map(({ creditAccountId }) => creditAccountId));
        return ledger.post(legs());
      });
      if (code !== undefined) outcome = "FAILED";
    } catch (error) {
      if (!(error instanceof Refusal) || !(isAboutState(error.code) || error.code === "PAYER_NOT_SENDER")) throw error;
      outcome = "FAILED";
    }
    await schedule.step(process);
    if (payment === "PENDING") payment = outcome;
  }

  return {
    isOver: () => isNotified,
    status: () => (refund === undefined ? payment : "REFUNDED"),
    refund: () => refund,

    /** Throws where it must be tried again. */
    async drive(process: Process): Promise<void> {
      if (payment === "PENDING") await decide(process);
      if (payment === "SUCCESS") await remittance(process, (replica) => replica.markPaid(transactionId, paymentId));
      else await remittance(process, (replica) => replica.release(transactionId, paymentId));
      await schedule.step(process);
      isNotified = true;
    },

    /** The rpc MarkPaymentRefunded. */
    markRefunded(minor: bigint, refundedAt: Date): void {
      const ending = { status: payment === "SUCCESS" ? "SUCCESS" : "FAILED" };
      const record = { payableType: "TRANSACTION", payableId: transactionId, ending, total: price.total, refund };
      const amount = money(minor, price.total.currency);
      refund = recordRefund(record as unknown as Payment, { transactionId, amount, refundedAt }) ?? refund;
    },
  };
}
