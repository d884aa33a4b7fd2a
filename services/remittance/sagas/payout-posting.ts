import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import { moneyToWire, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { CreatedAccounts } from "../clients/ledger-accounts.js";
import { refundTerms } from "../domain/payout-refund.js";
import { payoutOf } from "../domain/payout.js";
import {
  refundPlan,
  clearingKey,
  paidTo,
  refundAccountOf,
  requestedRefund,
  settlementKey,
  settlementTransfers,
  type AccountCode,
  type PlannedTransfer,
} from "../domain/payout-transfers.js";
import type { Refund } from "../domain/refund.js";
import type { Transaction } from "../domain/transaction.js";

export interface PostingCall {
  tenantId: string;
  signal?: AbortSignal;
}

export type PayoutPosting = ReturnType<typeof createPayoutPosting>;

/**
 * The ledger's side of a payout. Each group is decided once by its keys; throws UNAVAILABLE while
 * it is not decided.
 */
export function createPayoutPosting(
  ledger: Pick<Client<LedgerServiceDefinition>, "postTransfers" | "getTransfer">,
  accounts: Pick<CreatedAccounts, "ensureAll">,
) {
  /** Posts the group, or gives the code of the ledger's refusal where it is one of `expected`. */
  async function post<Code extends string = never>(
    transaction: Transaction,
    transfers: readonly PlannedTransfer[],
    call: PostingCall,
    expected: readonly Code[] = [],
  ): Promise<Code | undefined> {
    const { interactionId } = payoutOf(transaction);
    const groups = [{ transfers: transfers.map(transferToWire) }];
    const { results } = await ledger.postTransfers(
      { groups, createdBy: "remittance" },
      outgoing({ ...call, interactionId }),
    );
    const [result] = results;
    if (result?.posted !== undefined) return undefined;
    const { code = "", message = "no result" } = result?.refused ?? {};
    const refused = expected.find((one) => one === code);
    if (refused !== undefined) return refused;
    // Above all KEY_REUSED: the money has left clearing another way. Nothing here can put that
    // right by itself.
    throw new Refusal("STATE_CONFLICT", `the ledger refused ${transfers[0]?.key ?? ""}: ${code} ${message}`);
  }

  /**
   * Accounts first: that one was missing would be kept as the answer of the transfer's key for
   * ever.
   */
  async function ensure(transaction: Transaction, call: PostingCall): Promise<void> {
    const { principal, receive } = transaction.price;
    const { interactionId, installationId } = payoutOf(transaction);
    const owed = { code: "partner_settlement", currency: receive.currency, installationId } as const;
    const at = (code: AccountCode, { currency }: Money) => ({ code, currency });
    await accounts.ensureAll(
      [
        at("remittance_clearing", principal),
        at("fee_income", principal),
        at("tax_payable", principal),
        at("bank_charges", principal),
        at("exchange_position", principal),
        at("exchange_position", receive),
        // Wallets and tills are the wallet service's, and are there.
        ...((transaction.recipientWallet ?? transaction.pickup) ? [] : [owed]),
      ],
      { ...call, interactionId },
    );
  }

  /** Where it goes back to, by what the payment was debited from, as the ledger has it. */
  async function refundAccount(transaction: Transaction, call: PostingCall): Promise<string> {
    const { interactionId } = payoutOf(transaction);
    const key = `payment:${transaction.paymentId ?? ""}:principal`;
    const { transfer } = await ledger.getTransfer({ key }, outgoing({ ...call, interactionId }));
    const accountId = transfer?.transfer?.debitAccountId;
    if (accountId === undefined || accountId === "") throw new Error(`the ledger does not know who paid ${key}`);
    return refundAccountOf(accountId, transaction);
  }

  /** By key and destination: settlement and refund of a transaction may have the same key. */
  async function isPosted(
    transaction: Transaction,
    { key, creditAccountId }: Pick<PlannedTransfer, "key" | "creditAccountId">,
    call: PostingCall,
  ): Promise<boolean> {
    const { interactionId } = payoutOf(transaction);
    try {
      const { transfer } = await ledger.getTransfer({ key }, outgoing({ ...call, interactionId }));
      return transfer?.transfer?.creditAccountId === creditAccountId;
    } catch (error) {
      if (error instanceof Refusal && error.code === "TRANSFER_NOT_FOUND") return false;
      throw error;
    }
  }

  return {
    /** Clearing → partner, through the exchange. */
    async settle(transaction: Transaction, call: PostingCall): Promise<void> {
      await ensure(transaction, call);
      await post(transaction, settlementTransfers(transaction), call);
    },

    /**
     * Clearing → the recipient's wallet, through the exchange. Why not, where the ledger refuses
     * for ever: the wallet takes nothing more.
     */
    async creditWallet(transaction: Transaction, call: PostingCall): Promise<string | undefined> {
      await ensure(transaction, call);
      const expected = ["ACCOUNT_CLOSED", "AMOUNT_TOO_LARGE"] as const;
      const code = await post(transaction, settlementTransfers(transaction), call, expected);
      if (code === undefined) return undefined;
      return code === "ACCOUNT_CLOSED" ? "the recipient's wallet is closed" : "the recipient's wallet cannot hold it";
    },

    /**
     * Books the refund of what no wallet has yet, or tells what the ledger decided about the credit
     * before, by the same key.
     */
    async keepFromWallet(transaction: Transaction, call: PostingCall): Promise<"KEPT" | "CREDITED" | "REFUSED"> {
      const [refundAccountId] = await Promise.all([refundAccount(transaction, call), ensure(transaction, call)]);
      const { transfers } = refundPlan(transaction, { from: "CLEARING", isKeySpent: false }, refundAccountId);
      const code = await post(transaction, transfers, call, ["KEY_REUSED"] as const);
      if (code === undefined) return "KEPT";
      const { interactionId } = payoutOf(transaction);
      const key = clearingKey(transaction.transactionId);
      try {
        await ledger.getTransfer({ key }, outgoing({ ...call, interactionId }));
        return "CREDITED";
      } catch (error) {
        if (error instanceof Refusal && error.code === "TRANSFER_NOT_FOUND") return "REFUSED";
        throw error;
      }
    },

    /** Whether the recipient's wallet has been credited. */
    isCredited: (transaction: Transaction, call: PostingCall): Promise<boolean> =>
      isPosted(transaction, { key: settlementKey(transaction), creditAccountId: paidTo(transaction) }, call),

    /** Whether a recall has kept it from the recipient's wallet. */
    async isRecalled(transaction: Transaction, call: PostingCall): Promise<boolean> {
      const refundAccountId = await refundAccount(transaction, call);
      const { transfers } = refundPlan(transaction, { from: "CLEARING", isKeySpent: false }, refundAccountId);
      return isPosted(transaction, transfers[0]!, call);
    },

    /** What the sender got, where the ledger has the refund already; posts nothing. */
    async postedRefund(transaction: Transaction, call: PostingCall): Promise<Money | undefined> {
      const plan = refundPlan(transaction, refundTerms(transaction), await refundAccount(transaction, call));
      // All of a group are posted, or none.
      const [first] = plan.transfers;
      if (first === undefined) throw new Error(`a refund of ${transaction.transactionId} that moves nothing`);
      return (await isPosted(transaction, first, call)) ? plan.refunded : undefined;
    },

    /** Back to who paid, out of the organisation's own pocket. */
    async refundRequested(transaction: Transaction, refund: Refund, call: PostingCall): Promise<void> {
      const { interactionId } = payoutOf(transaction);
      const account = { code: "refund_expense", currency: refund.amount.currency } as const;
      const [refundAccountId] = await Promise.all([
        refundAccount(transaction, call),
        accounts.ensureAll([account], { ...call, interactionId }),
      ]);
      await post(transaction, [requestedRefund(transaction, refund, refundAccountId)], call);
    },

    /** Back to who paid, with fees and taxes; returns what they got. */
    async refund(transaction: Transaction, call: PostingCall): Promise<Money> {
      const terms = refundTerms(transaction);
      const [refundAccountId] = await Promise.all([refundAccount(transaction, call), ensure(transaction, call)]);
      const { refunded, transfers } = refundPlan(transaction, terms, refundAccountId);
      await post(transaction, transfers, call);
      return refunded;
    },
  };
}

function transferToWire(transfer: PlannedTransfer) {
  return { ...transfer, amount: moneyToWire(transfer.amount), mode: "TRANSFER_MODE_POSTED" as const };
}
