import { z } from "zod";
import { printJson } from "../../services/kernel/json.js";
import { Refusal } from "../../services/kernel/refusal.js";
import type { UserTokenVerifier } from "../../services/kernel/tokens/user-tokens.js";
import { canonicalIds } from "../canonical-ids.js";
import type { ApiTokenExchange } from "../api-tokens.js";
import type { Clients } from "../clients.js";
import { renamed } from "../failure.js";
import { FileAnswer, LiveAnswer } from "../file-answer.js";
import { readHeaders } from "../headers.js";
import { nearMisses, unknownParameters } from "../near-miss.js";
import { waitingMessage, type EdgeCall, type Route } from "../route.js";
import { check, type Fault } from "../schema.js";
import { assertScope } from "../scopes.js";
import type { RateLimiter } from "../rate-limits.js";
import type { Shedding } from "../shedding.js";
import { authenticate, tokenOf } from "./authentication.js";
import { parseBody, readBody } from "./body.js";
import { limitCaller } from "./limits.js";
import type { EdgeContext, EdgeMiddleware } from "./state.js";

// One answer names so many faults, since a body can have thousands.
const maxFaults = 20;

export interface RouteDeps {
  clients: Clients;
  verifyUserToken: UserTokenVerifier;
  count: RateLimiter;
  apiTokens: ApiTokenExchange;
  shedding: Shedding;
}

/** Serves one declaration. The checks run in the order that the contract's decisions give. */
export function serveRoute(route: Route, deps: RouteDeps): EdgeMiddleware {
  return async (ctx) => {
    ctx.state.route = route;
    if (route.sandboxOnly && !ctx.state.sandbox) throw new Refusal("NOT_FOUND", "this path is below /sandbox only");
    // A body that trickles in is not under way yet: who sends it slowly holds nobody else up.
    const rawBody = await readBody(ctx);
    const ended = deps.shedding.enter(route.operationId);
    try {
      await answerTo(ctx, rawBody, route, deps);
    } finally {
      ended();
    }
  };
}

async function answerTo(ctx: EdgeContext, rawBody: Buffer | undefined, route: Route, deps: RouteDeps): Promise<void> {
  const startedAt = performance.now();
  await authorise(ctx, route, deps);
  deps.shedding.assertTimeFor(route.operationId, ctx.state.deadline);
  const headers = readHeaders(route.headers, ctx.req);
  const params = parsed(route.params, canonicalIds({ ...ctx["params"] }), "path");
  const unknown = route.contract ? [] : unknownParameters(route.query, ctx.query);
  const query = parsed(route.query, canonicalIds({ ...ctx.query }), "query", unknown);
  const body = route.body && parsed(route.body, canonicalIds(contentOf(rawBody, route)), undefined);
  const call = edgeCall(ctx);
  const answer = await route
    .run({ params, query, headers, body, call, clients: deps.clients })
    .catch((error: unknown) => {
      throw error instanceof Refusal ? renamed(error, route.renames) : error;
    });
  deps.shedding.took(route.operationId, performance.now() - startedAt);
  ctx.status = ctx.state.waiting === true ? 202 : 200;
  if (answer instanceof FileAnswer) {
    ctx.attachment(answer.fileName);
    ctx.set("Content-Type", answer.contentType ?? route.file ?? "application/octet-stream");
    ctx.body = answer.content;
    return;
  }
  if (answer instanceof LiveAnswer) {
    ctx.set("Content-Type", answer.contentType);
    // A proxy that gathers it first would show nothing.
    ctx.set("X-Accel-Buffering", "no");
    ctx.body = answer.content;
    return;
  }
  ctx.type = "application/json; charset=utf-8";
  const message = (ctx.state.waiting && waitingMessage(route)) || route.message;
  ctx.body = printJson(route.bare ? answer : { status: "SUCCESS", data: answer, message });
}

async function authorise(ctx: EdgeContext, route: Route, deps: RouteDeps): Promise<void> {
  const { access } = route;
  const { verifyUserToken, count, apiTokens } = deps;
  if (access === "expired-token") {
    const token = tokenOf(ctx);
    if (token !== undefined) ctx.state.userToken = token;
  } else if (access !== "anyone") {
    await authenticate(ctx, verifyUserToken, apiTokens);
  }
  await limitCaller(ctx, count);
  const { user } = ctx.state;
  if (user && typeof access !== "string" && !access.includes(user.role)) {
    throw new Refusal("FORBIDDEN", `${article(user.role)} ${user.role} may not call this operation`);
  }
  assertScope(route, user?.scopes);
}

function edgeCall(ctx: EdgeContext): EdgeCall {
  const { tenantId, interactionId, signal, deadline, user, userToken, renewToken, clientIp } = ctx.state;
  return {
    tenantId,
    interactionId,
    signal,
    deadline,
    get log() {
      return ctx.state.log;
    },
    clientIp,
    ...(user && { user }),
    ...(userToken !== undefined && { userToken }),
    ...(renewToken !== undefined && { renewToken }),
    markReplayed: () => {
      ctx.state.replayed = true;
      ctx.set("Idempotency-Replayed", "true");
    },
    markWaiting: () => void (ctx.state.waiting = true),
  };
}

function contentOf(rawBody: Buffer | undefined, route: Route): object {
  if (rawBody) return parseBody(rawBody);
  if (route.bodyOptional) return {};
  const message = `is required: ${membersOf(route.body)}`;
  throw new Refusal("INVALID_INPUT", `body ${message}`, { errors: [{ path: "body", message }] });
}

/** What a body must have, in words. */
function membersOf(schema: Route["body"]): string {
  const shape = schema instanceof z.ZodObject ? Object.entries(schema.shape as Record<string, z.ZodType>) : [];
  const needed = shape.filter(([, member]) => !member.safeParse(undefined).success).map(([name]) => name);
  return needed.length === 0 ? "{} where nothing of it is named" : `an object with ${needed.join(", ")}`;
}

/** `unknown`: faults of names that the schema would let through. */
function parsed(
  schema: Route["body"],
  value: unknown,
  place: "path" | "query" | undefined,
  unknown: readonly Fault[] = [],
): unknown {
  const misspelt = unknown.length > 0 || !schema ? unknown : nearMisses(schema, value);
  const result = schema ? check(schema, value) : ({ ok: true, value: undefined } as const);
  if (result.ok && misspelt.length === 0) return result.value;
  // A misspelt required field is also missing; the spelling says more, so it comes first.
  const all: Fault[] = [...misspelt, ...(result.ok ? [] : result.faults)];
  const faults = all.slice(0, maxFaults).map(({ path, message }) => ({
    path: place ? `${place}.${path}` : path || "body",
    message,
  }));
  throw new Refusal("INVALID_INPUT", faults.map(({ path, message }) => `${path} ${message}`).join("; "), {
    errors: faults,
  });
}

/** "an AGENT", "a MANAGER". */
function article(role: string): string {
  return /^[AEIO]/.test(role) ? "an" : "a";
}
