import { ConfigurationError, InputError } from "./errors.js";
import { checkedCredentials, type Credentials, type Session } from "./session.js";

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

/** Options of one call. */
export interface CallOptions {
  /** Names the request: repeated, it is answered and not done again. Made where absent. */
  idempotencyKey?: string;
  /** Written on every ledger entry that comes of it. Made where absent. */
  interactionId?: string;
  /** Address of the person who asks. */
  ipAddress?: string;
  /** The caller's password, where the organisation asks for it. */
  password?: string;
  /** Events after this one: `lastEventId` of a stream that ended. */
  lastEventId?: string;
  /** For all tries together; the client's where absent. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

const names = ["baseUrl", "credentials", "sandbox", "timeoutMs", "retries", "platform", "fetch", "onSession"];
const callNames = ["idempotencyKey", "interactionId", "ipAddress", "password", "lastEventId", "timeoutMs", "signal"];

export type Settings = ReturnType<typeof settingsOf>;

/** A client's options with what stands for those that are absent. Throws a ConfigurationError. */
export function settingsOf(options: ManillaOptions) {
  const given: Partial<ManillaOptions> = options ?? {};
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new ConfigurationError(`${unknown} is no option: there are ${names.join(", ")}`);
  const { sandbox = false, timeoutMs = 30_000, retries = 2, platform, onSession } = given;
  if (!(timeoutMs > 0)) throw new ConfigurationError("timeoutMs must be above zero");
  if (!Number.isInteger(retries) || retries < 0)
    throw new ConfigurationError("retries must be a whole number, 0 or more");
  const baseUrl = baseOf(given.baseUrl) + (sandbox ? "/sandbox" : "");
  const send: typeof fetch = given.fetch ?? ((url, init) => fetch(url, init));
  const credentials = checkedCredentials(given.credentials);
  return { baseUrl, credentials, sandbox, timeoutMs, retries, platform, onSession, fetch: send };
}

/** Options of the call of that name. Throws an InputError for what is none. */
export function callOptionsOf(name: string, given: unknown): CallOptions {
  const options = (given ?? {}) as CallOptions;
  const unknown = Object.keys(options).find((option) => !callNames.includes(option));
  if (unknown === undefined) return options;
  throw new InputError(`${name}: ${unknown} is no option of a call: there are ${callNames.join(", ")}`);
}

function baseOf(baseUrl: unknown): string {
  if (typeof baseUrl !== "string" || baseUrl === "")
    throw new ConfigurationError("baseUrl is missing: where the API is, such as https://api.example.com");
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== "")
    throw new ConfigurationError("baseUrl is not the address of an API, such as https://api.example.com");
  if (url.protocol === "http:" && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) {
    const why = `whoever carries what is sent to ${url.hostname} could read the credentials`;
    throw new ConfigurationError(`baseUrl must be https: ${why}`);
  }
  return url.href.replace(/\/+$/, "");
}
