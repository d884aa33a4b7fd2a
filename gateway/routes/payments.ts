import { z } from "zod";
import type { PayableType, Payment, WalletAccount as WireAccount } from "../../proto/gen/wallet/v1/wallet.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { Refusal } from "../../services/shared/refusal.js";
import { route } from "../route.js";
import { currencyCode, decimalText, instant, maybe, moneyNumber, moneyNumberIn, text } from "../schema.js";
import { enumName, filled, moneyAsNumber, moneyOf, moneyText, timeText } from "../wire.js";
import { v6 } from "./base.js";

const paymentsBase = `${v6}/paymentmanagement`;

const payableTypes = ["TRANSACTION", "WALLET", "WALLET_CUSTOMER", "BILL", "MERCHANT", "WITHDRAWAL"] as const;
const payableTypesToWire: Partial<Record<(typeof payableTypes)[number], PayableType>> = {
  TRANSACTION: "PAYABLE_TYPE_TRANSACTION",
  WALLET_CUSTOMER: "PAYABLE_TYPE_WALLET_CUSTOMER",
};

const WalletPaymentRequest = z
  .object({
    payableType: z.enum(payableTypes),
    payAbleId: text(128),
    // Its absence is a missing credential (403), looked at after replay and ownership, not a missing field.
    password: maybe(text(1024, 0)).meta({ description: "The customer's password; without it 403 PASSWORD_REQUIRED." }),
    accountId: text(128),
    totalCheckOutAmount: moneyNumberIn,
    paymentGatewayRef: text(255).meta({ description: "Unique per customer, for ever." }),
    accountNumber: maybe(text(64, 0)),
    paymentAccountNumbeCurrencyCode: maybe(currencyCode),
    otp: maybe(text(64, 0)),
    pin: maybe(text(64, 0)),
  })
  .meta({ id: "WalletPaymentRequest" });

const PaymentResult = z
  .object({
    paymentId: z.string(),
    status: z.string(),
    payableType: z.string(),
    payAbleId: z.string(),
    accountId: z.string(),
    accountNumber: z.string(),
    totalCheckOutAmount: moneyNumber,
    currency: z.string(),
    paymentGatewayRef: z.string(),
    newBalance: moneyNumber,
    payableStatus: z.string(),
    paidAt: instant,
    interactionId: z.string(),
  })
  .meta({ id: "PaymentResult" });

/** §4.13 */
export const payFromWallet = route({
  method: "post",
  path: `${paymentsBase}/makepaymentfromwalletaccount`,
  operationId: "payFromWallet",
  tag: "Payments",
  summary: "Pay a payable item from a wallet account",
  access: ["CASHIER", "CUSTOMER"],
  headers: { idempotencyKey: "optional" },
  body: WalletPaymentRequest,
  answer: PaymentResult,
  message: "Payment made",
  example: {
    as: "amina@demo.example",
    body: {
      payableType: "TRANSACTION",
      payAbleId: "the id of a transaction that awaits its payment",
      password: "Demo-Amina-1",
      accountId: "the accountId of a wallet account in its sendCurrency",
      totalCheckOutAmount: 22.26,
      paymentGatewayRef: "invoice-2026-0042",
    },
    from: {
      "body.payAbleId": "createTransaction data.id",
      "body.accountId": "listWalletAccounts data.4.accountId",
    },
  },
  renames: {
    payableId: "payAbleId",
    totalCheckoutAmount: "totalCheckOutAmount",
    amount: "totalCheckOutAmount",
    idempotencyKey: "headers.x-idempotency-key",
    currency: "paymentAccountNumbeCurrencyCode",
  },
  run: async ({ body, headers, call, clients }) => {
    const payableType = payableTypesToWire[body.payableType];
    if (!payableType) {
      throw new Refusal(
        "PAYABLE_TYPE_NOT_AVAILABLE",
        `payableType ${body.payableType} cannot be paid from a wallet yet`,
      );
    }
    const { payment } = await clients.wallet.makePayment(
      {
        idempotencyKey: headers["x-idempotency-key"] ?? "",
        payableType,
        payableId: body.payAbleId,
        accountId: body.accountId,
        totalCheckoutAmount: body.totalCheckOutAmount,
        paymentGatewayRef: body.paymentGatewayRef,
        accountNumber: body.accountNumber ?? "",
        currency: body.paymentAccountNumbeCurrencyCode ?? "",
        password: body.password ?? "",
        otp: body.otp ?? "",
        pin: body.pin ?? "",
      },
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    return paymentFromWire(filled(payment, "payment"));
  },
});

const WalletAccount = z
  .object({
    accountId: z.string(),
    accountNumber: z.string(),
    currency: z.string(),
    availableBalance: decimalText,
    heldBalance: decimalText,
    status: z.string(),
    createdAt: instant,
  })
  .meta({ id: "WalletAccount" });

/** Ours: what a customer can pay from. */
export const listWalletAccounts = route({
  method: "get",
  path: `${paymentsBase}/wallet-accounts`,
  operationId: "listWalletAccounts",
  tag: "Payments",
  summary: "List one's own wallet accounts with their balances",
  access: ["CUSTOMER"],
  answer: z.array(WalletAccount),
  message: "Wallet accounts",
  example: { as: "amina@demo.example" },
  run: async ({ call, clients }) => {
    const { accounts } = await clients.wallet.listWalletAccounts({}, outgoing(call));
    return accounts.map(accountFromWire);
  },
});

function paymentFromWire(payment: Payment): z.output<typeof PaymentResult> {
  const total = moneyOf(payment.totalCheckoutAmount, "payment.total_checkout_amount");
  return {
    paymentId: payment.paymentId,
    status: payment.status,
    payableType: enumName(payment.payableType, "PAYABLE_TYPE_"),
    payAbleId: payment.payableId,
    accountId: payment.accountId,
    accountNumber: payment.accountNumber,
    totalCheckOutAmount: moneyAsNumber(total.minor, total.currency),
    currency: total.currency,
    paymentGatewayRef: payment.paymentGatewayRef,
    newBalance: moneyAsNumber(payment.newBalanceMinor, total.currency),
    payableStatus: payment.payableStatus,
    paidAt: timeText(payment.paidAt, "payment.paid_at"),
    interactionId: payment.interactionId,
  };
}

function accountFromWire(account: WireAccount): z.output<typeof WalletAccount> {
  const { currency } = account;
  return {
    accountId: account.accountId,
    accountNumber: account.accountNumber,
    currency,
    availableBalance: moneyText({ amountMinor: account.availableBalanceMinor, currency }, "available"),
    heldBalance: moneyText({ amountMinor: account.heldBalanceMinor, currency }, "held"),
    status: account.status,
    createdAt: timeText(account.createdAt, "account.created_at"),
  };
}
