import type { Transfer } from "../../../proto/gen/ledger/v1/ledger.js";
import {
  MakePaymentResponse,
  OpenWalletAccountResponse,
  RecordDepositResponse,
  type PayableType as WirePayableType,
  type Payment as WirePayment,
  type WalletAccount as WireAccount,
} from "../../../proto/gen/wallet/v1/wallet.js";
import type { WirePartial } from "../../shared/grpc/definition.js";
import type { StoredAnswer } from "../../shared/idempotency/index.js";
import { assertInt64, moneyToWire } from "../../shared/money.js";
import { invalidInput } from "../../shared/refusal.js";
import type { WalletAccount } from "../domain/account.js";
import type { Deposit } from "../domain/deposit.js";
import { payableTypes, type PayableType, type Payment } from "../domain/payment.js";
import type { PlannedTransfer } from "../domain/transfers.js";

/** Refuses INVALID_INPUT for a type that this service does not pay. */
export function payableTypeFromWire(wire: WirePayableType): PayableType {
  const found = payableTypes.find((type) => wire === `PAYABLE_TYPE_${type}`);
  if (found === undefined) throw invalidInput("payableType", "is not one that can be paid");
  return found;
}

const payableTypeToWire = (type: PayableType): WirePayableType => `PAYABLE_TYPE_${type}`;

/** Text of `minimum` to `maximum` characters, without control characters. Refuses INVALID_INPUT. */
export function textFromWire(text: string, path: string, { minimum = 1, maximum = 128 } = {}): string {
  if (text.length < minimum) throw invalidInput(path, "is required");
  if (text.length > maximum) throw invalidInput(path, `must have at most ${maximum} characters`);
  if (/\p{Cc}/u.test(text)) throw invalidInput(path, "must not hold control characters");
  return text;
}

export function transferToWire(transfer: PlannedTransfer): WirePartial<Transfer> {
  const { amount, mode = "TRANSFER_MODE_POSTED", timeoutS, ...rest } = transfer;
  return {
    ...rest,
    mode,
    ...(mode === "TRANSFER_MODE_VOID_PENDING" ? {} : { amount: moneyToWire(amount) }),
    ...(timeoutS === undefined ? {} : { pendingTimeout: { seconds: BigInt(timeoutS), nanos: 0 } }),
  };
}

export interface Balance {
  readonly availableMinor: bigint;
  readonly heldMinor: bigint;
}

export function accountToWire(account: WalletAccount, balance: Balance): WireAccount {
  const { accountId, accountNumber, customerId, currency, status, createdAt } = account;
  return {
    accountId,
    accountNumber,
    customerId,
    currency,
    status: status === "ACTIVE" ? "OPEN" : status,
    createdAt,
    availableBalanceMinor: balance.availableMinor,
    heldBalanceMinor: balance.heldMinor,
  };
}

/** Of a liability: what is credited and neither debited nor held. */
export function balanceOf(account: {
  creditsPostedMinor: bigint;
  debitsPostedMinor: bigint;
  debitsPendingMinor: bigint;
}): Balance {
  const { creditsPostedMinor, debitsPostedMinor, debitsPendingMinor } = account;
  const availableMinor = creditsPostedMinor - debitsPostedMinor - debitsPendingMinor;
  return { availableMinor: assertInt64(availableMinor, "availableBalance"), heldMinor: debitsPendingMinor };
}

/** The answer of an opened account, which holds nothing yet. */
export function openingAnswer(account: WalletAccount): StoredAnswer {
  const wire = accountToWire({ ...account, status: "ACTIVE" }, { availableMinor: 0n, heldMinor: 0n });
  return { kind: "response", bytes: OpenWalletAccountResponse.encode({ account: wire }).finish() };
}

/** A payment as it is now. */
export function paymentToWire(payment: Payment): WirePayment {
  const { ending, total, refundedMinor = 0n, refund } = payment;
  const isPart = refund === undefined ? refundedMinor < total.minor : refund.isPart === true;
  const isBack = refund !== undefined || refundedMinor > 0n;
  const came = isBack ? (isPart ? "PARTIALLY_REFUNDED" : "REFUNDED") : undefined;
  return {
    paymentId: payment.paymentId,
    status: came ?? ending?.status ?? "PENDING",
    payableType: payableTypeToWire(payment.payableType),
    payableId: payment.payableId,
    accountId: payment.accountId,
    accountNumber: payment.accountNumber,
    totalCheckoutAmount: moneyToWire(total),
    paymentGatewayRef: payment.paymentGatewayRef,
    newBalanceMinor: ending?.status === "SUCCESS" ? ending.newBalanceMinor : 0n,
    payableStatus: ending?.status === "SUCCESS" ? "PAID" : "",
    paidAt: ending?.status === "SUCCESS" ? ending.paidAt : undefined,
    interactionId: payment.interactionId,
    refundedMinor: refund?.amount.minor ?? refundedMinor,
  };
}

/** The one answer of an ended payment: the same bytes whenever it is rendered. Undefined while it is PENDING. */
export function paymentAnswer(payment: Payment): StoredAnswer | undefined {
  const { ending } = payment;
  if (ending === undefined) return undefined;
  if (ending.status === "FAILED") return { kind: "refusal", ...ending.refusal };
  const wire = {
    paymentId: payment.paymentId,
    status: ending.status,
    payableType: payableTypeToWire(payment.payableType),
    payableId: payment.payableId,
    accountId: payment.accountId,
    accountNumber: payment.accountNumber,
    totalCheckoutAmount: moneyToWire(payment.total),
    paymentGatewayRef: payment.paymentGatewayRef,
    newBalanceMinor: ending.newBalanceMinor,
    payableStatus: "PAID",
    paidAt: ending.paidAt,
    interactionId: payment.interactionId,
    // Later refunds do not change what was answered.
    refundedMinor: 0n,
  };
  return { kind: "response", bytes: MakePaymentResponse.encode({ payment: wire }).finish() };
}

/** As paymentAnswer, of a deposit. */
export function depositAnswer(deposit: Deposit): StoredAnswer | undefined {
  const { ending, depositId } = deposit;
  if (ending === undefined) return undefined;
  if (ending.status === "FAILED") return { kind: "refusal", ...ending.refusal };
  const { newBalanceMinor } = ending;
  return { kind: "response", bytes: RecordDepositResponse.encode({ depositId, newBalanceMinor }).finish() };
}
