import { pathPrefix, isSandbox } from "./environment";

export type Role = "MANAGER" | "AGENT" | "CASHIER" | "CUSTOMER";

export interface SignedInUser {
  id: string;
  email: string;
  role: Role;
  permissions: readonly string[];
}

/**
 * `locked`: the session has ended under a page whose forms wait; whoever was there signs in again.
 */
export type SessionState =
  | { status: "starting" }
  | { status: "unreachable" }
  | { status: "out" }
  | { status: "in" | "locked"; user: SignedInUser };

export interface SignIn {
  email: string;
  password: string;
  otp?: string;
}

/** What the session's own routes answered, which are no operations of the client. */
export class SessionError extends Error {
  override name = "SessionError";
  readonly status: number;
  readonly code: string;
  readonly retryAfterS: number | undefined;

  constructor(status: number, code: string, message: string, retryAfterS?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}

interface Issued {
  /** Where the person's requests come from, as the gateway sees it. */
  ip_address: string;
  access_token: string;
  expires_in: number;
  user: SignedInUser;
}

const path = `${pathPrefix}/console/session`;
// The cookie cannot be seen from here: without this note a page that nobody is
// signed in to would ask in vain.
const noteKey = isSandbox ? "manilla.signed-in.sandbox" : "manilla.signed-in";
const tabs = new BroadcastChannel(`manilla.session${pathPrefix}`);
/** A token is renewed while it still has so long to go. */
const earlyMs = 60_000;

function createSession() {
  let state: SessionState = { status: "starting" };
  let token: { text: string; until: number } | undefined;
  let ipAddress = "";
  let isLeaving = false;
  let requests = new AbortController();
  let renewal: Promise<string> | undefined;
  let unlock: { promise: Promise<string>; resolve: (token: string) => void } | undefined;
  const listeners = new Set<() => void>();

  function become(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  function take({ access_token: text, expires_in: seconds, user, ip_address }: Issued): string | Promise<string> {
    if ("user" in state && state.user.id !== user.id) {
      // Another person has signed in in another tab: nothing of this page is sent in their name.
      location.assign("/console/");
      return new Promise(() => undefined);
    }
    token = { text, until: Date.now() + seconds * 1_000 };
    ipAddress = ip_address;
    localStorage.setItem(noteKey, "1");
    become({ status: "in", user });
    unlock?.resolve(text);
    unlock = undefined;
    return text;
  }

  function lose(): void {
    token = undefined;
    unlock = undefined;
    localStorage.removeItem(noteKey);
  }

  async function renew(): Promise<string> {
    try {
      // One tab at a time: the next one sends the cookie that the last was given.
      return await take(await oneTabAtATime(() => ask<Issued>("POST", `${path}/refresh`)));
    } catch (error) {
      if (!(error instanceof SessionError) || error.status !== 401) throw error;
      lose();
      if (!("user" in state)) {
        become({ status: "out" });
        throw error;
      }
      return untilUnlocked(state.user);
    }
  }

  function untilUnlocked(user: SignedInUser): Promise<string> {
    unlock ??= Promise.withResolvers<string>();
    if (state.status !== "locked") become({ status: "locked", user });
    return unlock.promise;
  }

  /**
   * The page begins anew: nothing that waits here may go out in the name of whoever signs in next.
   */
  function leave(): void {
    lose();
    isLeaving = true;
    requests.abort();
    become({ status: "out" });
    location.assign("/console/");
  }

  tabs.addEventListener("message", leave);

  return {
    get: () => state,
    /** Where the person's requests come from; a browser does not know it by itself. */
    ipAddress: () => ipAddress,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** Goes on with the session of the cookie, if there is one. */
    async start(): Promise<void> {
      if (localStorage.getItem(noteKey) === null) return become({ status: "out" });
      become({ status: "starting" });
      await renew().catch((error: unknown) => {
        if (state.status === "starting") become({ status: "unreachable" });
        if (!(error instanceof SessionError)) throw error;
      });
    },

    /** Throws a SessionError as it was refused, or a TypeError where nobody answered. */
    async signIn({ email, password, otp }: SignIn): Promise<void> {
      const body = { email, currentPassword: password, ...(otp && { otp }) };
      await take(await ask<Issued>("POST", path, body));
    },

    async signOut(): Promise<void> {
      // After a renewal that is under way: its cookie would come later.
      await oneTabAtATime(async () => {
        // What the page still waits for would be refused once its session is over.
        requests.abort();
        await ask("DELETE", path);
      }).catch((error: unknown) => {
        requests = new AbortController();
        throw error;
      });
      tabs.postMessage("out");
      leave();
    },

    /** Ends what is asked in the name of whoever is signed in, once they leave. */
    requests: () => requests.signal,

    /** For the client: a token, and another one than the spent. Waits while the page is locked. */
    accessToken(spent?: string): Promise<string> {
      if (isLeaving) return new Promise(() => undefined);
      if (unlock) return unlock.promise;
      if (token && token.text !== spent && token.until - Date.now() > earlyMs) return Promise.resolve(token.text);
      renewal ??= renew().finally(() => (renewal = undefined));
      return renewal;
    },
  };
}

function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks === undefined ? work() : navigator.locks.request(`manilla.session${pathPrefix}`, work);
}

async function ask<T>(method: string, at: string, body?: object): Promise<T> {
  const json = body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(at, { method, ...json, signal: AbortSignal.timeout(20_000) });
  const content = (await response.json().catch(() => ({}))) as { code?: string; message?: string } & T;
  if (response.ok) return content;
  const retryAfter = Number(response.headers.get("Retry-After"));
  const { code = "UNEXPECTED_ANSWER", message = `answered ${response.status}` } = content;
  throw new SessionError(response.status, code, message, retryAfter > 0 ? retryAfter : undefined);
}

export const session = createSession();
