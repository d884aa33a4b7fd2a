import { identityOf, type SagaIdentity } from "../../kernel/sagas/index.js";
import type { Application } from "../domain/application.js";
import { rowKinds } from "../row-kinds.js";

export const applyOperation = "investment.v1.Apply";

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
    recovery: isAnswered ? rowKinds.awaitCompliance : rowKinds.driveApplication,
    payload: { applicationId },
  });
}
