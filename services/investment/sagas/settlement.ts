import type { StoredAnswer, Ticket } from "../../shared/idempotency/index.js";
import type { Logger } from "../../shared/log.js";
import { keptRefusal, Refusal } from "../../shared/refusal.js";
import type { BusinessClock } from "../../shared/clocks/business-clock.js";
import type { DriveContext, SagaIdentity, Sagas } from "../../shared/sagas.js";
import { waitingFor } from "./application.js";
import { isBefore } from "../domain/dates.js";
import { movementOf } from "../domain/movement.js";
import type { Settlement, SettlementEnding } from "../domain/settlement.js";
import { settlementTransfers } from "../domain/transfers.js";
import type { Posting } from "../clients/posting.js";
import type { InvestmentStore, Session } from "../store/index.js";
import { settlementAnswer } from "../wire/investments.js";

export const redeemOperation = "investment.v1.RedeemHolding";
export const driveSettlement = "drive-settlement";
/** A holding that lags behind after what was due on it: counted and paid on to today. */
export const catchUpHolding = "catch-up-holding";

export interface SettlementSagaDeps {
  store: InvestmentStore;
  sagas: Sagas;
  posting: Posting;
  businessClock: BusinessClock;
  log: Logger;
  crashPoint: (name: string) => void;
}

export type SettlementSaga = ReturnType<typeof createSettlementSaga>;

/** Money of a holding on its way into a wallet: redemption, interest, maturity. The holding is set aside until it is there. */
export function createSettlementSaga(deps: SettlementSagaDeps) {
  const { store, sagas, posting, businessClock, log, crashPoint } = deps;

  /** First transaction of what a customer asked for; `plan` decides in it. */
  async function begin(
    tenantId: string,
    made: { ticket: Ticket; settlementId: string; plan(session: Session): Promise<Settlement>; asked: SagaOriginOf },
  ): Promise<Settlement> {
    const tenant = store.forTenant(tenantId);
    const { settlementId, ticket, plan, asked } = made;
    const settlement = await sagas.begin(identityOf(tenantId, { settlementId, ...asked }), {
      ticket,
      id: settlementId,
      insert: async (session) => {
        const planned = await plan(session);
        await tenant.insertSettlement(planned, session);
        return planned;
      },
      readBack: () => tenant.findSettlement(settlementId),
    });
    crashPoint("investment.settlement.planned");
    return settlement;
  }

  /** Drives a settlement to its end; idempotent and safe beside itself. Throws while the outcome is unknown. */
  async function drive(tenantId: string, settlement: Settlement, pass: DriveContext): Promise<StoredAnswer> {
    const answer = settlementAnswer(settlement);
    if (answer !== undefined) return answer;
    const { interactionId, createdBy, currency } = settlement;
    const call = { tenantId, interactionId, createdBy, ...waitingFor(pass) };
    await posting.ensureAccounts(currency, call);
    const transfers = settlementTransfers(settlement);
    // Where nothing moves, such as no interest at a rate of zero, there is nothing to post.
    const [posted = new Date()] = transfers.length === 0 ? [] : await posting.post([transfers], call);
    crashPoint("investment.settlement.posted");
    const isRefused = posted instanceof Refusal;
    // A wallet that is closed: what was due stays owed until it can be paid, what was asked for is answered so.
    if (isRefused) log.warn({ settlementId: settlement.settlementId, code: posted.code }, "a settlement was refused");
    const ending: SettlementEnding = isRefused
      ? { status: "FAILED", refusal: keptRefusal(posted) }
      : { status: "DONE", postedAt: posted };
    const ended = await end(tenantId, settlement, ending, pass);
    crashPoint("investment.settlement.ended");
    return ended;
  }

  async function driveById(tenantId: string, settlementId: string, pass: DriveContext): Promise<StoredAnswer> {
    const settlement = await store.forTenant(tenantId).findSettlement(settlementId);
    if (settlement === undefined) throw new Error(`settlement ${settlementId} is not there`);
    return drive(tenantId, settlement, pass);
  }

  async function end(
    tenantId: string,
    settlement: Settlement,
    ending: SettlementEnding,
    pass: DriveContext,
  ): Promise<StoredAnswer> {
    const tenant = store.forTenant(tenantId);
    const { settlementId, holdingId } = settlement;
    const today = (await businessClock.forTenant(tenantId)).today();
    const lagsBehind = settlement.after.status === "ACTIVE" && isBefore(settlement.figures.date, today);
    return sagas.end(
      identityOf(tenantId, settlement),
      {
        answer: settlementAnswer({ ...settlement, ending }) as StoredAnswer,
        apply: async (session) => {
          if (!(await tenant.endSettlement(settlementId, ending, session))) return false;
          await tenant.releaseHolding(holdingId, settlementId, changeBy(settlement, ending, today), session);
          if (ending.status === "DONE") await book(tenantId, settlement, ending.postedAt, session);
          return true;
        },
        readBack: async () => {
          const found = await tenant.findSettlement(settlementId);
          return found && settlementAnswer(found);
        },
        ...(lagsBehind && ending.status === "DONE" && { next: [{ kind: catchUpHolding, payload: { holdingId } }] }),
      },
      pass,
    );
  }

  /** What the customer has now, in sums and on the statement. */
  async function book(tenantId: string, settlement: Settlement, postedAt: Date, session: Session): Promise<void> {
    const tenant = store.forTenant(tenantId);
    const { customerId, currency, productId, figures } = settlement;
    const sums = {
      principalMinor: figures.reinvestedMinor - figures.principalMinor,
      interestMinor: figures.addedMinor - figures.interestMinor,
    };
    await tenant.addToTotals(customerId, currency, sums, session);
    if (figures.units > 0n) await tenant.addToPosition(productId, customerId, -figures.units, session);
    await tenant.insertMovements([movementOf(settlement, postedAt)], session);
  }

  return { begin, drive, driveById };
}

/** What becomes of the holding. Undefined where it is as it was: a redemption that was refused. */
function changeBy(settlement: Settlement, ending: SettlementEnding, today: Temporal.PlainDate) {
  if (ending.status === "DONE") return settlement.after;
  if (settlement.caller !== "") return undefined;
  return { unpaid: { since: settlement.figures.date, triedOn: today, code: ending.refusal.code } };
}

type SagaOriginOf = Pick<Settlement, "caller" | "idempotencyKey" | "interactionId" | "createdBy">;

/** Of a settlement that the calendar asks for, or a customer. */
export function identityOf(
  tenantId: string,
  settlement: Pick<Settlement, "settlementId"> & SagaOriginOf,
): SagaIdentity {
  const { settlementId, caller, idempotencyKey, interactionId, createdBy } = settlement;
  return {
    tenantId,
    operation: redeemOperation,
    aggregate: `settlement:${settlementId}`,
    recovery: driveSettlement,
    payload: { settlementId },
    caller,
    idempotencyKey,
    interactionId,
    createdBy,
  };
}
