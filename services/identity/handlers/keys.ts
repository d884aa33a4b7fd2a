import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput } from "../../kernel/refusal.js";
import { createFaults } from "../../kernel/text/faults.js";
import { checkGiven } from "../domain/requests.js";
import type { HandlerDeps } from "./deps.js";

// A service that does not know a key asks for it at most every 10 s, and a replica learns of it
// within 5.
const smallestLeadS = 30;
const usualLeadS = 60;

export function keyHandlers(deps: HandlerDeps) {
  const { keyring, revocations } = deps;
  return {
    async getJwks() {
      // Another replica may have made a key that a service has already met.
      await keyring.reload();
      return { jwksJson: JSON.stringify(keyring.jwks()) };
    },

    async rotateKeys({ leadS }, call) {
      if (leadS !== 0 && (leadS < smallestLeadS || leadS > 86_400)) {
        throw invalidInput("leadS", `must be ${smallestLeadS} to 86400 seconds`);
      }
      const keys = await keyring.rotate((leadS === 0 ? usualLeadS : leadS) * 1_000);
      call.log.info({ keys: keys.map(({ keyId, purpose }) => ({ keyId, purpose })) }, "keys rotated");
      return { keys };
    },

    async listKeys() {
      await keyring.reload();
      return { keys: keyring.list() };
    },

    async checkRevocation({ sessionId, userId, issuedAt }) {
      const faults = createFaults();
      checkGiven(sessionId, "sessionId", faults);
      checkGiven(userId, "userId", faults);
      if (issuedAt === undefined) faults.add("issuedAt", "is required");
      faults.refuseIfAny();
      return { revoked: await revocations.isRevoked({ sessionId, userId, issuedAt: issuedAt! }) };
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}
