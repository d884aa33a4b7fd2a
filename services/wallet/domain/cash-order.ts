import { money } from "../../kernel/money.js";
import type { Denomination } from "./denominations.js";
import type { OwnAccount } from "./movement.js";
import { ownAccount } from "./payable.js";
import type { PlannedTransfer } from "./transfers.js";
import { house, vaultAccount } from "./vault.js";

export type CashOrderOutcome = "RECEIVED" | "RETURNED";

/** As it was counted where it ended; with a difference a second person may look at it. */
export interface CashOrderEnding {
  readonly endingId: string;
  readonly outcome: CashOrderOutcome;
  readonly status: "COUNTED" | "WAITING" | "APPROVED" | "REFUSED" | "FAILED";
  /** User id. */
  readonly countedBy: string;
  readonly countedMinor: bigint;
  /** Counted less amount. */
  readonly differenceMinor: bigint;
  readonly denominations?: readonly Denomination[];
  readonly reason?: string;
  readonly approvalId?: string;
  readonly failure?: string;
}

/** Cash of one vault for another: the sender's until it is received. Minor units. */
export interface CashOrder {
  readonly orderId: string;
  /** Codes of branches; empty for the house. */
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly denominations?: readonly Denomination[];
  readonly status: "REQUESTED" | "SENDING" | "SENT" | "WAITING" | "ENDING" | CashOrderOutcome | "CANCELLED";
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly sentBy?: string;
  readonly sentAt?: Date;
  /** Business days. */
  readonly sentOn?: string;
  readonly endedOn?: string;
  /** The latest count. */
  readonly ending?: CashOrderEnding;
  readonly endedBy?: string;
  readonly endedAt?: Date;
}

export const openCashOrders = ["REQUESTED", "SENDING", "SENT", "WAITING", "ENDING"] as const;

/** Who asks for something, and where they work. */
export interface VaultPerson {
  readonly userId: string;
  readonly isManager: boolean;
  readonly branch: string;
}

/** Managers act for every vault, cashiers for that of their branch; nobody else for the house's. */
export function actsFor(vault: string, { isManager, branch }: VaultPerson): boolean {
  return isManager || (vault !== house && branch === vault);
}

/** What has left a vault and arrived nowhere yet: one account a sender and currency. */
export function transitAccount(from: string, currency: string): OwnAccount {
  if (from === house) return ownAccount("cash_in_transit", currency, "Cash in transit");
  const accountId = `cash_in_transit:${from}:${currency}`;
  return { accountId, code: "cash_in_transit", currency, name: `Cash in transit from ${from} ${currency}` };
}

/** Into which vault it is counted. */
export const vaultOfOutcome = ({ from, to }: CashOrder, outcome: CashOrderOutcome): string =>
  outcome === "RECEIVED" ? to : from;

export const accountsOfSending = ({ from, currency }: CashOrder): OwnAccount[] => [
  vaultAccount(from, currency),
  transitAccount(from, currency),
];

export const accountsOfEnding = (order: CashOrder, outcome: CashOrderOutcome): OwnAccount[] => [
  transitAccount(order.from, order.currency),
  vaultAccount(vaultOfOutcome(order, outcome), order.currency),
  ownAccount("cash_difference", order.currency, "Cash short and over"),
];

/** Sender's vault → in transit. Cash is an asset: what gets it is debited. */
export function transferOfSending(order: CashOrder, movementId: string): PlannedTransfer {
  const { from, currency, amountMinor } = order;
  return {
    key: `cash-order:${movementId}:sent`,
    debitAccountId: transitAccount(from, currency).accountId,
    creditAccountId: vaultAccount(from, currency).accountId,
    amount: money(amountMinor, currency),
    kind: "cash_order_sent",
    description: "Cash sent to another vault",
  };
}

/**
 * What was counted goes into the vault, and the difference is booked: nothing is left in transit.
 */
export function transfersOfEnding(
  order: CashOrder,
  { outcome, countedMinor, differenceMinor: off }: CashOrderEnding,
  movementId: string,
): PlannedTransfer[] {
  const { currency, amountMinor } = order;
  const [transit, vault, difference] = accountsOfEnding(order, outcome).map(({ accountId }) => accountId) as [
    string,
    string,
    string,
  ];
  const arrivedMinor = off < 0n ? countedMinor : amountMinor;
  const kind = outcome === "RECEIVED" ? "cash_order_received" : "cash_order_returned";
  const parts = [
    { part: "arrived", to: vault, from: transit, minor: arrivedMinor, kind, description: "Cash from another vault" },
    {
      part: "short",
      to: difference,
      from: transit,
      minor: -off,
      kind: "cash_difference",
      description: "Cash sent, counted short",
    },
    {
      part: "over",
      to: vault,
      from: difference,
      minor: off,
      kind: "cash_difference",
      description: "Cash sent, counted over",
    },
  ];
  return parts
    .filter(({ minor }) => minor > 0n)
    .map(({ part, to, from, minor, ...named }) => ({
      key: `cash-order:${movementId}:${part}`,
      debitAccountId: to,
      creditAccountId: from,
      amount: money(minor, currency),
      ...named,
    }));
}
