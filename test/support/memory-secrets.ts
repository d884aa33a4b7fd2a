import type { SecretStore } from "../../deploy/secrets/make-secrets.js";
import type { Entries, NewSecret } from "../../deploy/secrets/plan.js";

/** Secrets as the API server keeps them, for tests: a change of another version is refused. */
export function memorySecrets(): SecretStore & {
  readonly secrets: Map<string, NewSecret & { version: string }>;
} {
  const secrets = new Map<string, NewSecret & { version: string }>();
  let version = 0;
  const put = (secret: NewSecret, entries: Entries): true => {
    version += 1;
    secrets.set(secret.name, { ...secret, entries, version: String(version) });
    return true;
  };
  return {
    secrets,
    get: async (name) => secrets.get(name),
    create: async (secret) => !secrets.has(secret.name) && put(secret, secret.entries),
    async change({ name, version: seen }, entries) {
      const stored = secrets.get(name);
      return stored?.version === seen && put(stored, { ...stored.entries, ...entries });
    },
  };
}
