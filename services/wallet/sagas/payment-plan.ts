import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import type { WalletAccount } from "../domain/account.js";
import { planOfPayable, refusedToPay, type PayableItem } from "../domain/payable.js";
import { checkReceivingWallet, type PayableType, type PaymentPlan } from "../domain/payment.js";
import { transferToWallet } from "../domain/transfers.js";
import type { WalletStore } from "../store/index.js";

interface RequestedPayment {
  payableType: Exclude<PayableType, "TRANSACTION">;
  payableId: string;
  paymentId: string;
  payer: WalletAccount;
  /** The wallet account of `payableId`, where it is one. */
  payee: WalletAccount | undefined;
  total: Money;
}

/**
 * Plans the transfers of a payment, or refuses it. Throws PAYABLE_NOT_FOUND for
 * what is not there or of another type, and what is the request's own fault.
 */
export async function planPayment(
  deps: { store: WalletStore; businessClock: BusinessClock },
  requested: RequestedPayment,
  call: Call,
): Promise<PaymentPlan | Refusal> {
  const { payableType, payableId, paymentId, payer, payee, total } = requested;
  const wallet = deps.store.forTenant(call.tenantId);
  const isWallet = payableType === "WALLET" || payableType === "WALLET_CUSTOMER";
  const receiving = isWallet ? payee : undefined;
  if (receiving !== undefined) {
    if (receiving.status !== "ACTIVE" && receiving.status !== "FROZEN") throw notFound();
    checkReceivingWallet(payer, receiving);
    return {
      transfers: [transferToWallet({ paymentId, accountId: payer.accountId, payableId, total })],
      ownAccounts: [],
      payeeCustomerId: receiving.customerId,
    };
  }
  const item = await wallet.findPayable(payableId);
  if (item === undefined || item.type !== (isWallet ? "PAYMENT_REQUEST" : payableType)) throw notFound();
  const now = (await deps.businessClock.forTenant(call.tenantId, call.interactionId)).now();
  const refusal = refusedToPay(item, payer, total, now) ?? (await refusedAsPayeeIs(deps, item, call));
  if (refusal !== undefined) return refusal;
  const payeeCustomerId = item.payeeCustomerId ?? payer.customerId;
  return { ...planOfPayable({ paymentId, accountId: payer.accountId }, item), payeeCustomerId, itemId: payableId };
}

async function refusedAsPayeeIs(
  { store }: { store: WalletStore },
  { payeeAccountId, bankAccountId }: PayableItem,
  { tenantId }: Call,
): Promise<Refusal | undefined> {
  const wallet = store.forTenant(tenantId);
  if (payeeAccountId !== undefined && (await wallet.findAccount(payeeAccountId))?.status === "CLOSED") {
    return new Refusal("PAYABLE_NOT_OPEN", "the wallet that was to get it is closed");
  }
  if (bankAccountId !== undefined && (await wallet.findBankAccount(bankAccountId))?.status !== "VERIFIED") {
    return new Refusal("PAYABLE_NOT_OPEN", "the bank account was removed");
  }
  return undefined;
}

function notFound(): Refusal {
  return new Refusal("PAYABLE_NOT_FOUND", "there is nothing of this type and id to pay");
}
