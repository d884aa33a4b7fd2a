import type { Call } from "../../../kernel/grpc/context.js";
import type { Preference } from "../clients/preferences.js";
import { asAgentHasIt } from "../domain/agent-contacts.js";
import type { Person } from "../domain/customer.js";
import type { ComplianceDeps } from "../../common/handlers/deps.js";

/** The organisation's preference, as the agent who manages somebody has it where they have. */
export async function preferenceFor(
  { store, preferences }: Pick<ComplianceDeps, "store" | "preferences">,
  { agentId }: Pick<Person, "agentId">,
  call: Call,
): Promise<Preference> {
  const preference = await preferences.of(call);
  if (agentId === "") return preference;
  return asAgentHasIt(preference, await store.forTenant(call.tenantId).findAgentContacts(agentId));
}
