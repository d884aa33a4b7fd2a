import type { IncomingMessage } from "node:http";
import Koa from "koa";
import helmet from "koa-helmet";
import Router from "@koa/router";
import type { Logger } from "../services/kernel/process/log.js";
import { notInstalled } from "../services/kernel/grpc/absent-client.js";
import { Refusal } from "../services/kernel/refusal.js";
import type { Metrics } from "../services/kernel/telemetry/metrics.js";
import { createCallbackRouter } from "./callbacks.js";
import { createApiTokenExchange } from "./api-tokens.js";
import { serveConsole } from "./console-page.js";
import { consoleSession } from "./console-session.js";
import { addDocumentation } from "./docs-page.js";
import { allowOrigins } from "./middleware/cors.js";
import { dropRest } from "./middleware/drop-rest.js";
import { answerFailures } from "./middleware/errors.js";
import { limitAddress } from "./middleware/limits.js";
import { requestScope } from "./middleware/scope.js";
import { serveRoute, type RouteDeps } from "./middleware/serve-route.js";
import type { EdgeMiddleware, EdgeState } from "./middleware/state.js";
import {
  createTenantResolver,
  organisationName,
  resolveTenant,
  takeAbsoluteTarget,
  takeSandboxPrefix,
} from "./middleware/tenant.js";
import type { OfferedRoutes } from "./offered-routes.js";
import { openApiDocument } from "./openapi.js";
import type { Route } from "./route.js";
import { createShedding } from "./shedding.js";

const maxUrlLength = 4_096;

interface AppDeps extends Omit<RouteDeps, "apiTokens" | "shedding"> {
  log: Logger;
  /** From the first byte of a request to its answer; carried on into every call. */
  deadlineMs: number;
  metrics: Metrics;
  trustedProxyHops: number;
  routes: OfferedRoutes;
  /** The document in place of that of the offered routes. */
  openApi?: string;
  /** The built console in place of ours. */
  consoleFolder?: string | undefined;
}

/** The HTTP application: what every request passes, then the offered routes. */
export function createApp(given: AppDeps): Koa<EdgeState> {
  const { log, deadlineMs, metrics, trustedProxyHops, routes, openApi, consoleFolder, ...rest } = given;
  const deps = { ...rest, shedding: createShedding({ deadlineMs, metrics }) };
  const app = new Koa<EdgeState>();
  app.silent = true;
  app.on("error", (err: unknown) => {
    // A client that leaves a stream or a download is none of our faults.
    if ((err as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") log.error({ err }, "response failed");
  });
  app.use(dropRest());
  app.use(requestScope({ log, deadlineMs, metrics, trustedProxyHops }));
  app.use(answerFailures());
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: loadNothingPolicy } }));
  app.use(edgeRules);
  app.use(limitAddress(deps.count));
  app.use(takeAbsoluteTarget);
  app.use(createCallbackRouter(deps.clients).routes());
  app.use(takeSandboxPrefix);
  const documentation = new Router<EdgeState>({ sensitive: true });
  addDocumentation(documentation, openApi ?? JSON.stringify(openApiDocument(routes.offered)));
  app.use(documentation.routes());
  const tenantOf = createTenantResolver(deps.clients.identity);
  app.use(serveConsole(organisationName(tenantOf), consoleFolder));
  app.use(resolveTenant(tenantOf));
  app.use(allowOrigins());
  const apiTokens = createApiTokenExchange(deps.clients.identity);
  const serve = (route: Route) => serveRoute(route, { ...deps, apiTokens });
  const router = createRouter(routes.offered, serve);
  app.use(consoleSession(serve));
  app.use(servePlainPaths(routes.offered, serve));
  app.use(router.routes());
  app.use(createRouter(routes.absent, refuseAbsent).routes());
  app.use(refuseUnknown(router));
  return app;
}

// An answer that a browser is made to show loads nothing, cannot be framed and submits nothing.
const none = ["'none'"];
const loadNothingPolicy = {
  defaultSrc: none,
  baseUri: none,
  formAction: none,
  frameAncestors: none,
  objectSrc: none,
};

// Answers hold personal data and money: no cache on the way may keep them.
const edgeRules: EdgeMiddleware = async (ctx, next) => {
  ctx.set("Cache-Control", "no-store");
  assertOneFraming(ctx.req);
  if (ctx.url.length > maxUrlLength) throw new Refusal("URI_TOO_LONG", `the URL is longer than ${maxUrlLength}`);
  await next();
};

/**
 * Refuses INVALID_INPUT where it is not said once, and in one way, how the body ends: what stands
 * before us might read another end, and take a part of it for the next request.
 */
function assertOneFraming({ rawHeaders, headers }: IncomingMessage): void {
  const coding = headers["transfer-encoding"];
  if (coding === undefined) return;
  const times = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "transfer-encoding").length;
  if (times === 1 && coding.trim().toLowerCase() === "chunked") return;
  throw new Refusal("INVALID_INPUT", "Transfer-Encoding must be there once, and say chunked");
}

/** What no route took: an unknown path, or a known one with another method. */
function refuseUnknown(router: Router<EdgeState>): EdgeMiddleware {
  return (ctx) => {
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods));
    if (methods.size === 0) throw new Refusal("NOT_FOUND", "there is no such path");
    ctx.set("Allow", [...methods].join(", "));
    throw new Refusal("METHOD_NOT_ALLOWED", `this path does not answer ${ctx.method}`);
  };
}

/** Paths without parameters are looked up, rather than compared with one route after another. */
function servePlainPaths(routes: readonly Route[], serve: (route: Route) => EdgeMiddleware): EdgeMiddleware {
  const plain = new Map<string, EdgeMiddleware>();
  for (const route of routes) {
    const served = serve(route);
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      if (!path.includes(":")) plain.set(`${route.method.toUpperCase()} ${path}`, served);
    }
  }
  return (ctx, next) => (plain.get(`${ctx.method} ${ctx.path}`) ?? skip)(ctx, next);
}

/** A path of a service that this system runs without. */
function refuseAbsent(route: Route): EdgeMiddleware {
  return (ctx) => {
    ctx.state.route = route;
    throw notInstalled("investment");
  };
}

const skip: EdgeMiddleware = (_ctx, next) => next();

function createRouter(routes: readonly Route[], serve: (route: Route) => EdgeMiddleware): Router<EdgeState> {
  const router = new Router<EdgeState>({ sensitive: true });
  for (const route of routes) {
    router[route.method]([route.path, ...(route.aliases ?? [])], serve(route));
  }
  return router;
}
