import type { CashIn as WireCashIn } from "../../../proto/gen/wallet/v1/money_in.js";
import { moneyToWire } from "../../kernel/money.js";
import { statusOn, type CashIn } from "../domain/cash-in-approval.js";

export function cashInToWire(cashIn: CashIn, today: string): WireCashIn {
  const { cashInId, tillId, accountId, amount, createdAt } = cashIn;
  const status = statusOn(cashIn, today);
  return {
    cashInId,
    tillId,
    accountId,
    amount: moneyToWire(amount),
    status,
    approvalId: cashIn.approvalId ?? "",
    failure: cashIn.failure ?? "",
    createdAt,
  };
}
