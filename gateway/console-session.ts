import Router from "@koa/router";
import { z } from "zod";
import { outgoing } from "../services/kernel/grpc/client.js";
import { Refusal, refusalTable } from "../services/kernel/refusal.js";
import type { EdgeContext, EdgeMiddleware, EdgeState } from "./middleware/state.js";
import { route, type EdgeCall, type Route, type RunContext } from "./route.js";
import { login } from "./operations/security.js";
import { sessionFromWire, type LoginSession } from "./shapes/people.js";
import { filled } from "./codec.js";

const path = "/console/session";
const cookieName = "__Secure-manilla-console";
/** A refresh token that is not used ends after so long; identity has the last word. */
const cookieSeconds = 30 * 24 * 3_600;

type Issued = z.output<typeof LoginSession>;
type Given = RunContext<unknown, unknown, unknown>;
type Clients = Given["clients"];

/**
 * The console's session: the API's login and refresh, with the refresh token in a cookie that no
 * script reads. Below /sandbox it is the sandbox's, with a cookie of its own.
 */
export function consoleSession(serve: (route: Route) => EdgeMiddleware): EdgeMiddleware {
  const router = new Router<EdgeState>({ sensitive: true });
  const keeping = (declared: Route, run: (ctx: EdgeContext, given: Given) => Promise<unknown>) => {
    return (ctx: EdgeContext, next: () => Promise<unknown>) => {
      assertOwnPage(ctx);
      return serve({ ...declared, run: async (given) => run(ctx, given) })(ctx, next);
    };
  };
  router.post(
    path,
    keeping(loginHere, async (ctx, given) => withCookie(ctx, given.call, (await login.run(given)) as Issued)),
  );
  router.post(
    `${path}/refresh`,
    keeping(refreshHere, async (ctx, { call, clients }) => withCookie(ctx, call, await exchange(ctx, call, clients))),
  );
  router.delete(
    path,
    keeping(endHere, async (ctx, { call, clients }) => {
      if (cookieOf(ctx) !== undefined) await end(ctx, call, clients);
      clear(ctx);
      return {};
    }),
  );
  return router.routes() as EdgeMiddleware;
}

const loginHere: Route = { ...login, path, operationId: "consoleLogin", answer: z.unknown() };
const refreshHere = bare("post", `${path}/refresh`, "consoleRefresh");
const endHere = bare("delete", path, "consoleLogout");

function bare(method: "post" | "delete", at: string, operationId: string): Route {
  const words = { tag: "Security", summary: operationId, message: operationId } as const;
  const run = () => Promise.resolve();
  return {
    ...route({ ...words, method, path: at, access: "anyone", answer: z.unknown(), bare: true, run }),
    operationId,
  };
}

/**
 * Cookies come along whatever page asks, so only our own may: its origin is the host that was
 * asked, by whichever scheme, since TLS may end before us. Refuses FORBIDDEN.
 */
function assertOwnPage(ctx: EdgeContext): void {
  const origin = ctx.get("Origin");
  const requested = ctx.state.targetHost ?? ctx.get("Host");
  const isOwn = ["http", "https"].some((scheme) => origin.toLowerCase() === `${scheme}://${requested.toLowerCase()}`);
  if (requested === "" || !isOwn) throw new Refusal("FORBIDDEN", "only the console's own page may ask this");
}

/** Refuses UNAUTHENTICATED, and forgets the cookie, where identity refuses its token. */
async function exchange(ctx: EdgeContext, call: EdgeCall, clients: Clients): Promise<Issued> {
  const refreshToken = cookieOf(ctx);
  if (refreshToken === undefined) throw new Refusal("UNAUTHENTICATED", "there is no session here: sign in");
  const { session } = await clients.identity
    .refresh({ refreshToken, accessToken: "" }, outgoing(call))
    .catch((error: unknown) => {
      if (!isSessionOver(error)) throw error;
      clear(ctx);
      throw new Refusal("UNAUTHENTICATED", "the session has ended: sign in again");
    });
  return sessionFromWire(filled(session, "session"), call.tenantId);
}

/** A session that has ended already is no failure; identity being away is one, for it goes on. */
async function end(ctx: EdgeContext, call: EdgeCall, clients: Clients): Promise<void> {
  try {
    const { access_token: userToken } = await exchange(ctx, call, clients);
    await clients.identity.logout({}, outgoing({ ...call, userToken }));
  } catch (error) {
    if (!isSessionOver(error)) throw error;
  }
}

/** Refused, or none of identity's tokens; away is neither. */
function isSessionOver(error: unknown): boolean {
  return error instanceof Refusal && (refusalTable[error.code].http === 401 || error.code === "INVALID_INPUT");
}

/**
 * What the page may know: all but the refresh token, and the address that its
 * operations name as the caller's.
 */
function withCookie(ctx: EdgeContext, { clientIp }: EdgeCall, { refresh_token: token, ...shown }: Issued): object {
  writeCookie(ctx, encodeURIComponent(token), cookieSeconds);
  return { ...shown, ip_address: clientIp };
}

function clear(ctx: EdgeContext): void {
  writeCookie(ctx, "", 0);
}

function writeCookie(ctx: EdgeContext, value: string, seconds: number): void {
  const place = `${ctx.state.sandbox ? "/sandbox" : ""}${path}`;
  ctx.set("Set-Cookie", `${cookieName}=${value}; Path=${place}; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Strict`);
}

/** Undefined, too, where there are two: a neighbouring host may have set the other. */
function cookieOf(ctx: EdgeContext): string | undefined {
  if (ctx.get("Cookie").split(`${cookieName}=`).length > 2) return undefined;
  const value = ctx.cookies.get(cookieName, { signed: false });
  try {
    return value === undefined || value === "" ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
