import { v7 as uuidv7 } from "uuid";
import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import type { Outbox } from "../../shared/outbox/index.js";
import type { Sagas } from "../../shared/sagas/index.js";
import { accruedAmounts, accrueHolding, type Accrued, type LaggingHoldings } from "../domain/accrual.js";
import { settlementIdentity } from "../sagas/settlement.js";
import type { InvestmentStore, Session } from "../store/index.js";
import type { ProductVersions } from "../store/product-versions.js";
import { postAccrual, type AccrualPayload } from "./accrual-posting.js";

// Large enough to spare round trips, small enough that a transaction is over in a fraction of a
// second.
const batchSize = 500;

export interface AccrualDeps {
  store: InvestmentStore;
  outbox: Pick<Outbox, "add" | "wake">;
  sagas: Pick<Sagas, "beginUnasked">;
  versions: ProductVersions;
  businessClock: BusinessClock;
  crashPoint: (name: string) => void;
}

export type Accrual = ReturnType<typeof createAccrual>;

/**
 * Counts interest of holdings up to a day. A batch is one transaction: holdings, their customers'
 * sums, what is due of them and the order to post what they earned; a holding that has moved on is
 * not found again, so whatever crashes, no day counts twice or never.
 */
export function createAccrual({ store, outbox, sagas, versions, businessClock, crashPoint }: AccrualDeps) {
  /** Accrues one batch; gives how many holdings it moved on, 0 where nothing is left to do. */
  async function countBatch(tenantId: string, of: LaggingHoldings, today: Temporal.PlainDate): Promise<number> {
    const batchId = uuidv7();
    const count = await store.transaction(
      (session) => countIn(session, { tenantId, of, today, batchId }),
      // Where the commit is unknown the batch is looked for again: what it moved on is not found.
      async () => 1,
    );
    if (count > 0) {
      crashPoint("investment.accrual.counted");
      outbox.wake();
    }
    return count;
  }

  async function countIn(session: Session, batch: Batch): Promise<number> {
    const { tenantId, of, today, batchId } = batch;
    const tenant = store.forTenant(tenantId);
    const holdings = await tenant.laggingHoldings(of, today.toString(), batchSize, session);
    if (holdings.length === 0) return 0;
    const now = (await businessClock.forTenant(tenantId)).now();
    const accrued: Accrued[] = [];
    for (const holding of holdings) {
      const product = await versions.of(tenantId, holding.productId, holding.productVersion);
      const due = { settlementId: uuidv7(), createdAt: now, interactionId: `accrual:${batchId}`, createdBy };
      accrued.push(accrueHolding(holding, product, today, due));
    }
    await tenant.writeAccrued(accrued, session);
    for (const { settlement } of accrued) {
      if (settlement !== undefined) await sagas.beginUnasked(settlementIdentity(tenantId, settlement), session);
    }
    await orderPosting(session, batch, accrued, now);
    return accrued.length;
  }

  /** What the batch earned is posted by its outbox row. */
  async function orderPosting(
    session: Session,
    { tenantId, today, batchId }: Batch,
    accrued: readonly Accrued[],
    at: Date,
  ): Promise<void> {
    const amounts = accruedAmounts(accrued);
    if (amounts.length === 0) return;
    const aggregate = `accrual:${batchId}`;
    const payload: AccrualPayload = { batchId, date: today.toString(), at, amounts };
    const row = { tenantId, aggregate, seq: 1, kind: postAccrual, payload: { ...payload } };
    await outbox.add({ ...row, interactionId: aggregate, actor: createdBy }, session);
  }

  return {
    countBatch,
    /** Counts one holding on to today. */
    async catchUp(tenantId: string, holdingId: string): Promise<void> {
      await countBatch(tenantId, { holdingId }, (await businessClock.forTenant(tenantId)).today());
    },
  };
}

const createdBy = "investment";

interface Batch {
  readonly tenantId: string;
  readonly of: LaggingHoldings;
  readonly today: Temporal.PlainDate;
  readonly batchId: string;
}
