import type { StoredAnswer, Ticket } from "../../kernel/idempotency/index.js";
import type { Logger } from "../../kernel/process/log.js";
import type { NewRow } from "../../kernel/outbox/index.js";
import { storedRefusal, Refusal } from "../../kernel/refusal.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { deadlineOf, identityOf, type DriveContext, type SagaIdentity, type Sagas } from "../../kernel/sagas/index.js";
import { isBefore } from "../domain/dates.js";
import type { SagaOrigin } from "../../kernel/sagas/saga-origin.js";
import type { Holding } from "../domain/holding.js";
import { movementOf } from "../domain/movement.js";
import type { Settlement, SettlementEnding } from "../domain/settlement.js";
import { settlementTransfers } from "../domain/transfers.js";
import type { Posting } from "../clients/posting.js";
import type { InvestmentStore, Session } from "../store/index.js";
import { settlementAnswer } from "../wire/redemptions.js";
import { investmentEventRow } from "../wire/event-rows.js";
import { rowKinds } from "../row-kinds.js";

export const redeemOperation = "investment.v1.RedeemHolding";

export interface SettlementSagaDeps {
  store: InvestmentStore;
  sagas: Sagas;
  posting: Posting;
  businessClock: BusinessClock;
  log: Logger;
  crashPoint: (name: string) => void;
}

export type SettlementSaga = ReturnType<typeof createSettlementSaga>;

/**
 * Money of a holding on its way into a wallet: redemption, interest, maturity. The holding is set
 * aside until it is there.
 */
export function createSettlementSaga(deps: SettlementSagaDeps) {
  const { store, sagas, posting, businessClock, log, crashPoint } = deps;

  /** First transaction of what a customer asked for; `plan` decides in it. */
  async function begin(
    tenantId: string,
    made: { ticket: Ticket; settlementId: string; plan(session: Session): Promise<Settlement>; origin: SagaOrigin },
  ): Promise<Settlement> {
    const tenant = store.forTenant(tenantId);
    const { settlementId, ticket, plan, origin } = made;
    const settlement = await sagas.begin(settlementIdentity(tenantId, { settlementId, ...origin }), {
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

  /**
   * Drives a settlement to its end; idempotent and safe beside itself. Throws while the outcome is
   * unknown.
   */
  async function drive(tenantId: string, settlement: Settlement, context: DriveContext): Promise<StoredAnswer> {
    const answer = settlementAnswer(settlement);
    if (answer !== undefined) return answer;
    const { interactionId, createdBy, currency } = settlement;
    const call = { tenantId, interactionId, createdBy, ...deadlineOf(context) };
    await posting.ensureAccounts(currency, call);
    const transfers = settlementTransfers(settlement);
    // Where nothing moves, such as no interest at a rate of zero, there is nothing to post.
    const [posted = new Date()] = transfers.length === 0 ? [] : await posting.post([transfers], call);
    crashPoint("investment.settlement.posted");
    const isRefused = posted instanceof Refusal;
    // A wallet that is closed: what was due stays owed until it can be paid, what was asked for is
    // answered so.
    if (isRefused) log.warn({ settlementId: settlement.settlementId, code: posted.code }, "a settlement was refused");
    const ending: SettlementEnding = isRefused
      ? { status: "FAILED", refusal: storedRefusal(posted) }
      : { status: "DONE", postedAt: posted };
    const ended = await end(tenantId, settlement, ending, context);
    crashPoint("investment.settlement.ended");
    return ended;
  }

  async function driveById(tenantId: string, settlementId: string, context: DriveContext): Promise<StoredAnswer> {
    const settlement = await store.forTenant(tenantId).findSettlement(settlementId);
    if (settlement === undefined) throw new Error(`settlement ${settlementId} is not there`);
    return drive(tenantId, settlement, context);
  }

  async function end(
    tenantId: string,
    settlement: Settlement,
    ending: SettlementEnding,
    context: DriveContext,
  ): Promise<StoredAnswer> {
    const tenant = store.forTenant(tenantId);
    const { settlementId, holdingId } = settlement;
    const today = (await businessClock.forTenant(tenantId)).today();
    const lagsBehind = settlement.after.status === "ACTIVE" && isBefore(settlement.figures.date, today);
    let events: NewRow[] = [];
    return sagas.end(
      settlementIdentity(tenantId, settlement),
      {
        answer: settlementAnswer({ ...settlement, ending }) as StoredAnswer,
        apply: async (session) => {
          if (!(await tenant.endSettlement(settlementId, ending, session))) return false;
          const change = changeBy(settlement, ending, today);
          const holding = await tenant.releaseHolding(holdingId, settlementId, change, session);
          events = tells(tenantId, settlement, ending, holding);
          if (ending.status === "DONE") await book(tenantId, settlement, ending.postedAt, session);
          return true;
        },
        readBack: async () => {
          const found = await tenant.findSettlement(settlementId);
          return found && settlementAnswer(found);
        },
        eventRows: () => events,
        ...(lagsBehind &&
          ending.status === "DONE" && { next: [{ kind: rowKinds.catchUpHolding, payload: { holdingId } }] }),
      },
      context,
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

/**
 * The end of a term and units that were given back are told; interest that is paid
 * meanwhile is on the statement.
 */
function tells(tenantId: string, settlement: Settlement, ending: SettlementEnding, holding: Holding): NewRow[] {
  if (ending.status !== "DONE") return [];
  const { kind } = settlement.figures;
  const type = kind === "MATURITY" ? "investment.matured" : kind === "REDEMPTION" ? "investment.redeemed" : undefined;
  return type === undefined ? [] : [investmentEventRow({ tenantId, ...settlement }, type, holding, ending.postedAt)];
}

/** What becomes of the holding. Undefined where it is as it was: a redemption that was refused. */
function changeBy(settlement: Settlement, ending: SettlementEnding, today: Temporal.PlainDate) {
  if (ending.status === "DONE") return settlement.after;
  if (settlement.caller !== "") return undefined;
  return { unpaid: { since: settlement.figures.date, triedOn: today, code: ending.refusal.code } };
}

/** Of a settlement that the calendar asks for, or a customer. */
export function settlementIdentity(
  tenantId: string,
  settlement: Pick<Settlement, "settlementId"> & SagaOrigin,
): SagaIdentity {
  const { settlementId } = settlement;
  return identityOf(tenantId, settlement, {
    operation: redeemOperation,
    aggregate: `settlement:${settlementId}`,
    recovery: rowKinds.driveSettlement,
    payload: { settlementId },
  });
}
