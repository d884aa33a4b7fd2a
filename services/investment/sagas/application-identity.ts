import { identityOf, type SagaIdentity } from "../../kernel/sagas/index.js";
import type { Application } from "../domain/application.js";

export const applyOperation = "investment.v1.Apply";
/** Kinds of outbox rows. */
export const driveApplication = "drive-application";
/** An application that compliance has not decided on: asked about until it is. */
export const awaitCompliance = "await-compliance";

/** The rows of one application run one after the other. */
export function applicationAggregate(applicationId: string): string {
  return `application:${applicationId}`;
}

/**
 * Once its key is answered nobody waits for it, and it is the row that asks compliance which drives
 * it on.
 */
export function applicationIdentity(tenantId: string, application: Application): SagaIdentity {
  const { applicationId, waiting } = application;
  const isAnswered = waiting !== undefined;
  return identityOf(tenantId, isAnswered ? { ...application, idempotencyKey: "" } : application, {
    operation: applyOperation,
    aggregate: applicationAggregate(applicationId),
    recovery: isAnswered ? awaitCompliance : driveApplication,
    payload: { applicationId },
  });
}
