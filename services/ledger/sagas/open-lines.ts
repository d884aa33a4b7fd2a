import { isLine } from "../domain/settlement-lines.js";
import type { LedgerStore } from "../store/index.js";
import type { SettlementStore } from "../store/settlements.js";

interface OpenLineDeps {
  readonly store: Pick<LedgerStore, "forTenant">;
  readonly settlements: SettlementStore;
}

const pageTransfers = 1_000;

/**
 * The sequence up to which an account has nothing open. Each transfer is looked at once on the way
 * there, however often it is asked for; `maxPages` bounds what one call looks at.
 */
export async function settledThrough(
  { store, settlements }: OpenLineDeps,
  tenantId: string,
  accountId: string,
  maxPages: number,
): Promise<bigint> {
  const ofTenant = settlements.forTenant(tenantId);
  let mark = await ofTenant.markOf(accountId);
  for (let page = 0; page < maxPages; page += 1) {
    const range = { after: mark.throughSeq, limit: pageTransfers };
    const transfers = await store.forTenant(tenantId).findByAccount(accountId, range);
    const keys = transfers.filter(isLine).map(({ key }) => key);
    const taken = await ofTenant.takenOf(accountId, keys);
    const open = transfers.findIndex((transfer) => isLine(transfer) && !taken.has(transfer.key));
    const last = transfers.at(open === -1 ? -1 : open - 1);
    if (open === 0 || last === undefined) break;
    if (await ofTenant.moveMark(mark, last.seq)) mark = { ...mark, throughSeq: last.seq, version: mark.version + 1 };
    else mark = await ofTenant.markOf(accountId);
    if (open !== -1 || transfers.length < pageTransfers) break;
  }
  return mark.throughSeq;
}
