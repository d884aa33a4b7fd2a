import { Manilla, type Credentials } from "../../sdk/src/index.js";
import { parseJson } from "../../services/kernel/json.js";

/**
 * What is printed of a call: both sides, of the answer only the status, or nothing, for waiting.
 */
type Shown = "whole" | "brief" | "nothing";

export type DemoClient = ReturnType<typeof createDemoClient>;

const secretFields = new Set(["password", "currentPassword", "access_token", "refresh_token", "secret"]);
const unprinted = new Set(["platform", "x-auth-token", "content-type"]);

/**
 * A client that prints every request and answer so that a person can follow, without the secrets.
 */
export function createDemoClient(
  baseUrl: string,
  credentials: Credentials,
  print: (line: string) => void,
  { sandbox = false } = {},
) {
  let shown: Shown = "whole";

  const printed: typeof fetch = async (url, init = {}) => {
    const { pathname, search } = new URL(url as string);
    const request = `${init.method} ${pathname}${search}`;
    if (shown !== "nothing") {
      print(`\n${request}`);
      for (const [name, value] of new Headers(init.headers)) if (!unprinted.has(name)) print(`  ${name}: ${value}`);
      if (init.body) print(indent(init.body as string));
    }
    const response = await fetch(url, init).catch((error: Error) => {
      throw new Error(`${baseUrl} does not answer (${error.message}): is the cluster running?`);
    });
    if (shown === "nothing") return response;
    const replayed = response.headers.get("idempotency-replayed") === "true" ? "  (Idempotency-Replayed: true)" : "";
    print(`← ${response.status}${replayed}`);
    if (shown === "whole" || !response.ok) print(indent(await response.clone().text()));
    return response;
  };

  const showing =
    (how: Shown) =>
    async <T>(call: () => PromiseLike<T>): Promise<T> => {
      shown = how;
      try {
        return await call();
      } finally {
        shown = "whole";
      }
    };

  return {
    manilla: new Manilla({ baseUrl, credentials, sandbox, platform: "WEB", fetch: printed }),
    heading: (text: string) => print(`\n── ${text}`),
    note: (text: string) => print(`   ⇒ ${text}`),
    brief: showing("brief"),
    unseen: showing("nothing"),
  };
}

function indent(content: string): string {
  // JsonNumber writes itself digit by digit, so amounts are shown as they came.
  return JSON.stringify(hideSecrets(parseJson(content)), null, 2).replaceAll(/^/gm, "  ");
}

function hideSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, secretFields.has(key) ? "…" : hideSecrets(inner)]),
  );
}
