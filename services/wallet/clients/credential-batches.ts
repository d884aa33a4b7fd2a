import type {
  IdentityServiceDefinition,
  VerifyCredentialsRequest,
  VerifyCredentialsResponse,
} from "../../../proto/gen/identity/v1/identity.js";
import { batchCalls } from "../../kernel/grpc/batch-calls.js";
import type { BatchingClient } from "../../kernel/grpc/client.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";

type IdentityClient = BatchingClient<IdentityServiceDefinition>;

// A password takes long to check, and whoever shares a batch waits for its last.
const maxChecks = 16;

/**
 * Checks of what payers present, batched: who is let through together pays together, which costs
 * each of them less.
 */
export function batchCredentialChecks<I extends Pick<IdentityClient, "verifyCredentials" | "batch">>(identity: I): I {
  const verifyCredentials = batchCalls<WirePartial<VerifyCredentialsRequest>, VerifyCredentialsResponse>({
    what: "check of credentials",
    single: (request, call) => identity.verifyCredentials(request, call),
    batch: (checks, call) => identity.batch("verifyCredentials", checks, call),
    isRepeatable: false,
    // Checks share identity's processors, so one call at a time is enough. Full batches go ahead,
    // to keep each replica busy; the rest wait here, where they crowd out no sign-in.
    maxInFlight: 1,
    surge: { minWaiting: maxChecks, maxInFlight: 4 },
    maxBatchSize: maxChecks,
  });
  return { ...identity, verifyCredentials };
}
