import type { UserPrincipal } from "../../services/shared/grpc/context.js";
import type { Logger } from "../../services/shared/log.js";
import type { Route } from "../route.js";
import type { DefaultContext, Middleware, ParameterizedContext } from "koa";

/** What the middlewares learn of a request, in the order they run. */
export interface EdgeState {
  startedAt: number;
  interactionId: string;
  signal: AbortSignal;
  deadline: Date;
  log: Logger;
  tenantId: string;
  route?: Route;
  user?: UserPrincipal;
  userToken?: string;
  replayed?: boolean;
  /** Code of the refusal that was answered. */
  refused?: string;
}

export type EdgeContext = ParameterizedContext<EdgeState, DefaultContext>;
export type EdgeMiddleware = Middleware<EdgeState, DefaultContext>;
