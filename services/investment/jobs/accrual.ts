import { v7 as uuidv7 } from "uuid";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { leaveRow } from "../../kernel/outbox/left-rows.js";
import type { Logger } from "../../kernel/process/log.js";
import type { Outbox } from "../../kernel/outbox/index.js";
import { passesByItself } from "../../kernel/outbox/patience.js";
import type { Sagas } from "../../kernel/sagas/index.js";
import { accruedAmounts, accrueHolding, type Accrued, type LaggingHoldings } from "../domain/accrual.js";
import { settlementIdentity } from "../sagas/settlement.js";
import type { InvestmentStore, Session } from "../store/index.js";
import type { ProductVersions } from "../store/product-versions.js";
import type { AccrualPayload } from "./accrual-posting.js";
import { rowKinds } from "../row-kinds.js";

// Large enough to spare round trips, small enough that a transaction is over in a fraction of a
// second.
const batchSize = 500;

export interface AccrualDeps {
  store: InvestmentStore;
  outbox: Pick<Outbox, "add" | "wake">;
  sagas: Pick<Sagas, "beginUnasked">;
  versions: ProductVersions;
  businessClock: BusinessClock;
  log: Logger;
  crashPoint: (name: string) => void;
}

export type Accrual = ReturnType<typeof createAccrual>;

/**
 * Counts interest of holdings up to a day. A batch is one transaction: holdings, their customers'
 * sums, what is due of them and the order to post what they earned; a holding that has moved on is
 * not found again, so whatever crashes, no day counts twice or never. One that cannot be counted is
 * set aside, and the others go on.
 */
export function createAccrual({ store, outbox, sagas, versions, businessClock, log, crashPoint }: AccrualDeps) {
  /**
   * Accrues one batch of a slice, a smaller one where it fails, down to the one holding that fails
   * by itself. Gives how many holdings it moved on, 0 where nothing is left to do.
   */
  async function countBatch(tenantId: string, of: LaggingHoldings, today: Temporal.PlainDate): Promise<number> {
    for (let size = batchSize; ; size = Math.ceil(size / 2)) {
      try {
        return await countAtOnce(tenantId, of, today, size);
      } catch (error) {
        if ("holdingId" in of || passesByItself(error)) throw error;
        if (size === 1) return setAside(tenantId, of, today, error);
      }
    }
  }

  async function countAtOnce(
    tenantId: string,
    of: LaggingHoldings,
    today: Temporal.PlainDate,
    size: number,
  ): Promise<number> {
    const batchId = uuidv7();
    const count = await store.transaction(
      (session) => countIn(session, { tenantId, of, today, batchId, size }),
      // Where the commit is unknown the batch is looked for again: what it moved on is not found.
      async () => 1,
    );
    if (count > 0) {
      crashPoint("investment.accrual.counted");
      outbox.wake();
    }
    return count;
  }

  /**
   * The first of those that lag behind is counted by a row of its own from now on,
   * which is tried again, and shown.
   */
  async function setAside(
    tenantId: string,
    of: LaggingHoldings,
    today: Temporal.PlainDate,
    error: unknown,
  ): Promise<number> {
    const holdingId = await store.transaction(
      async (session) => {
        const first = await store.forTenant(tenantId).setFirstAside(of, today.toString(), session);
        if (first === undefined) return "";
        const [aggregate, interactionId] = [`set-aside:${first}`, `accrual:${first}`];
        // A holding is set aside once a second at most.
        const place = { aggregate, seq: Math.floor(Date.now() / 1_000), kind: rowKinds.resumeHolding };
        const payload = { holdingId: first };
        await outbox.add({ tenantId, ...place, payload, interactionId, actor: createdBy }, session);
        return first;
      },
      async () => "",
    );
    log.error(
      { err: error, tenantId, holdingId },
      "a holding could not be counted and was set aside, the others go on",
    );
    outbox.wake();
    return 1;
  }

  async function countIn(session: Session, batch: Batch): Promise<number> {
    const { tenantId, of, today, batchId, size } = batch;
    const tenant = store.forTenant(tenantId);
    const holdings = await tenant.laggingHoldings(of, today.toString(), size, session);
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
    const row = { tenantId, aggregate, seq: 1, kind: rowKinds.postAccrual, payload: { ...payload } };
    await outbox.add({ ...row, interactionId: aggregate, actor: createdBy }, session);
  }

  /** Counts one holding on to today. */
  async function catchUp(tenantId: string, holdingId: string): Promise<void> {
    await countBatch(tenantId, { holdingId }, (await businessClock.forTenant(tenantId)).today());
  }

  return {
    countBatch,
    catchUp,
    /**
     * Counts one that was set aside, which is one of the others then. Throws
     * where it still cannot be counted.
     */
    async resume(tenantId: string, holdingId: string): Promise<void> {
      await catchUp(tenantId, holdingId).catch((error: unknown) => {
        leaveRow(log, "accrual", { tenantId, holdingId }, error);
        throw error;
      });
      await store.forTenant(tenantId).takeBack(holdingId);
    },
  };
}

const createdBy = "investment";

interface Batch {
  readonly tenantId: string;
  readonly of: LaggingHoldings;
  readonly today: Temporal.PlainDate;
  readonly batchId: string;
  /** How many holdings at most. */
  readonly size: number;
}
