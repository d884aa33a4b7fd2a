import { ConfigurationError } from "./errors.js";
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

/** Somebody else keeps the session: asked for a token, and again with the spent one after a 401. */
export interface TokenSource {
  accessToken: (spent?: string) => Promise<string>;
}

export type Credentials = { apiToken: string } | Password | Session | TokenSource;

type Send = (operation: Operation, body: object) => Promise<unknown>;

/** Keeps the token of a client. Whoever needs another one at the same time shares the exchange for it. */
export class SessionKeeper {
  #session: Session | undefined;
  #exchange: Promise<Session> | undefined;

  readonly #credentials: Credentials;
  readonly #send: Send;
  readonly #onSession: ((session: Session) => void) | undefined;

  constructor(credentials: Credentials, send: Send, onSession?: (session: Session) => void) {
    this.#credentials = credentials;
    this.#send = send;
    this.#onSession = onSession;
    if ("refreshToken" in credentials) this.#session = { ...credentials };
  }

  get session(): Session | undefined {
    return this.#session && { ...this.#session };
  }

  get isRenewable(): boolean {
    return !("apiToken" in this.#credentials);
  }

  async token(): Promise<string> {
    if ("apiToken" in this.#credentials) return this.#credentials.apiToken;
    if (isSource(this.#credentials)) return this.#credentials.accessToken();
    return (this.#session ?? (await this.#share())).accessToken;
  }

  /** Another token than the spent one. Rejects as the login or the refresh was refused. */
  async renew(spent: string): Promise<string> {
    if (isSource(this.#credentials)) return this.#credentials.accessToken(spent);
    const { accessToken } = this.#session ?? {};
    return accessToken !== undefined && accessToken !== spent ? accessToken : (await this.#share()).accessToken;
  }

  #share(): Promise<Session> {
    this.#exchange ??= this.#renewed().finally(() => (this.#exchange = undefined));
    return this.#exchange;
  }

  async #renewed(): Promise<Session> {
    const before = this.#session;
    let session: Session;
    try {
      session = before === undefined ? await this.#signIn() : await this.#refreshed(before);
    } catch (error) {
      // A session that has ended is begun anew by whoever has the password, and no code that was used before.
      if (before === undefined || !this.#maySignInAgain() || !isRefused(error)) throw error;
      session = await this.#signIn();
    }
    this.#session = session;
    this.#onSession?.({ ...session });
    return session;
  }

  #maySignInAgain(): boolean {
    return "password" in this.#credentials && typeof this.#credentials.totp !== "string";
  }

  async #signIn(): Promise<Session> {
    if (!("password" in this.#credentials)) throw new ConfigurationError("there is no password to log in with");
    const { email, password, totp } = this.#credentials;
    const otp = typeof totp === "function" ? await totp() : totp;
    const answer = (await this.#send(login, { email, currentPassword: password, otp })) as SignedIn;
    return { ...sessionOf(answer), user: answer.user };
  }

  async #refreshed(before: Session): Promise<Session> {
    const answer = (await this.#send(refresh, { refreshToken: before.refreshToken })) as Refreshed;
    return { ...before, ...sessionOf(answer) };
  }
}

function isSource(credentials: Credentials): credentials is TokenSource {
  return "accessToken" in credentials && typeof credentials.accessToken === "function";
}

function sessionOf({ accessToken, refreshToken, expiresIn }: Refreshed): Session {
  return { accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1000 };
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && "status" in error && error.status === 401;
}
