import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import { outgoing } from "../../kernel/grpc/client.js";
import type { Outbox, OutboxRow, RelayContext, RowHandler } from "../../kernel/outbox/index.js";
import { storedRefusal } from "../../kernel/refusal.js";
import { applicationAggregate } from "../sagas/application-identity.js";
import type { ApplicationSaga } from "../sagas/application.js";
import { requestDecision, type ComplianceDecision } from "../clients/compliance.js";
import { isBefore } from "../domain/dates.js";
import type { Application, ApplicationEnding } from "../domain/application.js";
import type { Compliance } from "../clients/neighbours.js";
import type { InvestmentStore, Session } from "../store/index.js";
import { rowKinds } from "../row-kinds.js";

const maxPauseMs = 30 * 60_000;

export interface WaitingDeps {
  store: InvestmentStore;
  outbox: Pick<Outbox, "add" | "cancel" | "inMs">;
  applications: Pick<ApplicationSaga, "driveById">;
  compliance: Pick<Compliance, "checkCustomerAction" | "releaseReservation">;
  businessClock: BusinessClock;
  crashPoint: (name: string) => void;
  /** Before compliance is asked a second time, ms; later pauses double. */
  recheckAfterMs: number;
}

export type ApplicationsWaiting = ReturnType<typeof createApplicationsWaiting>;
type Complete = RelayContext["complete"];

/**
 * Applications that compliance has not decided on: they go on, or end, when it has, or when they
 * have waited too long.
 */
export function createApplicationsWaiting(deps: WaitingDeps) {
  const { store, outbox, applications, compliance, businessClock, crashPoint, recheckAfterMs } = deps;

  /**
   * Asks compliance again. What follows is one commit with this row, save the purchase, which the
   * same row drives on.
   */
  const recheck: RowHandler = async (row, { signal, complete }) => {
    const { tenantId, interactionId } = row;
    const applicationId = String(row.payload["applicationId"]);
    const application = await store.forTenant(tenantId).findApplication(applicationId);
    if (application === undefined) throw new Error(`application ${applicationId} is not there`);
    if (application.isWaiting) {
      const decision = await requestDecision(compliance, application, { tenantId, interactionId, signal });
      crashPoint("investment.waiting.asked");
      if (decision.kind === "waits") return scheduleRecheck(row, application, decision, complete);
      if (decision.kind === "refused") {
        return end(row, application, { status: "REFUSED", refusal: storedRefusal(decision.refusal) }, complete);
      }
      const time = await businessClock.forTenant(tenantId, interactionId);
      await store.forTenant(tenantId).resumeApplication(applicationId, { day: time.today(), at: time.now() });
      crashPoint("investment.waiting.resumed");
    }
    await applications.driveById(tenantId, applicationId, { closeRecovery: complete });
  };

  async function scheduleRecheck(
    row: OutboxRow,
    application: Application,
    waitingFor: ComplianceDecision & { kind: "waits" },
    complete: Complete,
  ): Promise<void> {
    const { tenantId, aggregate, seq, interactionId, actor } = row;
    const { applicationId, waiting } = application;
    const today = (await businessClock.forTenant(tenantId, interactionId)).today();
    if (waiting !== undefined && isBefore(waiting.until, today)) {
      return end(row, application, { status: "EXPIRED" }, complete);
    }
    const rechecks = Number(row.payload["rechecks"] ?? 0);
    const pauseMs = Math.min(maxPauseMs, recheckAfterMs * 2 ** Math.min(rechecks, 20));
    const next = {
      tenantId,
      aggregate,
      seq: seq + 1,
      kind: rowKinds.awaitCompliance,
      interactionId,
      actor,
      payload: { applicationId, rechecks: rechecks + 1 },
      dueAt: outbox.inMs(pauseMs),
    };
    await commit(async (session) => {
      await complete(session);
      await store.forTenant(tenantId).updateWaiting(applicationId, waitingFor, session);
      await outbox.add(next, session);
    });
  }

  async function end(row: OutboxRow, application: Application, ending: ApplicationEnding, complete: Complete) {
    const { tenantId, seq, interactionId, actor } = row;
    await commit(async (session) => {
      await complete(session);
      const { applicationId } = application;
      if (!(await store.forTenant(tenantId).endWaiting(applicationId, ending, session))) return;
      if (ending.status === "EXPIRED") {
        await outbox.add(releaseRow({ tenantId, interactionId, actor }, applicationId, seq + 1), session);
      }
    });
    crashPoint("investment.waiting.ended");
  }

  /**
   * Where the commit is unknown it is made again: a row that was closed by it is not ours any more
   * then.
   */
  const commit = (work: (session: Session) => Promise<void>) =>
    store.transaction(
      async (session) => {
        await work(session);
        return true;
      },
      async () => undefined,
    );

  const release: RowHandler = async (row, { signal }) => {
    const transactionId = String(row.payload["applicationId"]);
    await compliance.releaseReservation({ transactionId }, outgoing({ ...row, signal }));
  };

  return {
    recheck,
    release,
    /** Inside the transaction that takes an application back. */
    async withdraw(origin: Origin, applicationId: string, session: Session): Promise<boolean> {
      const { tenantId } = origin;
      if (!(await store.forTenant(tenantId).endWaiting(applicationId, { status: "WITHDRAWN" }, session))) return false;
      await outbox.cancel(
        tenantId,
        { aggregate: applicationAggregate(applicationId), kind: rowKinds.awaitCompliance },
        session,
      );
      await outbox.add(releaseRow(origin, applicationId, 1), session);
      return true;
    },
  };
}

type Origin = Pick<OutboxRow, "tenantId" | "interactionId" | "actor">;

function releaseRow(origin: Origin, applicationId: string, seq: number) {
  const aggregate = applicationAggregate(applicationId);
  return { ...origin, aggregate, seq, kind: rowKinds.releaseCompliance, payload: { applicationId } };
}
