import Router from "@koa/router";
import type { IncomingHttpHeaders } from "node:http";
import { outgoing } from "../services/kernel/grpc/client.js";
import { Refusal } from "../services/kernel/refusal.js";
import type { Clients } from "./clients.js";
import { collect } from "./middleware/body.js";
import type { EdgeState } from "./middleware/state.js";
import { kindOf } from "./shapes/plugins.js";

/**
 * Where partners call back. Not part of the clients' contract: no token and no host of a tenant,
 * which is in the path; the signature over the body's own bytes is checked by the service that
 * shares the secret with the partner.
 */
export function createCallbackRouter({
  remittance,
  plugins,
  pluginOwners,
}: Pick<Clients, "remittance" | "plugins" | "pluginOwners">): Router<EdgeState> {
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
  router.post("/callbacks/plugins/:installationId", async (ctx) => {
    const { interactionId, signal, deadline } = ctx.state;
    const installationId = String(ctx["params"].installationId);
    if (!installationForm.test(installationId)) throw new Refusal("NOT_FOUND", "there is no such plugin");
    const above = outgoing({ tenantId: "", interactionId, signal, deadline });
    const found = await plugins.findPlugin({ installationId }, above);
    ctx.state.tenantId = found.tenantId;
    const callback = { installationId, headers: signatureHeaders(ctx.req.headers), body: await collect(ctx.req) };
    const { tenantId } = found;
    const call = outgoing({ tenantId, interactionId, signal, deadline });
    await pluginOwners[kindOf(found)].receiveCallback(callback, call);
    ctx.status = 204;
  });
  return router;
}

const installationForm = /^[\w-]{1,64}$/;
const maxHeaderLength = 2_000;
const signing = /^(webhook-|svix-)|signature|digest|hmac|timestamp|^x-(?!forwarded-|real-ip)/;

/** Headers that may sign a callback, or be signed with it. */
function signatureHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(
    (header): header is [string, string] =>
      typeof header[1] === "string" && header[1].length <= maxHeaderLength && signing.test(header[0]),
  );
  return Object.fromEntries(kept);
}
