import { v7 as uuidv7 } from "uuid";
import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import type { Outbox } from "../../shared/outbox/index.js";
import type { Sagas } from "../../shared/sagas.js";
import { accrue, type Holding } from "../domain/holding.js";
import { planDue, type Settlement } from "../domain/settlement.js";
import { identityOf } from "../sagas/settlement.js";
import type { Accrued, Lagging } from "../store/accrual.js";
import type { InvestmentStore, Session } from "../store/index.js";
import type { Versions } from "../store/product-versions.js";

/** Posts what a batch of holdings earned: one amount per currency. */
export const postAccrual = "post-accrual";
export interface AccrualPayload {
  batchId: string;
  date: string;
  /** The tenant's time when it was counted. */
  at: Date;
  amounts: { currency: string; minor: bigint }[];
}

// Large enough to spare round trips, small enough that a transaction is over in a fraction of a second.
const batchSize = 500;

export interface AccrualDeps {
  store: InvestmentStore;
  outbox: Pick<Outbox, "add" | "wake">;
  sagas: Pick<Sagas, "beginUnasked">;
  versions: Versions;
  businessClock: BusinessClock;
  crashPoint: (name: string) => void;
}

export type Accrual = ReturnType<typeof createAccrual>;

/**
 * Counts interest of holdings up to a day. A batch is one transaction: holdings, their customers' sums, what is due of them and the order
 * to post what they earned; a holding that has moved on is not found again, so whatever crashes, no day counts twice or never.
 */
export function createAccrual({ store, outbox, sagas, versions, businessClock, crashPoint }: AccrualDeps) {
  /** One batch; how many holdings it moved on. Nothing is left to do where that is 0. */
  async function countBatch(tenantId: string, of: Lagging, today: Temporal.PlainDate): Promise<number> {
    const batchId = uuidv7();
    const count = await store.transaction(
      (session) => countIn(tenantId, of, today, batchId, session),
      // A batch that cannot be known of is simply looked for again: what it moved on is not found.
      async () => 1,
    );
    if (count > 0) {
      crashPoint("investment.accrual.counted");
      outbox.wake();
    }
    return count;
  }

  async function countIn(
    tenantId: string,
    of: Lagging,
    today: Temporal.PlainDate,
    batchId: string,
    session: Session,
  ): Promise<number> {
    const tenant = store.forTenant(tenantId);
    const holdings = await tenant.laggingHoldings(of, today.toString(), batchSize, session);
    if (holdings.length === 0) return 0;
    const batch: Accrued[] = [];
    for (const holding of holdings) batch.push(await earned(tenantId, holding, today, batchId));
    await tenant.writeAccrued(batch, session);
    for (const { settlement } of batch) {
      if (settlement !== undefined) await sagas.beginUnasked(identityOf(tenantId, settlement), session);
    }
    const amounts = amountsOf(batch);
    if (amounts.length > 0) {
      const at = (await businessClock.forTenant(tenantId)).now();
      const payload = { batchId, date: today.toString(), at, amounts };
      const row = { tenantId, aggregate: `accrual:${batchId}`, seq: 1, kind: postAccrual, payload };
      await outbox.add({ ...row, interactionId: `accrual:${batchId}`, actor: "investment" }, session);
    }
    return batch.length;
  }

  /** What a holding earned up to today, or up to what is due before: then that is paid first, and the holding set aside. */
  async function earned(
    tenantId: string,
    holding: Holding,
    today: Temporal.PlainDate,
    batchId: string,
  ): Promise<Accrued> {
    const product = await versions.of(tenantId, holding.productId, holding.productVersion);
    const accrued = { holding, ...accrue(holding, product, today) };
    const { dueOn } = holding;
    if (dueOn === undefined || !accrued.interest.through.equals(dueOn)) return accrued;
    const { figures, after } = planDue({ ...holding, ...accrued }, product);
    const { holdingId, customerId, productId, walletAccountId, currency } = holding;
    const settlement: Settlement = {
      settlementId: uuidv7(),
      holdingId,
      customerId,
      productId,
      walletAccountId,
      currency,
      figures,
      after,
      createdAt: (await businessClock.forTenant(tenantId)).now(),
      caller: "",
      idempotencyKey: "",
      interactionId: `accrual:${batchId}`,
      createdBy: "investment",
    };
    return { ...accrued, settlement };
  }

  return {
    countBatch,
    /** Counts one holding on to today. */
    async catchUp(tenantId: string, holdingId: string): Promise<void> {
      await countBatch(tenantId, { holdingId }, (await businessClock.forTenant(tenantId)).today());
    },
  };
}

function amountsOf(batch: readonly Accrued[]): AccrualPayload["amounts"] {
  const sums = new Map<string, bigint>();
  for (const { holding, addedMinor } of batch) {
    sums.set(holding.currency, (sums.get(holding.currency) ?? 0n) + addedMinor);
  }
  return [...sums].filter(([, minor]) => minor > 0n).map(([currency, minor]) => ({ currency, minor }));
}
