import { feeCode, taxCode, type PayableItem } from "./payable.js";
import { bankSettlement, type PlannedTransfer } from "./transfers.js";

/** SETTLED: the bank has paid it. REFUSED: it never will. RETURNED: it was paid and came back. */
export type WithdrawalStep = "SETTLED" | "REFUSED" | "RETURNED";

/**
 * The group of a step, and where the money goes. SETTLED and REFUSED share the key by which the
 * principal leaves clearing, so that one of them alone can ever be booked. What comes back, comes
 * back whole: with fee and tax.
 */
export function transfersOfWithdrawal(
  item: PayableItem,
  walletAccountId: string,
  step: WithdrawalStep,
  keyEnd = "",
): PlannedTransfer[] {
  const { payableId, currency, principalMinor, feeMinor, taxMinor } = item;
  const clearing = `withdrawal_clearing:${currency}`;
  const bank = bankSettlement(currency, item.partner).accountId;
  const transfer = (part: string, from: string, to: string, minor: bigint, kind: string): PlannedTransfer => ({
    key: `withdrawal:${payableId}:${part}${keyEnd}`,
    debitAccountId: from,
    creditAccountId: to,
    amount: { minor, currency },
    kind,
    description: `Withdrawal ${payableId}`,
  });
  if (step === "SETTLED") return [transfer("clear", clearing, bank, principalMinor, "withdrawal_settlement")];
  const isReturn = step === "RETURNED";
  const kind = isReturn ? "withdrawal_return" : "withdrawal_refund";
  return [
    transfer(isReturn ? "return" : "clear", isReturn ? bank : clearing, walletAccountId, principalMinor, kind),
    transfer("fee", `${feeCode}:${currency}`, walletAccountId, feeMinor, kind),
    transfer("tax", `${taxCode}:${currency}`, walletAccountId, taxMinor, kind),
  ].filter(({ amount }) => amount.minor > 0n);
}
