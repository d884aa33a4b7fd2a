import type { CashIn as WireCashIn } from "../../../proto/gen/wallet/v1/money_in.js";
import type { Till as WireTill } from "../../../proto/gen/wallet/v1/tills.js";
import { moneyToWire } from "../../kernel/money.js";
import type { CashIn } from "../domain/cash-in-approval.js";
import type { Till } from "../domain/till.js";

export function cashInToWire(cashIn: CashIn): WireCashIn {
  const { cashInId, tillId, accountId, amount, status, createdAt } = cashIn;
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

export function tillToWire(till: Till): WireTill {
  const { moving: _moving, ...shown } = till;
  return {
    ...shown,
    role: till.role ?? "CASHIER",
    countedMinor: till.countedMinor,
    differenceMinor: till.differenceMinor,
    closedAt: till.closedAt,
  };
}
