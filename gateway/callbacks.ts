import Router from "@koa/router";
import { outgoing } from "../services/shared/grpc/client.js";
import type { Clients } from "./clients.js";
import { collect } from "./middleware/body.js";
import type { EdgeState } from "./middleware/state.js";

/**
 * Where partners call back. Not part of the clients' contract: no token and no host of a tenant,
 * which is in the path; the signature over the body's own bytes is checked by the service that
 * shares the secret with the partner.
 */
export function createCallbackRouter({ remittance }: Pick<Clients, "remittance">): Router<EdgeState> {
  const router = new Router<EdgeState>({ sensitive: true });
  router.post("/callbacks/payouts/:tenantId", async (ctx) => {
    const { interactionId, signal, deadline } = ctx.state;
    const tenantId = String(ctx["params"].tenantId);
    ctx.state.tenantId = tenantId;
    const callback = {
      webhookId: ctx.get("webhook-id"),
      webhookTimestamp: ctx.get("webhook-timestamp"),
      webhookSignature: ctx.get("webhook-signature"),
      body: await collect(ctx.req),
    };
    await remittance.receivePayoutCallback(callback, outgoing({ tenantId, interactionId, signal, deadline }));
    ctx.status = 204;
  });
  return router;
}
