import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { BeginVerificationRequest, BeginVerificationResponse } from "../../../proto/gen/ledger/v1/ledger.js";
import { actorOf } from "../../kernel/grpc/context.js";
import { isDuplicateKey } from "../../kernel/mongo/transaction.js";
import { passing, Refusal } from "../../kernel/refusal.js";
import { cursorOf, positionOf } from "../wire/cursor.js";
import { idFromWire } from "../wire/values.js";
import { verificationToWire } from "../wire/verifications.js";
import { pageSize, type LedgerDeps } from "./deps.js";

// The longest that somebody is told to wait for the end of another one.
const againAfterS = 60;

export function verificationHandlers({ verifications, verificationJob, runOnce, clock }: LedgerDeps) {
  return {
    beginVerification: (request, call) =>
      runOnce({
        operation: "begin-ledger-verification",
        request,
        requestType: BeginVerificationRequest,
        response: BeginVerificationResponse,
        call,
        work: async (session) => {
          const tenant = verifications.forTenant(call.tenantId);
          // The one that runs ends where the journal ended at its beginning: it
          // says nothing of later transfers.
          if (await tenant.isRunning(session)) throw isRunning();
          try {
            return { verification: verificationToWire(await tenant.begin(actorOf(call), clock.now(), session)) };
          } catch (error) {
            throw isDuplicateKey(error) ? isRunning() : error;
          }
        },
        after: async () => verificationJob.wake(),
      }),

    async getVerification({ verificationId }, call) {
      const id = idFromWire(verificationId, "verification_id");
      const found = await verifications.forTenant(call.tenantId).find(id);
      if (found === undefined) throw new Refusal("NOT_FOUND", `no verification ${id}`);
      return { verification: verificationToWire(found) };
    },

    async listVerifications({ pageSize: requested, cursor }, call) {
      const scope = ["verifications", call.tenantId];
      const limit = pageSize(requested, "page_size", 20, 100);
      const found = await verifications.forTenant(call.tenantId).list(positionOf(scope, cursor), limit + 1);
      const page = found.slice(0, limit);
      const nextCursor = found.length > limit ? cursorOf(scope, page.at(-1)!.verificationId) : "";
      return { verifications: page.map(verificationToWire), nextCursor };
    },
  } satisfies Partial<Handlers<LedgerServiceDefinition>>;
}

/** It passes by itself, so the key stays free. */
function isRunning(): Refusal {
  return passing("STATE_CONFLICT", "a verification of this ledger runs: wait for its end", againAfterS);
}
