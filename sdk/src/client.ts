import { ConfigurationError, InputError } from "./errors.js";
import { List, type Query } from "./list.js";
import { Call, type CallOptions, type Operation } from "./operation.js";
import type { Credentials, Session } from "./session.js";
import type { Group, Methods } from "./shapes.js";
import { eventsOf } from "./stream.js";
import { Transport, type Request } from "./transport.js";

export interface ManillaOptions {
  /** Where the tenant's API is, such as https://api.example.com. */
  baseUrl: string;
  credentials: Credentials;
  /** True for the tenant's sandbox, with users and tokens of its own. */
  sandbox?: boolean;
  /** For a call with all its tries; 30 s where absent. */
  timeoutMs?: number;
  /** How often a call is sent again; 2 where absent. */
  retries?: number;
  /** What calls are recorded under, such as WEB. */
  platform?: string;
  fetch?: typeof fetch;
  /** Told every session that a login or a refresh gives. */
  onSession?: (session: Session) => void;
}

const optionNames = ["baseUrl", "credentials", "sandbox", "timeoutMs", "retries", "platform", "fetch", "onSession"];
const callOptionNames = [
  "idempotencyKey",
  "interactionId",
  "ipAddress",
  "password",
  "lastEventId",
  "timeoutMs",
  "signal",
];

/** A client without operations: `createManilla` and `Manilla` have them. Throws a ConfigurationError. */
export class Client {
  readonly #transport: Transport;

  constructor(options: ManillaOptions, groups: Readonly<Record<string, Group<unknown>>>) {
    const given: Partial<ManillaOptions> = options ?? {};
    const unknown = Object.keys(given).find((name) => !optionNames.includes(name));
    if (unknown !== undefined)
      throw new ConfigurationError(`${unknown} is no option: there are ${optionNames.join(", ")}`);
    const { sandbox = false, timeoutMs = 30_000, retries = 2, platform, onSession } = given;
    if (!(timeoutMs > 0)) throw new ConfigurationError("timeoutMs must be above zero");
    if (!Number.isInteger(retries) || retries < 0)
      throw new ConfigurationError("retries must be a whole number, 0 or more");
    this.#transport = new Transport({
      baseUrl: baseOf(given.baseUrl) + (sandbox ? "/sandbox" : ""),
      credentials: checked(given.credentials),
      fetch: given.fetch ?? ((url, init) => fetch(url, init)),
      timeoutMs,
      retries,
      headers: platform === undefined ? {} : { platform },
      ...(onSession && { onSession }),
    });
    for (const [group, operations] of Object.entries(groups)) {
      const methods = Object.entries(operations).map(([method, operation]) => {
        const name = `${group}.${method}`;
        return [method, (...given: unknown[]) => invoke(this.#transport, sandbox, name, operation, given)];
      });
      Object.defineProperty(this, group, { value: Object.fromEntries(methods), enumerable: true });
    }
  }

  /** The session at this moment, to be given as `credentials` later; undefined before the first call. */
  get session(): Session | undefined {
    return this.#transport.keeper.session;
  }
}

/** A client of some groups, so that a bundle has no others: `createManilla(options, { transactions, quotes })`. */
export function createManilla<G extends Readonly<Record<string, Group<unknown>>>>(options: ManillaOptions, groups: G) {
  return new Client(options, groups) as Client & Methods<G>;
}

function invoke(
  transport: Transport,
  isSandbox: boolean,
  name: string,
  operation: Operation,
  given: unknown[],
): unknown {
  if (operation.sandbox && !isSandbox)
    throw new InputError(`${name} is of the sandbox alone: make the client with sandbox: true`);
  const rest = [...given];
  const path = operation.path.replaceAll("{}", () => segmentOf(name, rest.shift()));
  const headers = operation.header === undefined ? {} : { [operation.header]: segmentOf(name, rest.shift()) };
  const body = operation.body && { ...((rest.shift() ?? {}) as object), ...operation.fixed };
  const query = (operation.query ? (rest.shift() ?? {}) : {}) as Query;
  const options = (rest.shift() ?? {}) as CallOptions;
  const unknown = Object.keys(options).find((option) => !callOptionNames.includes(option));
  if (unknown !== undefined)
    throw new InputError(`${name}: ${unknown} is no option of a call: there are ${callOptionNames.join(", ")}`);
  const asked = (by: Query): Request => ({ name, operation, path: path + searchOf(by), headers, body, options });
  if (operation.stream) return eventsOf(transport, asked(query), query["seconds"] !== undefined);
  if (operation.list) return new List(operation.list, query, (by) => transport.send(asked(by)));
  return new Call(transport.send(asked(query)));
}

function segmentOf(name: string, value: unknown): string {
  const text = typeof value === "number" ? String(value) : value;
  // A URL would take dots for the folder above.
  if (typeof text !== "string" || /^\.{0,2}$/.test(text))
    throw new InputError(`${name}: an id is missing, or is no id`);
  return encodeURIComponent(text);
}

function searchOf(query: Query): string {
  const members = Object.entries(query).filter(([, value]) => value != null);
  const text = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));
  const search = new URLSearchParams(members.map(([name, value]): [string, string] => [name, text(value)])).toString();
  return search && `?${search}`;
}

function baseOf(baseUrl: unknown): string {
  if (typeof baseUrl !== "string" || baseUrl === "")
    throw new ConfigurationError("baseUrl is missing: where the API is, such as https://api.example.com");
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== "") {
    throw new ConfigurationError("baseUrl is not the address of an API, such as https://api.example.com");
  }
  if (url.protocol === "http:" && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) {
    throw new ConfigurationError(
      `baseUrl must be https: whoever carries what is sent to ${url.hostname} could read the credentials`,
    );
  }
  return url.href.replace(/\/+$/, "");
}

function checked(credentials: unknown): Credentials {
  const given = (typeof credentials === "object" && credentials !== null ? credentials : {}) as Record<string, unknown>;
  const has = (...names: string[]) => names.every((name) => typeof given[name] === "string" && given[name] !== "");
  if (typeof given["accessToken"] === "function") return given as unknown as Credentials;
  if (!has("apiToken") && !has("email", "password") && !has("accessToken", "refreshToken")) {
    throw new ConfigurationError("credentials are missing: { apiToken }, { email, password } or a session");
  }
  // No refusal of a header may come later, with the token in its text.
  for (const name of ["apiToken", "accessToken"]) {
    if (has(name) && !/^[\x21-\x7e]+$/.test(given[name] as string))
      throw new ConfigurationError(`credentials.${name} has characters that no token has`);
  }
  return given as unknown as Credentials;
}
