import { parseJson, printJson } from "../../services/shared/json.js";

interface RequestOptions {
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
  /** HTTP status that the demo counts on; 200 by default. */
  expect?: number;
  /** Of the answer only the status is printed. */
  brief?: true;
}

export type DemoClient = ReturnType<typeof createDemoClient>;

const secretFields = new Set(["password", "currentPassword", "access_token", "refresh_token", "secret"]);

/**
 * An HTTP client that prints every request and answer so that a person can follow, without the
 * secrets.
 */
export function createDemoClient(baseUrl: string, print: (line: string) => void) {
  let token: string | undefined;

  async function exchange(method: string, path: string, options: RequestOptions) {
    const headers: Record<string, string> = { platform: "WEB", uuid: "200", ...options.headers };
    if (token !== undefined) headers["X-Auth-Token"] = token;
    if (options.body !== undefined) headers["Content-Type"] = "application/json";
    const init: RequestInit = { method, headers, signal: AbortSignal.timeout(15_000) };
    if (options.body !== undefined) init.body = printJson(options.body);
    const response = await fetch(new URL(path, baseUrl), init).catch((error: Error) => {
      throw new Error(`${baseUrl} does not answer (${error.message}): is the cluster running?`);
    });
    const content = parseJson(await response.text()) as Record<string, unknown>;
    return { response, content };
  }

  return {
    useToken: (accessToken: string) => {
      token = accessToken;
    },
    heading: (text: string) => print(`\n── ${text}`),
    note: (text: string) => print(`   ⇒ ${text}`),

    /** Sends, prints both sides, and throws where the status is not the expected one. */
    async send(method: string, path: string, options: RequestOptions = {}): Promise<Record<string, unknown>> {
      print(`\n${method} ${path}`);
      for (const [name, value] of Object.entries(options.headers ?? {})) print(`  ${name}: ${value}`);
      if (options.body !== undefined) print(indent(options.body));
      const { response, content } = await exchange(method, path, options);
      const replayed = response.headers.get("idempotency-replayed") === "true" ? "  (Idempotency-Replayed: true)" : "";
      print(`← ${response.status}${replayed}`);
      const expected = options.expect ?? 200;
      if (options.brief !== true || response.status !== expected) print(indent(content));
      if (response.status !== expected)
        throw new Error(`${method} ${path} answered ${response.status}, not ${expected}`);
      return content;
    },

    /** Sends without printing, whatever the answer: for waiting. */
    async peek(method: string, path: string): Promise<Record<string, unknown>> {
      return (await exchange(method, path, {})).content;
    },
  };
}

function indent(content: Record<string, unknown>): string {
  // JsonNumber writes itself digit by digit, so amounts are shown as they came.
  return JSON.stringify(hideSecrets(content), null, 2).replaceAll(/^/gm, "  ");
}

function hideSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, secretFields.has(key) ? "…" : hideSecrets(inner)]),
  );
}
