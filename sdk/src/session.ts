import { AuthenticationError, ConfigurationError } from "./errors.js";
import { login, refresh } from "./generated/wire.js";
import type { components } from "./generated/schema.js";
import type { Operation } from "./operation.js";

type SignedIn = components["schemas"]["LoginSession"];
type Refreshed = components["schemas"]["RefreshedSession"];

/** A signed-in user. Plain data: keep it as safely as a password, and give it as `credentials` later. */
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

/** Gives a token; asked again, with the one that is spent, after a 401. For who keeps the refresh token elsewhere. */
export interface TokenSource {
  accessToken: (spent?: string) => Promise<string>;
}

export type Credentials = { apiToken: string } | Password | Session | TokenSource;

type Send = (operation: Operation, body: object) => Promise<unknown>;

/** Keeps the token of a client. Whoever needs another one at the same time shares the exchange for it. */
export class SessionKeeper {
  /** A token alone where the credentials are an API token or a source of tokens. */
  #held: Partial<Session>;
  #exchange: Promise<void> | undefined;

  readonly #credentials: Credentials;
  readonly #send: Send;
  readonly #onSession: ((session: Session) => void) | undefined;

  constructor(credentials: Credentials, send: Send, onSession?: (session: Session) => void) {
    this.#credentials = credentials;
    this.#send = send;
    this.#onSession = onSession;
    this.#held = "refreshToken" in credentials ? { ...credentials } : {};
  }

  get session(): Session | undefined {
    return isSession(this.#held) ? { ...this.#held } : undefined;
  }

  /** Another token than the spent one, or the same where there is no other. Rejects as the exchange was refused. */
  async token(spent?: string): Promise<string> {
    if (this.#held.accessToken === spent) {
      this.#exchange ??= this.#renew(spent).finally(() => (this.#exchange = undefined));
      await this.#exchange;
    }
    return this.#held.accessToken!;
  }

  async #renew(spent: string | undefined): Promise<void> {
    const credentials = this.#credentials;
    if ("apiToken" in credentials) {
      this.#held = { accessToken: credentials.apiToken };
    } else if (isTokenSource(credentials)) {
      this.#held = { accessToken: tokenOf("accessToken", await credentials.accessToken(spent)) };
    } else {
      const session = await this.#nextSession(credentials);
      this.#held = session;
      this.#onSession?.({ ...session });
    }
  }

  async #nextSession(credentials: Password | Session): Promise<Session> {
    try {
      if (isSession(this.#held)) return await this.#refreshed(this.#held);
    } catch (error) {
      // A session that has ended is begun anew by whoever has the password, and no code that was used before.
      const maySignInAgain = "password" in credentials && typeof credentials.totp !== "string";
      if (!maySignInAgain || !(error instanceof AuthenticationError)) throw error;
    }
    return this.#signedIn(credentials as Password);
  }

  async #signedIn({ email, password, totp }: Password): Promise<Session> {
    const otp = typeof totp === "function" ? await totp() : totp;
    const answer = (await this.#send(login, { email, currentPassword: password, otp })) as SignedIn;
    return { ...sessionOf(answer), user: answer.user };
  }

  async #refreshed(before: Session): Promise<Session> {
    const answer = (await this.#send(refresh, { refreshToken: before.refreshToken })) as Refreshed;
    return { ...before, ...sessionOf(answer) };
  }
}

function sessionOf({ accessToken, refreshToken, expiresIn }: Refreshed): Session {
  return { accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1000 };
}

function isSession(held: Partial<Session>): held is Session {
  return held.refreshToken !== undefined;
}

function isTokenSource(credentials: object): credentials is TokenSource {
  return "accessToken" in credentials && typeof credentials.accessToken === "function";
}

/** Throws a ConfigurationError where they are none of the kinds. */
export function checkedCredentials(given: unknown): Credentials {
  const credentials = (typeof given === "object" && given !== null ? given : {}) as Record<string, unknown>;
  const has = (...names: string[]) => names.every((name) => isText(credentials[name]));
  const isKind = has("apiToken") || has("email", "password") || has("accessToken", "refreshToken");
  if (!isKind && !isTokenSource(credentials)) {
    throw new ConfigurationError(
      "credentials are missing: { apiToken }, { email, password } or a session, or { accessToken } that is a function",
    );
  }
  for (const name of ["apiToken", "accessToken"]) if (has(name)) tokenOf(name, credentials[name]);
  return credentials as unknown as Credentials;
}

/** No refusal of a header may come later, with the token in its text. */
function tokenOf(name: string, token: unknown): string {
  if (isText(token) && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new ConfigurationError(`credentials.${name} has characters that no token has`);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
