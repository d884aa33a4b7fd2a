import { decisionOr } from "../../platform/neighbours/decision.js";
import type { KeyedMutex } from "../../kernel/batching/keyed-mutex.js";
import { outgoing } from "../../kernel/grpc/client.js";
import type { StoredAnswer, Ticket } from "../../kernel/idempotency/index.js";
import { Refusal, type RefusalCode } from "../../kernel/refusal.js";
import { deadlineOf, type DriveContext, type Sagas } from "../../kernel/sagas/index.js";
import { isSandbox } from "../../platform/sandbox/sandbox.js";
import { requestDecision, type ComplianceDecision } from "../clients/compliance.js";
import type { Compliance, Wallet } from "../clients/neighbours.js";
import type { Posting } from "../clients/posting.js";
import { boughtAt, isAtRest, type Application } from "../domain/application.js";
import { accountOf } from "../domain/transfers.js";
import type { InvestmentStore } from "../store/index.js";
import type { ProductVersions } from "../store/product-versions.js";
import { applicationAnswer } from "../wire/applications.js";
import { createApplicationEnding } from "./application-ending.js";
import { applicationIdentity } from "./application-identity.js";
import { createUnitReservation } from "./application-units.js";

// What the wallet decides about a debit; each is kept under its key, so a late repetition cannot
// succeed after it.
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
  versions: ProductVersions;
  productMutex: KeyedMutex;
  compliance: Pick<Compliance, "checkCustomerAction">;
  wallet: Pick<Wallet, "debitWallet">;
  crashPoint: (name: string) => void;
}

export type ApplicationSaga = ReturnType<typeof createApplicationSaga>;

/** An application from its first record to its one answer: compliance, units, money, holding. */
export function createApplicationSaga(deps: ApplicationSagaDeps) {
  const { store, sagas, posting, compliance, wallet, crashPoint } = deps;
  const reserveUnits = createUnitReservation(deps);
  const ending = createApplicationEnding(deps);

  /** First transaction. */
  async function begin(tenantId: string, application: Application, ticket: Ticket): Promise<void> {
    const tenant = store.forTenant(tenantId);
    await sagas.begin(applicationIdentity(tenantId, application), {
      ticket,
      id: application.applicationId,
      insert: (session) => tenant.insertApplication(application, session).then(() => true),
      readBack: async () => (await tenant.findApplication(application.applicationId)) && true,
    });
    crashPoint("investment.application.recorded");
  }

  /**
   * Drives an application to its end and gives its one answer. Idempotent and safe beside itself:
   * the handler, a client's retry and the recovery row all run this. Throws while the outcome is
   * unknown; the application then stays as it is.
   */
  async function drive(tenantId: string, application: Application, context: DriveContext): Promise<StoredAnswer> {
    if (isAtRest(application)) return applicationAnswer(application) as StoredAnswer;
    if (!application.isReserved) {
      const decision = await complianceOn(tenantId, application, context);
      if (decision.kind === "waits") return ending.wait(tenantId, { application, waitingFor: decision }, context);
      const unreserved = decision.kind === "refused" ? decision.refusal : await reserveUnits(tenantId, application);
      if (unreserved === "ended") return driveById(tenantId, application.applicationId, context);
      if (unreserved !== undefined) {
        return ending.refuse(tenantId, { application, refusal: unreserved, isReserved: false }, context);
      }
      crashPoint("investment.application.reserved");
    }
    const refusal = await debit(tenantId, application, context);
    if (refusal !== undefined) return ending.refuse(tenantId, { application, refusal, isReserved: true }, context);
    crashPoint("investment.application.debited");
    return ending.complete(tenantId, application, context);
  }

  /** As drive, of the application as it is now. */
  async function driveById(tenantId: string, applicationId: string, context: DriveContext): Promise<StoredAnswer> {
    const application = await store.forTenant(tenantId).findApplication(applicationId);
    if (application === undefined) throw new Error(`application ${applicationId} is not there`);
    return drive(tenantId, application, context);
  }

  /** What has waited goes on only once it is approved. */
  async function complianceOn(
    tenantId: string,
    application: Application,
    context: DriveContext,
  ): Promise<ComplianceDecision> {
    if (application.waiting !== undefined) return { kind: "approved" };
    const { interactionId } = application;
    const decision = await requestDecision(compliance, application, {
      tenantId,
      interactionId,
      ...deadlineOf(context),
    });
    crashPoint("investment.application.checked");
    return decision;
  }

  /** Undefined when the money is in customer_investments. */
  async function debit(
    tenantId: string,
    application: Application,
    context: DriveContext,
  ): Promise<Refusal | undefined> {
    const { applicationId, walletAccountId, customerId, total, productName, interactionId, createdBy } = application;
    const call = { tenantId, interactionId, createdBy, ...deadlineOf(context) };
    await posting.ensureAccounts(total.currency, call);
    const creditAccountId = accountOf("customer_investments", total.currency);
    const request = {
      idempotencyKey: applicationId,
      accountId: walletAccountId,
      customerId,
      legs: [{ creditAccountId, amountMinor: total.minor, kind: "investment_purchase" }],
      description: `Investment in ${productName}`,
      // As clients/posting.ts does: only a sandbox's time is not the real one.
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

  return { begin, drive, driveById };
}
