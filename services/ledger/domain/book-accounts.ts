import { createHash } from "node:crypto";
import type { AccountInfo, AccountType } from "./model.js";

const roots: Readonly<Record<AccountType, string>> = {
  ASSET: "Assets",
  LIABILITY: "Liabilities",
  EQUITY: "Equity",
  INCOME: "Income",
  EXPENSE: "Expenses",
};

/** Where books of text begin: what accounts held at the close before stands against it. */
export const openingAccount = "Equity:Opening";

/** The account of a code, above all accounts of it: "Liabilities:CustomerWallet". */
export function bookOfCode({ code, type }: Pick<AccountInfo, "code" | "type">): string {
  const words = code.split("_").map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return `${roots[type]}:${words.join("")}`;
}

/**
 * An account's name in Beancount and hledger: below its code's, of letters, digits and dashes.
 * What had to be written otherwise ends in a part of the id's hash, so that no two have one name.
 */
export function bookOf({ accountId, ...info }: Pick<AccountInfo, "accountId" | "code" | "type">): string {
  const own = accountId.startsWith(`${info.code}:`) ? accountId.slice(info.code.length + 1) : accountId;
  const parts = own.split(":").map((part) => {
    const plain = part.replaceAll(/[^A-Za-z0-9-]/g, "-");
    return /^[A-Z0-9]/.test(plain) ? plain : `X${plain}`;
  });
  const name = parts.join(":");
  const mark = name === own && own !== accountId ? "" : `-${hashOf(accountId)}`;
  return `${bookOfCode(info)}:${name}${mark}`;
}

function hashOf(accountId: string): string {
  return createHash("sha256").update(accountId).digest("hex").slice(0, 12);
}
