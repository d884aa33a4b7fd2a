import { v7 as uuidv7 } from "uuid";
import type { Clock } from "../../kernel/time/clock.js";
import type { TillCount } from "../domain/till-count.js";
import { tillAccounts, transfersOfClosing, type Till } from "../domain/till.js";
import type { Counted } from "../wire/tills.js";
import type { WalletDeps } from "./deps.js";

/** A count as it is kept. */
export function countOf(
  { clock }: Pick<WalletDeps, "clock">,
  { tillId, expectedMinor }: Till,
  { minor, denominations }: Counted,
  countedBy: string,
): TillCount {
  return {
    countId: uuidv7(),
    tillId,
    countedBy,
    countedMinor: minor,
    expectedMinor,
    differenceMinor: minor - expectedMinor,
    ...(denominations !== undefined && { denominations }),
    countedAt: clock.now(),
  };
}

/** What closes a till that was counted, with what it then is. */
export function plannedClosing(clock: Clock, till: Till, reason: string | undefined) {
  const { countedMinor = 0n, expectedMinor, tillId } = till;
  const closed: Till = {
    ...till,
    status: "CLOSED",
    isCounted: true,
    closedAt: clock.now(),
    ...(reason !== undefined && { reason }),
  };
  return {
    kind: "TILL_CLOSING" as const,
    accountId: "",
    customerId: "",
    ownAccounts: tillAccounts(till),
    transfers: transfersOfClosing(till, expectedMinor, countedMinor),
    subjectId: tillId,
    till: closed,
  };
}
