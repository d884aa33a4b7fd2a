import type { ClientSession, Connection } from "mongoose";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { dayText, type Day } from "../domain/days.js";
import type { AccountInfo } from "../domain/model.js";
import { resultCodes, yearEnds } from "../domain/year-end.js";
import { collections, type AccountDocument, type DayDocument, type DecisionDocument } from "./collections.js";
import { accountFromDocument, daySumsFromDocument, documentId, transferFromDocument } from "./mapping.js";
import { readSnapshot } from "./snapshot.js";

/** What an account of income or expense moved on a day: credits less debits, minor units. */
export interface ResultDay {
  readonly account: Pick<AccountInfo, "accountId" | "code" | "currency" | "type">;
  readonly day: Day;
  readonly minor: bigint;
}

/**
 * What accounts of some codes moved on the days from one to another, both included, as of one
 * moment. What the end of a year moves to what its owners keep is no result, and left out.
 * Undefined where there are more than `limit`.
 */
export function resultDays(
  db: Connection,
  tenantId: string,
  { from, to, codes }: { from: Day; to: Day; codes: readonly string[] },
  limit: number,
): Promise<ResultDay[] | undefined> {
  const known = codes.filter((code) => resultCodes.includes(code));
  const accounts = tenantCollection<AccountDocument>(db, collections.accounts).forTenant(tenantId);
  const days = tenantCollection<DayDocument>(db, collections.days).forTenant(tenantId);
  return readSnapshot(db, async (session) => {
    const found = (await accounts.find({ code: { $in: known } }, { session, limit: limit + 1 })).map(
      accountFromDocument,
    );
    const infoOf = new Map(found.map(({ info }) => [info.accountId, info]));
    const which = { accountId: { $in: [...infoOf.keys()] }, day: { $gte: from, $lte: to } };
    const closed = await days.find(which, { session, limit: limit + 1 });
    if (found.length > limit || closed.length > limit) return undefined;
    const results = closed.map((document): ResultDay => {
      const { day, debitsMinor, creditsMinor } = daySumsFromDocument(document);
      return { account: infoOf.get(document.accountId)!, day, minor: creditsMinor - debitsMinor };
    });
    for (const { info, openDay } of found) {
      if (openDay === undefined || openDay.day < from || openDay.day > to) continue;
      results.push({ account: info, day: openDay.day, minor: openDay.creditsMinor - openDay.debitsMinor });
    }
    for (const day of yearEnds(from, to)) {
      for (const { accountId, minor } of await movedAtYearEnd(db, tenantId, day, session)) {
        const account = infoOf.get(accountId);
        if (account !== undefined) results.push({ account, day, minor: -minor });
      }
    }
    return results;
  });
}

/** Credits less debits of each account that a year's end has emptied, by transfer. */
async function movedAtYearEnd(db: Connection, tenantId: string, lastDay: Day, session: ClientSession) {
  const transfers = tenantCollection<DecisionDocument>(db, collections.transfers).forTenant(tenantId);
  const year = dayText(lastDay).slice(0, 4);
  // As `yearEndGroups` makes its keys.
  const [first, behind] = [documentId(tenantId, `yearend:${year}:`), documentId(tenantId, `yearend:${year};`)];
  const found = await transfers.find({ _id: { $gte: first, $lt: behind }, seq: { $exists: true } }, { session });
  return found.map(transferFromDocument).flatMap(({ debitAccountId, creditAccountId, amountMinor }) => [
    { accountId: debitAccountId, minor: -amountMinor },
    { accountId: creditAccountId, minor: amountMinor },
  ]);
}
