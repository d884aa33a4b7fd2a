import type { AgentAccountServiceDefinition } from "../../../proto/gen/wallet/v1/agent_accounts.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { pageSizeOf } from "./agent-requests.js";
import type { WalletDeps } from "./deps.js";
import { atDesks } from "./staff-names.js";

/** Whom an agent can offer what is prefunded. */
export function transferReceiverHandlers(deps: Pick<WalletDeps, "store" | "identity">) {
  return {
    async listTransferReceivers(request, call) {
      const { currency, cursor } = request;
      assertCurrency(currency, "currency");
      const size = pageSizeOf(request);
      const { userId } = requireUser(call);
      const all = await deps.store.forTenant(call.tenantId).listReceivers(currency, userId, cursor, size + 1);
      const ids = all.slice(0, size).map(({ agentId }) => agentId);
      const people = await atDesks(deps, ids, call);
      return {
        receivers: ids.flatMap((agentId) => {
          const person = people.get(agentId);
          return person?.role === "AGENT" ? [{ agentId, name: person.name }] : [];
        }),
        nextCursor: all.length > size ? (ids.at(-1) ?? "") : "",
      };
    },
  } satisfies Partial<Handlers<AgentAccountServiceDefinition>>;
}
