import { formatMoney, money } from "../../kernel/money.js";

/** A field of what is asked for, as the API names and writes it; "" for nothing. */
export interface ApprovalChange {
  field: string;
  before: string;
  after: string;
  /** Of amounts alone, else "". */
  currency: string;
}

/** More of them nobody reads one by one, and identity takes no more. */
export const maxApprovalChanges = 100;

/** The first of them, and how many more there are. */
export function listed(changes: readonly ApprovalChange[]) {
  return {
    changes: changes.slice(0, maxApprovalChanges),
    moreChanges: Math.max(0, changes.length - maxApprovalChanges),
  };
}

/** None where nothing differs. */
export function changeOf(field: string, before: string | undefined, after: string | undefined): ApprovalChange[] {
  return differing({ field, before: before ?? "", after: after ?? "", currency: "" });
}

/** Of an amount in minor units. */
export function amountChangeOf(
  field: string,
  before: bigint | undefined,
  after: bigint | undefined,
  currency: string,
): ApprovalChange[] {
  const text = (minor: bigint | undefined) => (minor === undefined ? "" : formatMoney(money(minor, currency)));
  return differing({ field, before: text(before), after: text(after), currency });
}

function differing(change: ApprovalChange): ApprovalChange[] {
  return change.before === change.after ? [] : [change];
}
