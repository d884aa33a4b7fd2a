import { crashPoint } from "../../kernel/process/crash-point.js";
import { money } from "../../kernel/money.js";
import { leaveRow } from "../../kernel/outbox/left-rows.js";
import type { Logger } from "../../kernel/process/log.js";
import type { NewRow, Outbox, OutboxRow, RowHandler } from "../../kernel/outbox/index.js";
import { passesByItself } from "../../kernel/outbox/patience.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Posting, PostingCall } from "../clients/posting.js";
import { shareDividend, unitDays, type Dividend, type DividendShare, type Holder } from "../domain/dividend.js";
import { dividendMovement, type Movement } from "../domain/movement.js";
import type { ProductContent } from "../domain/product.js";
import { withheld } from "../domain/settlement.js";
import { dividendTransfers } from "../domain/transfers.js";
import type { InvestmentStore, Session, TenantStore } from "../store/index.js";
import type { ProductVersions } from "../store/product-versions.js";
import { dividendRow } from "../wire/event-rows.js";
import { rowKinds } from "../row-kinds.js";

/** The rows of one dividend run one after the other. */
export function dividendAggregate(dividendId: string): string {
  return `dividend:${dividendId}`;
}

// Each share is a group of two transfers of its own: a wallet that is closed refuses its share
// alone.
const batchSize = 250;

export interface DividendsDeps {
  store: InvestmentStore;
  outbox: Pick<Outbox, "add" | "addAll" | "wake">;
  posting: Posting;
  versions: ProductVersions;
  log: Logger;
}

