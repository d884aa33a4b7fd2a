import { crashPoint } from "../../shared/crash-point.js";
import { money } from "../../shared/money.js";
import type { Outbox, RowHandler } from "../../shared/outbox/index.js";
import { Refusal } from "../../shared/refusal.js";
import type { Dividend, DividendShare } from "../domain/dividend.js";
import { shareDividend, unitDays } from "../domain/dividends.js";
import type { Movement } from "../domain/movement.js";
import { withheld } from "../domain/settlement.js";
import { dividendTransfers } from "../domain/transfers.js";
import type { Posting } from "../clients/posting.js";
import type { Holder } from "../store/dividends.js";
import type { InvestmentStore } from "../store/index.js";

/** Kinds of outbox rows. */
export const shareOutDividend = "share-out-dividend";
export const payDividend = "pay-dividend";

/** The rows of one dividend run one after the other. */
export function dividendAggregate(dividendId: string): string {
  return `dividend:${dividendId}`;
}

// Each share is a group of two transfers of its own: a wallet that is closed refuses its share alone.
const batchSize = 250;

export interface DividendsDeps {
  store: InvestmentStore;
  outbox: Pick<Outbox, "add">;
  posting: Posting;
}

/** Shares a declared dividend out and pays it, batch by batch; safe to run again from any point. */
export function createDividends({ store, outbox, posting }: DividendsDeps) {
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
    const product = await tenant.findProduct(dividend.productId);
    if (product === undefined) throw new Error(`product ${dividend.productId} is not there`);
    const [holders, weights]: [Omit<Holder, "history">[], bigint[]] = [[], []];
    for await (const { history, ...holder } of tenant.holdersOf(dividend.productId)) {
      const weight = unitDays(history, dividend.from, dividend.to);
      if (weight === 0n) continue;
      holders.push(holder);
      weights.push(weight);
    }
    const amounts = shareDividend(dividend.amount, weights) ?? [];
    for (let start = 0; start < holders.length; start += batchSize) {
      const some = holders.slice(start, start + batchSize).map((holder, index): DividendShare => {
        const amount = amounts[start + index] ?? money(0n, dividend.amount.currency);
        return {
          shareId: `${dividend.dividendId}:${holder.holdingId}`,
          dividendId: dividend.dividendId,
          ...holder,
          amount,
          taxMinor: withheld(amount.minor, product, amount.currency),
          status: "DUE",
        };
      });
      await tenant.putShares(some.filter(({ amount }) => amount.minor > 0n));
    }
    crashPoint("investment.dividend.shared");
    await store.transaction(
      async (session) => {
        if (!(await tenant.startPaying(dividend.dividendId, BigInt(holders.length), session))) return true;
        const next = { tenantId, aggregate: row.aggregate, seq: row.seq + 1, kind: payDividend, payload: row.payload };
        await outbox.add({ ...next, interactionId: row.interactionId, actor: row.actor }, session);
        await complete(session);
        return true;
      },
      async () => ((await tenant.findDividend(dividend.dividendId))?.status === "DECLARED" ? undefined : true),
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
      const results = await posting.post(
        shares.map((share) => dividendTransfers(share, dividend.declaredAt)),
        call,
      );
      crashPoint("investment.dividend.posted");
      await book(tenantId, dividend, shares, results);
    }
    await tenant.finishPaying(dividend.dividendId);
  };

  /** Shares, statement and the dividend's own sums in one commit; what another run has booked is left. */
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
    const standing = await tenant.standingOf(paid.map(({ share }) => share.holdingId));
    const lines = paid.map(({ share, at }): Movement => lineOf(dividend, share, at, standing.get(share.holdingId)));
    const sum = (some: readonly bigint[]) => some.reduce((all, minor) => all + minor, 0n);
    await store.transaction(
      async (session) => {
        const ids = (some: readonly DividendShare[]) => some.map(({ shareId }) => shareId);
        const ended = await tenant.endShares(ids(paid.map(({ share }) => share)), "PAID", session);
        const refused = await tenant.endShares(ids(failed), "FAILED", session);
        if (ended + refused !== shares.length) throw new Refusal("LEASE_LOST", "another run pays this dividend");
        if (lines.length > 0) await tenant.insertMovements(lines, session);
        const sums = {
          paidMinor: sum(paid.map(({ share }) => share.amount.minor)),
          taxMinor: sum(paid.map(({ share }) => share.taxMinor)),
          failedMinor: sum(failed.map(({ amount }) => amount.minor)),
        };
        await tenant.addToDividend(dividend.dividendId, sums, session);
        return true;
      },
      // Where the commit is unknown the shares themselves say: the next look finds them due or not.
      async () => true,
    );
  }

  return { shareOut, pay };
}

function lineOf(
  dividend: Dividend,
  { shareId, holdingId, customerId, amount, taxMinor }: DividendShare,
  bookedAt: Date,
  standing: { units: bigint; principalMinor: bigint } | undefined,
): Movement {
  return {
    movementId: shareId,
    holdingId,
    customerId,
    kind: "DIVIDEND",
    date: dividend.to,
    units: 0n,
    principalMinor: 0n,
    incomeMinor: amount.minor,
    penaltyMinor: 0n,
    taxMinor,
    reinvestedMinor: 0n,
    paidMinor: amount.minor - taxMinor,
    unitsAfter: standing?.units ?? 0n,
    principalAfterMinor: standing?.principalMinor ?? 0n,
    bookedAt,
  };
}
