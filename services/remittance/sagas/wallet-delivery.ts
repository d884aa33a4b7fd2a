import type { CustomerMoves } from "../../platform/neighbours/customer-moves.js";
import { payoutOf, type PartnerPayout } from "../domain/payout.js";
import type { Transaction } from "../domain/transaction.js";
import type { PayoutPosting, PostingCall } from "./payout-posting.js";

export type WalletDelivery = ReturnType<typeof createWalletDelivery>;

/**
 * Delivery into a wallet of the tenant. The ledger stands where else a partner does: it is asked by
 * the transaction's own key, decides once, and gives the same answer however often it is asked.
 */
export function createWalletDelivery({
  posting,
  moves,
}: {
  posting: Pick<PayoutPosting, "creditWallet" | "keepFromWallet" | "isCredited" | "isRecalled">;
  moves: Pick<CustomerMoves, "ask">;
}) {
  return {
    /**
     * PAID where it is booked, REFUSED where the wallet was closed meanwhile, ACCEPTED while its
     * customer's status holds it.
     */
    async credit(transaction: Transaction, call: PostingCall): Promise<PartnerPayout> {
      const { recipientWallet, price } = transaction;
      const { interactionId } = payoutOf(transaction);
      const { customerId = "" } = recipientWallet ?? {};
      const { isHeld, refusal } = await moves.ask(
        { customerId, kind: "TRANSFER_RECEIVED" },
        { ...call, interactionId },
      );
      if (isHeld || refusal !== undefined) return { status: "ACCEPTED", reason: "", amount: price.receive };
      const refused = await posting.creditWallet(transaction, call);
      if (refused !== undefined) return { status: "REFUSED", reason: refused };
      return { status: "PAID", reason: "", amount: price.receive };
    },

    /**
     * PAID where the wallet has it already, RECALLED where it is back with who paid, ACCEPTED where
     * neither is so; moves nothing.
     */
    async find(transaction: Transaction, call: PostingCall): Promise<PartnerPayout> {
      const amount = transaction.price.receive;
      if (await posting.isCredited(transaction, call)) return { status: "PAID", reason: "", amount };
      if (await posting.isRecalled(transaction, call)) return { status: "RECALLED", reason: "" };
      return { status: "ACCEPTED", reason: "", amount };
    },

    /**
     * RECALLED where the money is back with who paid; PAID where the wallet has it already, REFUSED
     * where it could not take it.
     */
    async recall(transaction: Transaction, call: PostingCall): Promise<PartnerPayout> {
      switch (await posting.keepFromWallet(transaction, call)) {
        case "KEPT":
          return { status: "RECALLED", reason: "" };
        case "CREDITED":
          return { status: "PAID", reason: "", amount: transaction.price.receive };
        case "REFUSED":
          return { status: "REFUSED", reason: "" };
      }
    },
  };
}
