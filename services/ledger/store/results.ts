import type { ClientSession, Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import type { Day } from "../domain/days.js";
import { resultCodes, type ResultBalance } from "../domain/year-end.js";
import { collections, type AccountDocument } from "./collections.js";
import { accountFromDocument } from "./mapping.js";
import { createSumsStore } from "./sums.js";

/**
 * Accounts of income and expense that are not empty at the end of a day, read in the caller's
 * transaction.
 */
export async function resultsAt(
  db: Connection,
  tenantId: string,
  day: Day,
  session: ClientSession,
): Promise<ResultBalance[]> {
  const accounts = tenantCollection<AccountDocument>(db, collections.accounts).forTenant(tenantId);
  const sums = createSumsStore(db, tenantId);
  const found = (await accounts.find({ code: { $in: [...resultCodes] } }, { session })).map(accountFromDocument);
  const ids = found.map(({ info }) => info.accountId);
  const byAccount = Map.groupBy(await sums.daysOfAfter(ids, day, session), ({ accountId }) => accountId);
  const results: ResultBalance[] = [];
  for (const { info, figures, openDay } of found) {
    const open = openDay !== undefined && openDay.day > day ? [openDay] : [];
    const later = [...(byAccount.get(info.accountId) ?? []), ...open];
    const now = figures.debitsPostedMinor - figures.creditsPostedMinor;
    const minor = later.reduce((all, { debitsMinor, creditsMinor }) => all - debitsMinor + creditsMinor, now);
    if (minor !== 0n) results.push({ account: info, minor });
  }
  return results;
}
