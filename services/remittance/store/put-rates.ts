import { v7 as uuidv7 } from "uuid";
import { isSameRate, type Rate, type RateLine } from "../domain/rate.js";
import type { Session, TenantStore } from "./index.js";

/**
 * For each line the last rate of its pair where that says the same, else a new one, written unless
 * it is a dry run.
 */
export async function putRates(
  tenant: Pick<TenantStore, "findLastRate" | "insertRates">,
  lines: readonly RateLine[],
  by: Pick<Rate, "createdAt" | "createdBy">,
  session: Session,
  isDryRun = false,
): Promise<{ rate: Rate; isNew: boolean }[]> {
  const last = new Map<string, Rate | undefined>();
  const results: { rate: Rate; isNew: boolean }[] = [];
  for (const { rate: content, statedFrom } of lines) {
    const pair = `${content.sendCurrency} ${content.receivingCurrency}`;
    const before = last.has(pair) ? last.get(pair) : await tenant.findLastRate(content, session);
    const isNew = before === undefined || !isSameRate(before, content, statedFrom);
    const sequence = (before?.sequence ?? 0) + 1;
    const rate = isNew ? { ...content, ...by, rateId: uuidv7(), sequence } : before;
    last.set(pair, rate);
    results.push({ rate, isNew });
  }
  const fresh = results.filter(({ isNew }) => isNew).map(({ rate }) => rate);
  if (!isDryRun && fresh.length > 0) await tenant.insertRates(fresh, session);
  return results;
}
