import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { chartRow, isOfServiceAlone } from "./chart.js";
import type { Account, AccountInfo, NewAccount } from "./model.js";

/**
 * Money on it, or on its way to or from it, has to go elsewhere first. Refuses ACCOUNT_NOT_EMPTY.
 */
export function assertEmpty({ info, figures }: Account): void {
  const { debitsPostedMinor, creditsPostedMinor, debitsPendingMinor, creditsPendingMinor } = figures;
  const balance = creditsPostedMinor - debitsPostedMinor;
  if (balance === 0n && debitsPendingMinor === 0n && creditsPendingMinor === 0n) return;
  throw new Refusal("ACCOUNT_NOT_EMPTY", `account ${info.accountId} is not empty`, {
    figures: {
      creditsLessDebitsMinor: String(balance),
      debitsPendingMinor: String(debitsPendingMinor),
      creditsPendingMinor: String(creditsPendingMinor),
    },
  });
}

/**
 * Who may take from an account: the service of its code, and the ledger itself unless it is a
 * customer's or its service keeps lines of it.
 */
export function mayDebit({ code, service }: Pick<AccountInfo, "code" | "service">, poster: string): boolean {
  return poster === service || (poster === "ledger" && !isOfServiceAlone(code));
}

/**
 * What is stored of a new account. Refuses INVALID_INPUT, and NOT_ACCOUNT_OWNER for a code of
 * another service.
 */
export function accountInfo(account: NewAccount, caller: string, createdAt: Date, path: string): AccountInfo {
  const row = chartRow(account.code);
  if (row === undefined) throw invalidInput(`${path}.code`, `the chart of accounts has no ${account.code}`);
  if (row.service !== caller) {
    throw new Refusal("NOT_ACCOUNT_OWNER", `only ${row.service} may create accounts of ${account.code}`);
  }
  const { type, service } = row;
  return { ...account, type, service, createdAt };
}

/**
 * The flag CLOSED came later, and is not part of what was asked; the name stays the first, since
 * whoever it names may be called otherwise by now.
 */
export function sameContent(stored: AccountInfo, requested: NewAccount): boolean {
  const flags = (account: NewAccount) => account.flags.filter((flag) => flag !== "CLOSED").sort();
  const content = (account: NewAccount) => {
    const { code, currency, ownerId, metadata } = account;
    return JSON.stringify([code, currency, ownerId, flags(account), metadata]);
  };
  return content(stored) === content(requested);
}
