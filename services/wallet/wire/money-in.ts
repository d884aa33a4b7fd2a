import type { ExchangeQuote as WireQuote, Hold as WireHold } from "../../../proto/gen/wallet/v1/holds.js";
import {
  TopUpByCardResponse,
  type BankCredit as WireCredit,
  type CashIn as WireCashIn,
  type HeldArrival as WireHeld,
  type Till as WireTill,
  type TopUp as WireTopUp,
} from "../../../proto/gen/wallet/v1/money_in.js";
import type { Refund as WireRefund } from "../../../proto/gen/wallet/v1/refunds.js";
import type { WirePartial } from "../../shared/grpc/definition.js";
import type { StoredAnswer } from "../../shared/idempotency/index.js";
import { moneyToWire } from "../../shared/money.js";
import { masked } from "../domain/account.js";
import type { CashIn } from "../domain/cash.js";
import type { StoredCredit } from "../domain/credit.js";
import type { ExchangeQuote } from "../domain/exchange.js";
import type { HeldArrival } from "../domain/held.js";
import { statusOf, type Hold } from "../domain/hold.js";
import type { Refund } from "../domain/refund.js";
import type { Till } from "../domain/till.js";
import type { TopUp } from "../domain/top-up.js";

export function topUpToWire({ topUpId, accountId, amount, createdAt, ending }: TopUp): WireTopUp {
  return {
    topUpId,
    accountId,
    amount: moneyToWire(amount),
    status: ending?.status ?? "PENDING",
    newBalanceMinor: ending?.status === "DONE" ? ending.newBalanceMinor : 0n,
    createdAt,
    reason: ending?.status === "FAILED" ? ending.refusal.message : "",
  };
}

/** Its one answer; undefined while it is PENDING. */
export function topUpAnswer(topUp: TopUp): StoredAnswer | undefined {
  const { ending } = topUp;
  if (ending === undefined) return undefined;
  if (ending.status === "FAILED") return { kind: "refusal", ...ending.refusal };
  return { kind: "response", bytes: TopUpByCardResponse.encode({ topUp: topUpToWire(topUp) }).finish() };
}

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

export function heldToWire(held: HeldArrival): WireHeld {
  return { ...held, amount: moneyToWire(held.amount), releasedAt: held.releasedAt };
}

export function tillToWire(till: Till): WireTill {
  const { moving: _moving, ...shown } = till;
  return {
    ...shown,
    countedMinor: till.countedMinor,
    differenceMinor: till.differenceMinor,
    closedAt: till.closedAt,
  };
}

export function holdToWire(hold: Hold, now: Date): WireHold {
  const { holdId, accountId, payeeAccountId, amount, description, createdAt, expiresAt } = hold;
  return {
    holdId,
    accountId,
    payeeAccountId,
    amount: moneyToWire(amount),
    status: statusOf(hold, now),
    confirmedMinor: hold.confirmedMinor ?? 0n,
    description,
    createdAt,
    expiresAt,
  };
}

export function quoteToWire(quote: ExchangeQuote, now: Date): WireQuote {
  const { quoteId, fromAccountId, toAccountId, from, to, rate, expiresAt, status } = quote;
  return {
    quoteId,
    fromAccountId,
    toAccountId,
    from: moneyToWire(from),
    to: moneyToWire(to),
    rate,
    expiresAt,
    status: status === "OPEN" && expiresAt <= now ? "EXPIRED" : status,
  };
}

export function refundToWire(refund: Refund): WirePartial<WireRefund> & WireRefund {
  const { refundId, paymentId, amount, status, reason, createdAt } = refund;
  return {
    refundId,
    paymentId,
    amount: moneyToWire(amount),
    status,
    reason,
    approvalId: refund.approvalId ?? "",
    failure: refund.failure ?? "",
    createdAt,
  };
}
