import type { BankCredit as WireCredit } from "../../../proto/gen/wallet/v1/money_in.js";
import { moneyToWire } from "../../kernel/money.js";
import { masked } from "../domain/account.js";
import type { StoredCredit } from "../domain/credit.js";

export function creditToWire(credit: StoredCredit): WireCredit {
  const { creditId, reference, amount, senderName, senderAccountNumber, receivedAt, status, reason } = credit;
  return {
    creditId,
    reference,
    amount: moneyToWire(amount),
    senderName,
    senderAccountNumberMasked: masked(senderAccountNumber),
    receivedAt,
    status,
    reason,
    accountId: credit.accountId ?? "",
  };
}
