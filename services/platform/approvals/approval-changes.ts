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

/** Most characters of what was and what will be: a paragraph is shown whole. */
export const maxChangeText = 1_000;
/** Most characters of an approval's summary. */
export const maxSummary = 300;
/** So much of one approval lists carry, characters; what it does is foreseen whole. */
const maxListed = 20_000;

/** The first of them, and how many more there are. */
export function listed(changes: readonly ApprovalChange[]) {
  let left = maxListed;
  const beyond = changes.findIndex(({ field, before, after }, at) => {
    left -= field.length + before.length + after.length;
    return left < 0 || at >= maxApprovalChanges;
  });
  const shown = beyond < 0 ? changes : changes.slice(0, beyond);
  return { changes: [...shown], moreChanges: changes.length - shown.length };
}

/** A summary with names in it: as many as there is room for, and how many more there are. */
export function summaryOf(about: string, names: readonly string[], end = ""): string {
  const naming = (count: number) => {
    const more = names.length - count;
    return `${about} ${names.slice(0, count).join(", ")}${more === 0 ? "" : ` and ${more} more`}${end}`;
  };
  const whole = naming(names.length);
  if (whole.length <= maxSummary) return whole;
  return naming(names.findIndex((_, at) => naming(at + 1).length > maxSummary));
}

/** What differs, each field once. */
export const fieldsOf = (changes: readonly ApprovalChange[]) => [...new Set(changes.map(({ field }) => field))];

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
