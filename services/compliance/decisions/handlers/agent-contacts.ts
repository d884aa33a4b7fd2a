import type { ComplianceServiceDefinition } from "../../../../proto/gen/compliance/v1/compliance.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import type { ComplianceDeps } from "../../common/handlers/deps.js";

/** What wallet tells of agents. */
export function agentContactHandlers({ store }: ComplianceDeps) {
  return {
    async noteAgentContacts(request, { tenantId }) {
      const agentId = idFromWire(request.agentId, "agentId");
      const { version, doNotForwardEmailVerification: email, doNotForwardPhoneVerification: phone } = request;
      if (version < 1) throw invalidInput("version", "must be at least 1");
      await store.forTenant(tenantId).putAgentContacts({
        agentId,
        version,
        ...(email !== undefined && { doNotForwardEmail: email }),
        ...(phone !== undefined && { doNotForwardPhone: phone }),
      });
      return {};
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}
