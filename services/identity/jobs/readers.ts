import { languageOf } from "../../platform/messages/words.js";
import type { UserRecord } from "../domain/people.js";
import type { IdentityStore } from "../store/index.js";

/**
 * Whose words somebody is told in: the organisation's name, and the languages
 * they read, the best one first.
 */
export async function readerIn(
  store: IdentityStore,
  tenantId: string,
  user?: UserRecord,
): Promise<{ organisation: string; languages: string[] }> {
  const tenant = await store.forTenant(tenantId).findTenant();
  const language = languageOf(tenant?.preference.locale ?? "");
  return { organisation: tenant?.name ?? "", languages: [user?.customer?.messages?.language ?? language, language] };
}
