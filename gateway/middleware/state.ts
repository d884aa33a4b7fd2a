import type { UserPrincipal } from "../../services/kernel/grpc/context.js";
import type { Logger } from "../../services/kernel/process/log.js";
import type { Route } from "../route.js";
import type { DefaultContext, Middleware, ParameterizedContext } from "koa";

/** What the middlewares learn of a request, in the order they run. */
export interface EdgeState {
  startedAt: number;
  interactionId: string;
  signal: AbortSignal;
  deadline: Date;
  readonly log: Logger;
  /** The client's address; behind our own proxies, what the outermost of them saw. */
  clientIp: string;
  /** Of a request target in absolute form. */
  targetHost?: string;
  /** The path began with /sandbox. */
  sandbox: boolean;
  /** The sandbox's own id where the path chose it. */
  tenantId: string;
  /** Web origins whose pages may call this tenant. */
  corsOrigins: readonly string[];
  /** What is left of the limit that the headers show, 0 to 1. */
  limitShare?: number;
  route?: Route;
  user?: UserPrincipal;
  userToken?: string;
  /** Of an API token, whose access token lives for some minutes: one that lives now. */
  renewToken?: () => Promise<string>;
  /** True where the answer is 202. */
  waiting?: boolean;
  replayed?: boolean;
  /** Code of the refusal that was answered. */
  refused?: string;
}

export type EdgeContext = ParameterizedContext<EdgeState, DefaultContext>;
export type EdgeMiddleware = Middleware<EdgeState, DefaultContext>;
