import Koa from "koa";
import helmet from "koa-helmet";
import Router from "@koa/router";
import type { Logger } from "../services/shared/log.js";
import { Refusal } from "../services/shared/refusal.js";
import type { Metrics } from "../services/shared/telemetry/metrics.js";
import { createCallbackRouter } from "./callbacks.js";
import { createApiTokenExchange } from "./api-tokens.js";
import { addDocumentation } from "./docs-page.js";
import { allowOrigins } from "./middleware/cors.js";
import { answerFailures } from "./middleware/errors.js";
import { limitAddress } from "./middleware/limits.js";
import { requestScope } from "./middleware/scope.js";
import { shedOverload } from "./middleware/shed.js";
import { serveRoute, type RouteDeps } from "./middleware/serve-route.js";
import type { EdgeMiddleware, EdgeState } from "./middleware/state.js";
import { createTenantResolver, resolveTenant, takeAbsoluteTarget, takeSandboxPrefix } from "./middleware/tenant.js";
import { openApiDocument } from "./openapi.js";
import { routes } from "./routes/index.js";
import { createShedding } from "./shedding.js";

const maxUrlLength = 4_096;

interface AppDeps extends Omit<RouteDeps, "apiTokens" | "shedding"> {
  log: Logger;
  /** From the first byte of a request to its answer; carried on into every call. */
  deadlineMs: number;
  metrics: Metrics;
  trustedProxyHops: number;
  /** The document in place of that of all routes. */
  openApi?: string;
}

/** The HTTP application: what every request passes, then the declared routes. */
export function createApp({ log, deadlineMs, metrics, trustedProxyHops, openApi, ...given }: AppDeps): Koa<EdgeState> {
  const deps = { ...given, shedding: createShedding({ deadlineMs, metrics }) };
  const app = new Koa<EdgeState>();
  app.silent = true;
  app.on("error", (err: unknown) => log.error({ err }, "response failed"));
  app.use(requestScope({ log, deadlineMs, metrics, trustedProxyHops }));
  app.use(answerFailures());
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: loadNothingPolicy } }));
  app.use(edgeRules);
  app.use(shedOverload(deps.shedding));
  app.use(limitAddress(deps.count));
  app.use(takeAbsoluteTarget);
  app.use(createCallbackRouter(deps.clients).routes());
  app.use(takeSandboxPrefix);
  const documentation = new Router<EdgeState>({ sensitive: true });
  addDocumentation(documentation, openApi ?? JSON.stringify(openApiDocument(routes)));
  app.use(documentation.routes());
  app.use(resolveTenant(createTenantResolver(deps.clients.identity)));
  app.use(allowOrigins());
  const apiTokens = createApiTokenExchange(deps.clients.identity);
  const router = createRouter({ ...deps, apiTokens });
  app.use(servePlainPaths(deps, apiTokens));
  app.use(router.routes());
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
  if (ctx.url.length > maxUrlLength) throw new Refusal("URI_TOO_LONG", `the URL is longer than ${maxUrlLength}`);
  await next();
};

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
function servePlainPaths(deps: Omit<RouteDeps, "apiTokens">, apiTokens: RouteDeps["apiTokens"]): EdgeMiddleware {
  const plain = new Map<string, EdgeMiddleware>();
  for (const route of routes) {
    const serve = serveRoute(route, { ...deps, apiTokens });
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      if (!path.includes(":")) plain.set(`${route.method.toUpperCase()} ${path}`, serve);
    }
  }
  return (ctx, next) => (plain.get(`${ctx.method} ${ctx.path}`) ?? skip)(ctx, next);
}

const skip: EdgeMiddleware = (_ctx, next) => next();

function createRouter(deps: RouteDeps): Router<EdgeState> {
  const router = new Router<EdgeState>({ sensitive: true });
  for (const route of routes) {
    router[route.method]([route.path, ...(route.aliases ?? [])], serveRoute(route, deps));
  }
  return router;
}
