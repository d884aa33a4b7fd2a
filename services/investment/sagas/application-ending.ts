import type { StoredAnswer } from "../../kernel/idempotency/index.js";
import type { NewRow } from "../../kernel/outbox/index.js";
import { storedRefusal, Refusal } from "../../kernel/refusal.js";
import type { DriveContext, Sagas } from "../../kernel/sagas/index.js";
import {
  boughtAt,
  isAtRest,
  maxWaitDays,
  type Application,
  type ApplicationEnding,
  type Waiting,
  type WaitingFor,
} from "../domain/application.js";
import { newHolding, type Holding } from "../domain/holding.js";
import { interestOfTerm } from "../domain/interest.js";
import { purchaseOf } from "../domain/movement.js";
import { interestTerms, type ProductVersion } from "../domain/product.js";
import type { InvestmentStore, Session } from "../store/index.js";
import type { ProductVersions } from "../store/product-versions.js";
import { applicationAnswer } from "../wire/applications.js";
import { investmentEventRow } from "../wire/event-rows.js";
import { applicationIdentity } from "./application-identity.js";
import { rowKinds } from "../row-kinds.js";

export interface ApplicationEndingDeps {
  store: InvestmentStore;
  sagas: Sagas;
  versions: ProductVersions;
  crashPoint: (name: string) => void;
}

/**
 * Last transactions of an application: completed, refused, or set aside for compliance. Each gives
 * the answer that stands.
 */
export function createApplicationEnding({ store, sagas, versions, crashPoint }: ApplicationEndingDeps) {
  /** The money is in: the holding begins. */
  async function complete(tenantId: string, application: Application, context: DriveContext): Promise<StoredAnswer> {
    const { applicationId, productId, productVersion, customerId, walletAccountId, units, total } = application;
    const product = await versions.of(tenantId, productId, productVersion);
    const bought = { holdingId: applicationId, applicationId, customerId, walletAccountId, units };
    const at = boughtAt(application);
    const holding = newHolding(product, bought, application.appliedOn);
    const ending = completedBy(holding, product, application);
    const events = [investmentEventRow({ tenantId, ...application }, "investment.accepted", holding, at)];
    const ended = { application, ending, isReserved: true, events };
    const answer = await end(tenantId, ended, context, async (session) => {
      const tenant = store.forTenant(tenantId);
      await tenant.insertHolding(holding, at, session);
      await tenant.insertMovements([purchaseOf(application, holding, at)], session);
      const sums = { principalMinor: total.minor, interestMinor: 0n };
      await tenant.addToTotals(customerId, total.currency, sums, session);
    });
    crashPoint("investment.application.completed");
    if (answer.kind !== "response") throw new Error(`application ${applicationId} is paid but was refused`);
    return answer;
  }

  /**
   * Ends it REFUSED; units that it had taken are for sale again. A refusal before the units counts
   * only while no other driver has taken them: that one may have the money by now. One after them
   * is the wallet's, which decides once for all drivers.
   */
  async function refuse(
    tenantId: string,
    { application, refusal, isReserved }: { application: Application; refusal: Refusal; isReserved: boolean },
    context: DriveContext,
  ): Promise<StoredAnswer> {
    const ending: ApplicationEnding = { status: "REFUSED", refusal: storedRefusal(refusal) };
    const { productId, customerId, units } = application;
    const answer = await end(tenantId, { application, ending, isReserved }, context, async (session) => {
      if (!isReserved) return;
      const tenant = store.forTenant(tenantId);
      await tenant.takeUnits(productId, -units, session);
      await tenant.addToPosition(productId, customerId, -units, session);
    });
    crashPoint("investment.application.refused");
    return answer;
  }

  /**
   * Answers the key with an application that waits, takes nothing, and has compliance asked again
   * until it decides.
   */
  async function wait(
    tenantId: string,
    { application, waitingFor }: { application: Application; waitingFor: WaitingFor },
    context: DriveContext,
  ): Promise<StoredAnswer> {
    const { applicationId, appliedOn, createdAt } = application;
    const { decision, outstandingRequirements } = waitingFor;
    const until = appliedOn.add({ days: maxWaitDays });
    const waiting: Waiting = { since: createdAt, until, decision, outstandingRequirements };
    const answered = await sagas.end(
      applicationIdentity(tenantId, application),
      {
        answer: applicationAnswer({ ...application, waiting }) as StoredAnswer,
        apply: (session) => store.forTenant(tenantId).beginWaiting(applicationId, waiting, session),
        readBack: () => decidedAnswer(tenantId, applicationId, false),
        next: [{ kind: rowKinds.awaitCompliance, payload: { applicationId, rechecks: 0 } }],
      },
      context,
    );
    crashPoint("investment.application.waiting");
    return answered;
  }

  /** `alsoWrite` is part of the same commit. */
  async function end(
    tenantId: string,
    {
      application,
      ending,
      isReserved,
      events = [],
    }: { application: Application; ending: ApplicationEnding; isReserved: boolean; events?: readonly NewRow[] },
    context: DriveContext,
    alsoWrite: (session: Session) => Promise<void>,
  ): Promise<StoredAnswer> {
    const tenant = store.forTenant(tenantId);
    const { applicationId } = application;
    return sagas.end(
      applicationIdentity(tenantId, application),
      {
        answer: applicationAnswer({ ...application, ending }) as StoredAnswer,
        apply: async (session) => {
          if (!(await tenant.endApplication(applicationId, ending, isReserved, session))) return false;
          await alsoWrite(session);
          return true;
        },
        readBack: () => decidedAnswer(tenantId, applicationId, isReserved),
        eventRows: events,
      },
      context,
    );
  }

  /**
   * The answer of an application that has come to its end, or waits; undefined while it is as the
   * asker knows it.
   */
  async function decidedAnswer(tenantId: string, applicationId: string, isReserved: boolean) {
    const found = await store.forTenant(tenantId).findApplication(applicationId);
    if (found === undefined || isAtRest(found)) return found && applicationAnswer(found);
    if (found.isReserved === isReserved) return undefined;
    throw new Refusal("UNAVAILABLE", "the application is being decided: ask again", { retryAfterS: 1 });
  }

  return { complete, refuse, wait };
}

function completedBy(
  { holdingId, maturity, ratePercent }: Holding,
  product: ProductVersion,
  { total, appliedOn }: Application,
): ApplicationEnding {
  if (maturity === undefined) return { status: "COMPLETED", holdingId };
  const terms = interestTerms(product, ratePercent);
  const expectedReturnMinor = interestOfTerm(total.minor, terms, appliedOn, maturity);
  return { status: "COMPLETED", holdingId, maturity, expectedReturnMinor };
}
