import type { Payable } from "../../../proto/gen/wallet/v1/payables.js";
import { moneyToWire } from "../../kernel/money.js";
import { dueOf, isExpired, type PayableItem } from "../domain/payable.js";

export function payableToWire(item: PayableItem, now: Date): Payable {
  const { currency } = item;
  const part = (minor: bigint) => moneyToWire({ minor, currency });
  return {
    payableId: item.payableId,
    type: item.type,
    status: isExpired(item, now) ? "EXPIRED" : item.status,
    payeeName: item.payeeName,
    payeeCode: item.payeeCode ?? "",
    payeeAccountId: item.payeeAccountId ?? "",
    payerCustomerId: item.payerCustomerId ?? "",
    bankAccountId: item.bankAccountId ?? "",
    description: item.description,
    reference: item.reference,
    principal: part(item.principalMinor),
    fee: part(item.feeMinor),
    tax: part(item.taxMinor),
    total: moneyToWire(dueOf(item)),
    createdAt: item.createdAt,
    expiresAt: item.expiresAt,
    paymentId: item.paymentId ?? "",
    reason: item.reason ?? "",
  };
}
