import { outgoing } from "../../shared/grpc/client.js";
import type { StoredAnswer, Ticket } from "../../shared/idempotency/index.js";
import { isDuplicateKey } from "../../shared/mongo/transaction.js";
import { keptRefusal, Refusal, type RefusalCode } from "../../shared/refusal.js";
import type { DriveContext, Sagas } from "../../shared/sagas.js";
import { isSandbox } from "../../shared/sandbox.js";
import type { KeyedMutex } from "../../shared/batching/keyed-mutex.js";
import { awaitCompliance, identityOf } from "./application-identity.js";
import { askCompliance, type Word } from "../clients/compliance.js";
import {
  boughtAt,
  checkUnits,
  maxWaitDays,
  type Application,
  type ApplicationEnding,
  type Waiting,
  type WaitingFor,
} from "../domain/application.js";
import { newHolding } from "../domain/holding.js";
import { interestOfTerm } from "../domain/interest.js";
import { purchaseOf } from "../domain/movement.js";
import { interestTerms } from "../domain/product.js";
import { accountOf } from "../domain/transfers.js";
import { decisionOr, type Compliance, type Wallet } from "../clients/neighbours.js";
import type { Posting } from "../clients/posting.js";
import type { InvestmentStore, Session } from "../store/index.js";
import type { Versions } from "../store/versions.js";
import { applicationAnswer } from "../wire/investments.js";

// What the wallet decides about a debit; each is kept under its key, so a late repetition cannot succeed after it.
const debitDecisions: ReadonlySet<RefusalCode> = new Set([
  "INSUFFICIENT_FUNDS",
  "ACCOUNT_CLOSED",
  "ACCOUNT_FROZEN",
  "CURRENCY_MISMATCH",
  "CUSTOMER_NOT_CONFIRMED",
  "COMPLIANCE_REJECTED",
  "NOT_FOUND",
  "ACCOUNT_NOT_FOUND",
] as const);

export interface ApplicationSagaDeps {
  store: InvestmentStore;
  sagas: Sagas;
  posting: Posting;
  versions: Versions;
  turns: KeyedMutex;
  compliance: Pick<Compliance, "checkCustomerAction">;
  wallet: Pick<Wallet, "debitWallet">;
  crashPoint: (name: string) => void;
}

export type ApplicationSaga = ReturnType<typeof createApplicationSaga>;

