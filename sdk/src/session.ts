import { AuthenticationError, ConfigurationError } from "./errors.js";
import { login, refresh } from "./generated/wire.js";
import type { components } from "./generated/schema.js";
import type { Operation } from "./operation.js";
import type { Settings } from "./options.js";
import type { Transport } from "./transport.js";

type SignedIn = components["schemas"]["LoginSession"];

/**
 * A signed-in user. Plain data: keep it as safely as a password, and
 * give it as `credentials` later.
 */
export interface Session {
  accessToken: string;
  refreshToken: string;
  /** When the access token ends, in milliseconds since 1970. It is then refreshed by itself. */
  expiresAt?: number;
  user?: SignedIn["user"];
}

export interface Password {
  email: string;
  password: string;
  /** The authenticator's code; a function is asked at each login, a text serves for one. */
  totp?: string | (() => string | Promise<string>);
}

/**
 * Gives a token, for each call; asked again, with the one that is spent, after a 401. For who
 * keeps the refresh token elsewhere.
 */
export interface TokenSource {
  accessToken: (spent?: string) => Promise<string>;
}

export type Credentials = { apiToken: string } | Password | Session | TokenSource;

/**
 * Keeps the token of a client. Whoever needs another one at the same
 * time shares the exchange for it.
 */
export class SessionKeeper {
  #held: Session | { accessToken: string } | undefined;
  #exchange: { spent: string | undefined; done: Promise<void> } | undefined;

  readonly #settings: Settings;
  readonly #send: Transport["send"];

  constructor(settings: Settings, send: Transport["send"]) {
    this.#settings = settings;
    this.#send = send;
    if ("refreshToken" in settings.credentials) this.#held = { ...settings.credentials };
  }

  get session(): Session | undefined {
    return this.#held && "refreshToken" in this.#held ? { ...this.#held } : undefined;
  }

  /**
   * Another token than the spent one, or the same where there is no other.
   * Rejects as the exchange was refused.
   */
  async token(spent?: string): Promise<string> {
    // An exchange that began before this token was spent may give it again.
    if (spent !== undefined && this.#exchange?.spent !== spent) await this.#exchange?.done;
    // Who keeps the session elsewhere may have begun another one since.
    const isElsewhere = typeof (this.#settings.credentials as TokenSource).accessToken === "function";
    if (this.#held?.accessToken === spent || (isElsewhere && spent === undefined)) {
      this.#exchange ??= { spent, done: this.#renew(spent).finally(() => (this.#exchange = undefined)) };
      await this.#exchange.done;
    }
    return this.#held!.accessToken;
  }

  async #renew(spent: string | undefined): Promise<void> {
    const { credentials, onSession } = this.#settings;
    if ("apiToken" in credentials) {
      this.#held = { accessToken: credentials.apiToken };
    } else if ("password" in credentials || "refreshToken" in credentials) {
      this.#held = await this.#next(credentials);
      onSession?.(this.session!);
    } else {
      this.#held = { accessToken: tokenOf("accessToken", await credentials.accessToken(spent)) };
    }
  }

  async #next(credentials: Password | Session): Promise<Session> {
    const before = this.session;
    const maySignIn = "password" in credentials && (before === undefined || typeof credentials.totp !== "string");
    try {
      if (before) return { ...before, ...(await this.#ask(refresh, { refreshToken: before.refreshToken })) };
    } catch (error) {
      // A session that has ended is begun anew by whoever has the password,
      // and no code that was used before.
      if (!maySignIn || !(error instanceof AuthenticationError)) throw error;
    }
    const { email, password: currentPassword, totp } = credentials as Password;
    return this.#ask(login, { email, currentPassword, otp: typeof totp === "function" ? await totp() : totp });
  }

  async #ask(operation: Operation, body: object): Promise<Session> {
    const name = operation.path.slice(operation.path.lastIndexOf("/") + 1);
    const { data } = await this.#send({ name, operation, path: operation.path, body, options: {} });
    const { accessToken, refreshToken, expiresIn, user } = data as Omit<SignedIn, "user"> & Partial<SignedIn>;
    return { accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1000, ...(user && { user }) };
  }
}

/** Throws a ConfigurationError where they are none of the kinds. */
export function checkedCredentials(given: unknown): Credentials {
  const credentials = Object(given) as Record<string, unknown>;
  const has = (...names: string[]) =>
    names.every((name) => typeof credentials[name] === "string" && credentials[name] !== "");
  const isSource = typeof credentials["accessToken"] === "function";
  const isKind = isSource || has("apiToken") || has("email", "password") || has("accessToken", "refreshToken");
  const kinds = "{ apiToken }, { email, password } or a session, or { accessToken } that is a function";
  if (!isKind) throw new ConfigurationError(`credentials are missing: ${kinds}`);
  for (const name of ["apiToken", "accessToken"]) if (has(name)) tokenOf(name, credentials[name]);
  return credentials as unknown as Credentials;
}

/** No refusal of a header may come later, with the token in its text. */
function tokenOf(name: string, token: unknown): string {
  if (typeof token === "string" && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new ConfigurationError(`credentials.${name} has characters that no token has`);
}
