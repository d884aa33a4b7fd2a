import type {
  Denomination as WireDenomination,
  Till as WireTill,
  TillCount as WireCount,
  TillLine as WireLine,
} from "../../../proto/gen/wallet/v1/tills.js";
import { formatMoney, money, parseMoney } from "../../kernel/money.js";
import { invalidInput } from "../../kernel/refusal.js";
import { countedMoney, maxDenominations, type Denomination } from "../domain/denominations.js";
import type { TillCount } from "../domain/till-count.js";
import type { TillLine } from "../domain/till-line.js";
import type { Till } from "../domain/till.js";

/** `isBlind` for whoever holds it where they are to count before they see what should be in it. */
export function tillToWire(till: Till, isBlind = false): WireTill {
  const { tillId, cashierId, currency, status, floatMinor, openedAt, closing } = till;
  const isHidden = isBlind && isUncounted(till);
  // What was counted before cash moved says nothing of what is in it now.
  const isOld = status === "OPEN" && isUncounted(till);
  const count: Pick<Till, "countedMinor" | "differenceMinor"> = isHidden || isOld ? {} : till;
  return {
    tillId,
    cashierId,
    currency,
    status,
    floatMinor,
    openedAt,
    expectedMinor: isHidden ? undefined : till.expectedMinor,
    role: till.role ?? "CASHIER",
    countedMinor: count.countedMinor,
    differenceMinor: count.differenceMinor,
    closedAt: till.closedAt,
    reason: till.reason ?? "",
    approvalId: closing?.approvalId ?? "",
    branchCode: till.branch,
  };
}

/** Whether cash has moved since it was counted, or it was not counted at all. */
export const isUncounted = ({ isCounted, status }: Till): boolean => isCounted !== true && status !== "CLOSED";

export function tillLineToWire(line: TillLine, { currency }: Till, isHidden: boolean): WireLine {
  const { tillId: _tillId, day: _day, accountId = "", transactionCode = "", balanceMinor, ...shown } = line;
  return { ...shown, currency, accountId, transactionCode, balanceMinor: isHidden ? undefined : balanceMinor };
}

export function tillCountToWire(count: TillCount, { currency }: Till): WireCount {
  const { tillId: _tillId, denominations, isClosing, reason = "", ...shown } = count;
  const pieces = denominationsToWire(denominations, currency);
  return { ...shown, currency, denominations: pieces, closing: isClosing === true, reason };
}

export function denominationsToWire(denominations: readonly Denomination[] = [], currency: string) {
  return denominations.map(({ valueMinor, count }) => ({ value: formatMoney(money(valueMinor, currency)), count }));
}

/** What was counted, by its amount, by its notes and coins, or by both. */
export interface Counted {
  readonly minor: bigint;
  readonly denominations?: readonly Denomination[];
}

/** Refuses INVALID_INPUT naming the path or the denomination that is wrong. */
export function countedFromWire(
  wire: { counted: string; denominations: readonly WireDenomination[] },
  currency: string,
  path = "counted",
): Counted {
  if (wire.denominations.length > maxDenominations) {
    throw invalidInput("denominations", `must be at most ${maxDenominations}`);
  }
  const given = wire.counted === "" ? undefined : parseMoney(wire.counted, currency, path);
  const denominations = wire.denominations.map(({ value, count }, at) => ({
    valueMinor: parseMoney(value, currency, `denominations.${at}.value`).minor,
    count,
  }));
  const { minor } = countedMoney(currency, given, denominations, path);
  return { minor, ...(denominations.length > 0 && { denominations }) };
}