/** An application from its first record to its one answer: compliance, units, money, holding. */
export function createApplicationSaga(deps: ApplicationSagaDeps) {
  const { store, sagas, posting, versions, turns, compliance, wallet, crashPoint } = deps;

  /** First transaction. */
  async function begin(tenantId: string, application: Application, ticket: Ticket): Promise<void> {
    const tenant = store.forTenant(tenantId);
    await sagas.begin(identityOf(tenantId, application), {
      ticket,
      id: application.applicationId,
      insert: (session) => tenant.insertApplication(application, session).then(() => true),
      readBack: async () => (await tenant.findApplication(application.applicationId)) && true,
    });
    crashPoint("investment.application.recorded");
  }

  /**
   * Drives an application to its end and gives its one answer. Idempotent and safe beside itself: the handler, a client's retry and
   * the recovery row all run this. Throws while the outcome is unknown; the application then stays as it is.
   */
  async function drive(tenantId: string, application: Application, pass: DriveContext): Promise<StoredAnswer> {
    if (hasLeft(application)) return applicationAnswer(application) as StoredAnswer;
    if (!application.isReserved) {
      const word = await complianceOn(tenantId, application, pass);
      if (word.kind === "waits") return wait(tenantId, application, word, pass);
      const unreserved = word.kind === "refused" ? word.refusal : await reserve(tenantId, application);
      if (unreserved === "ended") return driveById(tenantId, application.applicationId, pass);
      if (unreserved !== undefined) return refuse(tenantId, application, unreserved, pass, "units");
      crashPoint("investment.application.reserved");
    }
    const refusal = await debit(tenantId, application, pass);
    if (refusal !== undefined) return refuse(tenantId, application, refusal, pass, "money");
    crashPoint("investment.application.debited");
    return complete(tenantId, application, pass);
  }

  /** As drive, of the application as it is now. */
  async function driveById(tenantId: string, applicationId: string, pass: DriveContext): Promise<StoredAnswer> {
    const application = await store.forTenant(tenantId).findApplication(applicationId);
    if (application === undefined) throw new Error(`application ${applicationId} is not there`);
    return drive(tenantId, application, pass);
  }

  /** What has waited goes on only once it is approved. */
  async function complianceOn(tenantId: string, application: Application, pass: DriveContext): Promise<Word> {
    if (application.waiting !== undefined) return { kind: "approved" };
    const { interactionId } = application;
    const word = await askCompliance(compliance, application, { tenantId, interactionId, ...waitingFor(pass) });
    crashPoint("investment.application.checked");
    return word;
  }

  /** Answers the key with an application that waits, takes nothing, and has compliance asked again until it decides. */
  async function wait(
    tenantId: string,
    application: Application,
    word: WaitingFor,
    pass: DriveContext,
  ): Promise<StoredAnswer> {
    const { applicationId, appliedOn, createdAt } = application;
    const { decision, outstandingRequirements } = word;
    const until = appliedOn.add({ days: maxWaitDays });
    const waiting: Waiting = { since: createdAt, until, decision, outstandingRequirements };
    const answer = applicationAnswer({ ...application, waiting }) as StoredAnswer;
    const next = [{ kind: awaitCompliance, payload: { applicationId, looks: 0 } }];
    const apply = (session: Session) => store.forTenant(tenantId).beginWaiting(applicationId, waiting, session);
    const ended = await sagas.end(
      identityOf(tenantId, application),
      { answer, apply, readBack: () => standingAnswer(tenantId, applicationId, false), next },
      pass,
    );
    crashPoint("investment.application.waiting");
    return ended;
  }

  /**
   * Takes the units: one document per product and one per customer decide. Undefined when they are this application's and it is
   * pending, which alone lets it go on to the money; "ended" where another driver has brought it to its end.
   */
  async function reserve(tenantId: string, application: Application): Promise<Refusal | "ended" | undefined> {
    const { applicationId, productId, customerId, units } = application;
    const tenant = store.forTenant(tenantId);
    const check = async (session?: Session) => {
      const product = await tenant.findProduct(productId, session);
      if (product === undefined) throw new Error(`product ${productId} is not there`);
      checkUnits(product, units, await tenant.unitsHeldBy(productId, customerId, session));
    };
    type Taken = "reserved" | "ended";
    /** What another driver of the same application has come to; undefined where nothing is decided. */
    const standing = async (session?: Session): Promise<Taken | undefined> => {
      const found = await tenant.findApplication(applicationId, session);
      if (found === undefined) throw new Error(`application ${applicationId} is not there`);
      if (hasLeft(found)) return "ended";
      return found.isReserved ? "reserved" : undefined;
    };
    const take = async (session: Session): Promise<Taken> => {
      const known = await standing(session);
      if (known !== undefined) return known;
      await check(session);
      if (!(await tenant.reserveApplication(applicationId, session))) {
        throw new Error(`application ${applicationId} changed inside a transaction`);
      }
      await tenant.takeUnits(productId, units, session);
      await tenant.addToPosition(productId, customerId, units, session);
      return "reserved";
    };
    const readBack = () => standing();
    const attempt = () => store.transaction(take, readBack);
    try {
      const taken = await turns.runExclusive(`${tenantId} ${productId}`, async () => {
        // What is sold out needs no transaction to say so.
        if ((await standing()) === undefined) await check();
        return attempt().catch((error: unknown) => {
          // Another replica made the customer's document of this product first: now it is there.
          if (isDuplicateKey(error)) return attempt();
          throw error;
        });
      });
      return taken === "ended" ? taken : undefined;
    } catch (error) {
      if (error instanceof Refusal && error.code !== "UNAVAILABLE") return error;
      throw error;
    }
  }

  /** Undefined when the money is in customer_investments. */
  async function debit(tenantId: string, application: Application, pass: DriveContext): Promise<Refusal | undefined> {
    const { applicationId, walletAccountId, customerId, total, productName, interactionId, createdBy } = application;
    const call = { tenantId, interactionId, createdBy, ...waitingFor(pass) };
    await posting.ensureAccounts(total.currency, call);
    const creditAccountId = accountOf("customer_investments", total.currency);
    const request = {
      idempotencyKey: applicationId,
      accountId: walletAccountId,
      customerId,
      legs: [{ creditAccountId, amountMinor: total.minor, kind: "investment_purchase" }],
      description: `Investment in ${productName}`,
      // As posting.ts does: only a sandbox's time is not the real one.
      ...(isSandbox(tenantId) && { effectiveAt: boughtAt(application) }),
    };
    try {
      await wallet.debitWallet(request, outgoing(call));
      return undefined;
    } catch (error) {
      const refusal = decisionOr(error, debitDecisions, "a debit");
      const isGone = refusal.code === "NOT_FOUND" || refusal.code === "ACCOUNT_NOT_FOUND";
      return isGone ? new Refusal("ACCOUNT_NOT_FOUND", "no such wallet account") : refusal;
    }
  }

  async function complete(tenantId: string, application: Application, pass: DriveContext): Promise<StoredAnswer> {
    const { applicationId, productId, productVersion, customerId, walletAccountId, units, total } = application;
    const product = await versions.of(tenantId, productId, productVersion);
    const bought = { holdingId: applicationId, applicationId, customerId, walletAccountId, units };
    const at = boughtAt(application);
    const holding = newHolding(product, bought, application.appliedOn);
    const { maturity } = holding;
    const ending: ApplicationEnding = {
      status: "COMPLETED",
      holdingId: holding.holdingId,
      ...(maturity !== undefined && {
        maturity,
        expectedReturnMinor: interestOfTerm(
          total.minor,
          interestTerms(product, holding.ratePercent),
          application.appliedOn,
          maturity,
        ),
      }),
    };
    const answer = await end(tenantId, application, ending, pass, true, async (session) => {
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
   * Ends it REFUSED; units that it had taken are for sale again. A refusal before the units counts only while no other driver has
   * taken them: that one may have the money by now. One after them is the wallet's, which decides once for all drivers.
   */
  async function refuse(
    tenantId: string,
    application: Application,
    refusal: Refusal,
    pass: DriveContext,
    before: "units" | "money",
  ) {
    const ending: ApplicationEnding = { status: "REFUSED", refusal: keptRefusal(refusal) };
    const { productId, customerId, units } = application;
    const answer = await end(tenantId, application, ending, pass, before === "money", async (session) => {
      if (before === "units") return;
      const tenant = store.forTenant(tenantId);
      await tenant.takeUnits(productId, -units, session);
      await tenant.addToPosition(productId, customerId, -units, session);
    });
    crashPoint("investment.application.refused");
    return answer;
  }

  async function end(
    tenantId: string,
    application: Application,
    ending: ApplicationEnding,
    pass: DriveContext,
    isReserved: boolean,
    also: (session: Session) => Promise<void>,
  ): Promise<StoredAnswer> {
    const tenant = store.forTenant(tenantId);
    const { applicationId } = application;
    const answer = applicationAnswer({ ...application, ending }) as StoredAnswer;
    return sagas.end(
      identityOf(tenantId, application),
      {
        answer,
        apply: async (session) => {
          if (!(await tenant.endApplication(applicationId, ending, isReserved, session))) return false;
          await also(session);
          return true;
        },
        readBack: () => standingAnswer(tenantId, applicationId, isReserved),
      },
      pass,
    );
  }

  /** The answer of an application that has come to its end, or waits; undefined while it is as the asker knows it. */
  async function standingAnswer(tenantId: string, applicationId: string, isReserved: boolean) {
    const found = await store.forTenant(tenantId).findApplication(applicationId);
    if (found === undefined || hasLeft(found)) return found && applicationAnswer(found);
    if (found.isReserved === isReserved) return undefined;
    throw new Refusal("UNAVAILABLE", "the application is being decided: ask again", { retryAfterS: 1 });
  }

  return { begin, drive, driveById };
}

/** It has ended, or waits: there is nothing to drive. */
function hasLeft({ ending, isWaiting }: Application): boolean {
  return ending !== undefined || isWaiting;
}

/** For `outgoing`: the caller's deadline, when somebody waits. Never their cancellation: what has begun is driven on. */
export function waitingFor({ deadline }: DriveContext): { deadline?: Date } {
  return deadline === undefined ? {} : { deadline };
}