/** Shares a declared dividend out and pays it, batch by batch; safe to run again from any point. */
export function createDividends({ store, outbox, posting, versions, log }: DividendsDeps) {
  async function dividendOf(row: { tenantId: string; payload: Record<string, unknown> }): Promise<Dividend> {
    const dividend = await store.forTenant(row.tenantId).findDividend(String(row.payload["dividendId"]));
    if (dividend === undefined) throw new Error(`dividend ${String(row.payload["dividendId"])} is not there`);
    return dividend;
  }

  /** The days of a dividend are over, so whoever shares it out again finds the same weights. */
  const shareOut: RowHandler = async (row, { complete }) => {
    const { tenantId } = row;
    const tenant = store.forTenant(tenantId);
    const dividend = await dividendOf(row);
    const { holders, weights } = await weightHolders(tenant, dividend);
    const amounts = shareDividend(dividend.amount, weights) ?? [];
    const products = await readVersions(dividend, tenantId, holders);
    for (let start = 0; start < holders.length; start += batchSize) {
      const shares: DividendShare[] = [];
      for (const [index, holder] of holders.slice(start, start + batchSize).entries()) {
        const product = products.get(holder.productVersion);
        const amount = amounts[start + index] ?? money(0n, dividend.amount.currency);
        shares.push(shareOf(dividend, product, holder, amount));
      }
      await tenant.putShares(shares.filter(({ amount }) => amount.minor > 0n));
    }
    crashPoint("investment.dividend.shared");
    const { dividendId } = dividend;
    const call = { tenantId, payload: row.payload, interactionId: row.interactionId, actor: row.actor };
    const rows: NewRow[] = [{ ...call, aggregate: row.aggregate, seq: row.seq + 1, kind: rowKinds.payDividend }];
    for (const productVersion of products.keys()) {
      // Also of an earlier try, which may have read less.
      if ((await tenant.untaxedShares(dividendId, productVersion, 1)).length === 0) continue;
      const aggregate = `dividend-tax:${dividendId}:${productVersion}`;
      rows.push({ ...call, aggregate, seq: 1, kind: rowKinds.taxDividend, payload: { dividendId, productVersion } });
    }
    await store.transaction(
      async (session) => {
        if (!(await tenant.startPaying(dividendId, BigInt(holders.length), session))) return true;
        await outbox.addAll(rows, session);
        await complete(session);
        return true;
      },
      async () => ((await tenant.findDividend(dividendId))?.status === "DECLARED" ? undefined : true),
    );
  };

  /**
   * The versions that holders are taxed by; undefined for one that cannot be read, which is told.
   */
  async function readVersions(
    { dividendId, productId }: Dividend,
    tenantId: string,
    holders: readonly Pick<Holder, "productVersion">[],
  ): Promise<Map<number, ProductContent | undefined>> {
    const products = new Map<number, ProductContent | undefined>();
    for (const productVersion of new Set(holders.map((holder) => holder.productVersion))) {
      try {
        products.set(productVersion, await versions.of(tenantId, productId, productVersion));
      } catch (error) {
        if (passesByItself(error)) throw error;
        leaveRow(log, "dividends", { tenantId, dividendId, productVersion }, error);
        products.set(productVersion, undefined);
      }
    }
    return products;
  }

  /** Taxes what could not be when the dividend was shared out, and has it paid. */
  const tax: RowHandler = async (row, { signal, complete }) => {
    const { tenantId, aggregate, interactionId, actor } = row;
    const tenant = store.forTenant(tenantId);
    const { dividendId, productId } = await dividendOf(row);
    const productVersion = Number(row.payload["productVersion"]);
    const product = await versions.of(tenantId, productId, productVersion);
    for (;;) {
      signal.throwIfAborted();
      const shares = await tenant.untaxedShares(dividendId, productVersion, batchSize);
      if (shares.length === 0) break;
      await tenant.taxShares(shares.map((share) => ({ ...share, taxMinor: taxOf(share.amount, product) })));
    }
    const next = { tenantId, aggregate, seq: row.seq + 1, kind: rowKinds.payDividend, payload: { dividendId } };
    await store.transaction(
      async (session) => {
        await outbox.add({ ...next, interactionId, actor }, session);
        await complete(session);
        return true;
      },
      async () => undefined,
    );
  };

  const pay: RowHandler = async (row, { signal }) => {
    const { tenantId, interactionId } = row;
    const tenant = store.forTenant(tenantId);
    const dividend = await dividendOf(row);
    const call = { tenantId, interactionId, createdBy: row.actor, signal };
    await posting.ensureAccounts(dividend.amount.currency, call);
    for (;;) {
      signal.throwIfAborted();
      const shares = await tenant.dueShares(dividend.dividendId, batchSize);
      if (shares.length === 0) break;
      await payTogether(dividend, shares, call).catch(async (error: unknown) => {
        if (passesByItself(error)) throw error;
        await payApart(row, dividend, shares, call);
      });
    }
    await tenant.finishPaying(dividend.dividendId);
  };

  async function payTogether(dividend: Dividend, shares: readonly DividendShare[], call: PostingCall): Promise<void> {
    const groups = shares.map((share) => dividendTransfers(share, dividend.declaredAt));
    const results = await posting.post(groups, call);
    crashPoint("investment.dividend.posted");
    await book(call.tenantId, dividend, shares, results);
  }

  /**
   * One that cannot be paid keeps back none of its batch; where none can be, it is none of them.
   */
  async function payApart(
    row: OutboxRow,
    dividend: Dividend,
    shares: readonly DividendShare[],
    call: PostingCall,
  ): Promise<void> {
    const faults: { share: DividendShare; error: unknown }[] = [];
    for (const share of shares) {
      call.signal?.throwIfAborted();
      await payTogether(dividend, [share], call).catch((error: unknown) => {
        if (passesByItself(error)) throw error;
        faults.push({ share, error });
      });
    }
    if (faults.length === shares.length && shares.length > 1) throw faults[0]?.error;
    for (const { share, error } of faults) await setAside(row, share, error);
  }

  /** It is tried by itself from then on, and its dividend is not over before it is. */
  async function setAside(row: OutboxRow, share: DividendShare, error: unknown): Promise<void> {
    const { tenantId, interactionId, actor } = row;
    const { shareId, dividendId, holdingId, attempt = 0 } = share;
    const place = { aggregate: `dividend-share:${shareId}`, seq: attempt + 1, kind: rowKinds.payShare };
    const apart = { tenantId, interactionId, actor, ...place, payload: { dividendId, shareId } };
    const isMine = await store.transaction(
      async (session) => {
        const isDue = await store.forTenant(tenantId).setShareAside(shareId, session);
        if (isDue) await outbox.add(apart, session);
        return isDue;
      },
      async () => undefined,
    );
    if (isMine) leaveRow(log, "dividends", { tenantId, dividendId, holdingId }, error);
  }

  /** One that was set aside. */
  const payOne: RowHandler = async (row, { signal }) => {
    const { tenantId, interactionId } = row;
    const tenant = store.forTenant(tenantId);
    const dividend = await dividendOf(row);
    const share = await tenant.findShareAside(String(row.payload["shareId"]));
    const call = { tenantId, interactionId, createdBy: row.actor, signal };
    if (share !== undefined) await payTogether(dividend, [share], call);
    await tenant.finishPaying(dividend.dividendId);
  };

  /**
   * Books a batch that was posted: shares, statements and the dividend's own sums in one commit.
   * Refuses LEASE_LOST.
   */
  async function book(
    tenantId: string,
    dividend: Dividend,
    shares: readonly DividendShare[],
    results: readonly (Date | Refusal)[],
  ): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const failed = shares.filter((_, index) => results[index] instanceof Refusal);
    const paid = shares.flatMap((share, index) => {
      const at = results[index];
      return at instanceof Date ? [{ share, at }] : [];
    });
    const paidShares = paid.map(({ share }) => share);
    const positions = await tenant.positionsOf(paidShares.map(({ holdingId }) => holdingId));
    const movements = paid.map(({ share, at }): Movement =>
      dividendMovement(dividend, share, at, positions.get(share.holdingId)),
    );
    const sums = {
      paidMinor: sumOf(paidShares.map(({ amount }) => amount.minor)),
      taxMinor: sumOf(paidShares.map(({ taxMinor }) => taxMinor)),
      failedMinor: sumOf(failed.map(({ amount }) => amount.minor)),
    };
    await store.transaction(
      async (session) => {
        const ended = await tenant.endShares(idsOf(paidShares), "PAID", session);
        const refused = await tenant.endShares(idsOf(failed), "FAILED", session);
        if (ended + refused !== shares.length) throw new Refusal("LEASE_LOST", "another run pays this dividend");
        if (movements.length > 0) await tenant.insertMovements(movements, session);
        if (paid.length > 0) await tell(tenant, { tenantId, ...dividend }, paid, session);
        await tenant.addToDividend(dividend.dividendId, sums, session);
        return true;
      },
      // Where the commit is unknown the shares themselves say: the next read finds them due or not.
      async () => true,
    );
    outbox.wake();
  }

  /** Each paid share is told as a change of its holding. */
  async function tell(
    tenant: TenantStore,
    cause: { tenantId: string; interactionId: string; createdBy: string },
    paid: readonly { share: DividendShare; at: Date }[],
    session: Session,
  ): Promise<void> {
    const ids = paid.map(({ share }) => share.holdingId);
    const holdings = await tenant.raiseHoldings(ids, session);
    const rows = paid.map(({ share, at }) => {
      const holding = holdings.get(share.holdingId);
      if (holding === undefined) throw new Error(`holding ${share.holdingId} is not there`);
      return dividendRow(cause, share, holding, at);
    });
    await outbox.addAll(rows, session);
  }

  return { shareOut, tax, pay, payOne };
}

/** Who held the product in the dividend's days, each with its unit-days. */
async function weightHolders(tenant: TenantStore, { productId, from, to }: Dividend) {
  const holders: Omit<Holder, "history">[] = [];
  const weights: bigint[] = [];
  for await (const { history, ...holder } of tenant.holdersOf(productId)) {
    const weight = unitDays(history, from, to);
    if (weight === 0n) continue;
    holders.push(holder);
    weights.push(weight);
  }
  return { holders, weights };
}

function shareOf(
  { dividendId }: Dividend,
  product: ProductContent | undefined,
  holder: Omit<Holder, "history">,
  amount: DividendShare["amount"],
): DividendShare {
  const share = { shareId: `${dividendId}:${holder.holdingId}`, dividendId, ...holder, amount };
  if (product === undefined) return { ...share, taxMinor: 0n, status: "UNTAXED" };
  return { ...share, taxMinor: taxOf(amount, product), status: "DUE" };
}

const taxOf = ({ minor, currency }: DividendShare["amount"], product: ProductContent): bigint =>
  withheld(minor, product, currency);

const idsOf = (shares: readonly DividendShare[]): string[] => shares.map(({ shareId }) => shareId);
const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((all, minor) => all + minor, 0n);
