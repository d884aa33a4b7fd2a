import type { RpcAccess } from "../grpc/access.js";
import type { ServiceName, UserPrincipal } from "../grpc/context.js";

/**
 * What a process calls in its own name before it takes calls is of this tenant. Identity makes none
 * with an underscore, so nobody is it; its calls are not counted.
 */
export const warmUpTenantId = "_warm-up";

/** Who calls while the process that serves the rpc warms up by itself. */
export function warmUpCaller({ callers, roles, user, tenant }: RpcAccess): {
  caller: ServiceName;
  tenantId: string;
  user?: UserPrincipal;
} {
  const caller = callers[0] ?? "operator";
  const tenantId = tenant === "none" ? "" : warmUpTenantId;
  if ((user ?? "none") === "none") return { caller, tenantId };
  const role = roles === undefined || roles.includes("CUSTOMER") ? "CUSTOMER" : (roles[0] ?? "MANAGER");
  const nobody = { userId: warmUpTenantId, sessionId: warmUpTenantId, tenantId: warmUpTenantId, role };
  return { caller, tenantId, user: role === "CUSTOMER" ? { ...nobody, customerId: warmUpTenantId } : nobody };
}
