import { invalidInput } from "../../kernel/refusal.js";
import { chartRow } from "./chart.js";
import type { AccountInfo } from "./model.js";

/** Codes that managers open accounts of, under names of their own. */
export const openedByPeople: readonly string[] = ["own_bank", "operating_expense"];

const maxNameLength = 100;
const maxWordLength = 48;

export interface NamedAccount {
  readonly code: string;
  readonly currency: string;
  readonly name: string;
}

/** Id of the one account that a code has in a currency, such as "fx_result:USD". */
export function soleAccountId(code: string, currency: string): string {
  return ownAccountId(code, currency, "");
}

/** Id of the account of somebody's under a code, such as "partner_fees:p-1:USD". */
export function ownAccountId(code: string, currency: string, of: string): string {
  return of === "" ? `${code}:${currency}` : `${code}:${of}:${currency}`;
}

/** The one account of a code and a currency. Throws for a code that the chart does not have. */
export function soleAccount(code: string, currency: string, createdAt: Date): AccountInfo {
  return ownAccount({ code, currency, of: "" }, createdAt);
}

/** The one account of somebody's under a code. Throws for a code that the chart does not have. */
export function ownAccount(
  { code, currency, of }: { code: string; currency: string; of: string },
  createdAt: Date,
): AccountInfo {
  const words = code.replaceAll("_", " ");
  const name = [`${words[0]!.toUpperCase()}${words.slice(1)}`, of, currency].filter((part) => part !== "").join(" ");
  return account(ownAccountId(code, currency, of), { code, currency, name }, createdAt);
}

/** An account that people open. Refuses INVALID_INPUT for another code, and for no name. */
export function namedAccount({ code, currency, name }: NamedAccount, createdAt: Date): AccountInfo {
  if (!openedByPeople.includes(code)) throw invalidInput("code", `must be one of ${openedByPeople.join(", ")}`);
  const trimmed = name.trim();
  const word = wordOf(trimmed);
  if (trimmed.length > maxNameLength) throw invalidInput("name", `must have at most ${maxNameLength} characters`);
  if (word === "") throw invalidInput("name", "must have a letter of a to z, or a digit");
  return account(`${code}:${word}:${currency}`, { code, currency, name: trimmed }, createdAt);
}

function account(accountId: string, { code, currency, name }: NamedAccount, createdAt: Date): AccountInfo {
  const row = chartRow(code);
  if (row === undefined) throw new Error(`the chart of accounts has no ${code}`);
  const { type, service } = row;
  return { accountId, code, currency, name, ownerId: "", flags: [], metadata: [], type, service, createdAt };
}

/** A name in letters and digits that an id may have. */
function wordOf(name: string): string {
  const letters = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
  return letters.slice(0, maxWordLength).replaceAll(/^-+|-+$/g, "");
}
