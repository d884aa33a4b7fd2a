import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { decimalText, shown } from "../schema.js";
import { filled, moneyText } from "../wire.js";
import { base, transactionPath, firstTransaction, anyTransaction, keyed } from "./transactions.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

/** Ours: what §4.13 refers to. */
export const listPaymentMethods = route({
  method: "get",
  path: `${base}/transactions/:transactionId/payment-methods`,
  operationId: "listPaymentMethods",
  tag: "Transactions",
  summary: "How a transaction can be paid, and whether the wallet has enough",
  access: ["MANAGER", "CASHIER", "CUSTOMER"],
  scopes: ["transactions:read", "transactions:read:own"],
  params: transactionPath,
  answer: z.array(
    z
      .object({
        method: z.literal("E_WALLET"),
        metadata: z.object({
          sufficient: z.boolean(),
          totalAmount: decimalText,
          currency: z.string(),
          accountId: shown(z.string(), leaf.ids.accountId)
            .optional()
            .meta({ description: "The account with the most of it; absent without one." }),
          availableBalance: leaf.balance.optional().meta({ description: "Not shown to cashiers." }),
        }),
      })
      .meta({ id: "PaymentMethod" }),
  ),
  message: "Payment methods",
  example: { as: "amina@demo.example", params: anyTransaction, from: firstTransaction },
  renames: keyed,
  run: async ({ params, call, clients }) => {
    const { transaction } = await clients.remittance.getTransaction(params, outgoing(call));
    const { totalAmount, sender } = filled(transaction, "transaction");
    const { customerId } = filled(sender, "sender");
    const { accounts } = await clients.wallet.listWalletAccounts({ customerId }, outgoing(call));
    const total = filled(totalAmount, "total_amount");
    const { currency } = total;
    const [richest] = accounts
      .filter((account) => account.currency === currency && (account.status === "OPEN" || account.status === "ACTIVE"))
      .toSorted((a, b) => (a.availableBalanceMinor > b.availableBalanceMinor ? -1 : 1));
    const available = richest?.availableBalanceMinor;
    return [
      {
        method: "E_WALLET" as const,
        metadata: {
          sufficient: available !== undefined && available >= total.amountMinor,
          totalAmount: moneyText(total, "total_amount"),
          currency,
          accountId: richest?.accountId,
          availableBalance:
            available === undefined || call.user?.role === "CASHIER"
              ? undefined
              : moneyText({ amountMinor: available, currency }, "available"),
        },
      },
    ];
  },
});
