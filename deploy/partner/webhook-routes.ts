import type Router from "@koa/router";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { readBody, readBytes, refuse } from "./http.js";
import type { ReceivedEvent, WebhookBooks } from "./webhook-books.js";

const secretSchema = z.strictObject({ secret: z.string().regex(/^whsec_[A-Za-z0-9+/]{24,}={0,2}$/) });
const eventSchema = z.object({ id: z.string(), type: z.string(), sequence: z.number().int() });

/**
 * A receiver of webhooks, as a tenant would run one: it verifies each by the secret it was given,
 * takes an event once, and shows what it took.
 */
export function addWebhookRoutes(router: Router, { books }: { books: WebhookBooks }): void {
  router.post("/webhooks/:receiver", async (ctx) => {
    const { receiver = "" } = ctx.params;
    const secret = books.secretOf(receiver);
    if (secret === undefined) return refuse(ctx, 404, "nobody told this receiver its secret");
    const bytes = await readBytes(ctx);
    if (bytes === undefined) return;
    const event = verified(secret, bytes, ctx.headers);
    if (event === undefined) return refuse(ctx, 400, "the signature does not fit");
    books.take({ receiver, ...event, body: bytes.toString("utf8"), takenAt: Date.now() });
    ctx.status = 204;
  });

  // Of the sandbox only, without a credential: it listens on loopback.
  router.put("/control/webhooks/:receiver", async (ctx) => {
    const body = await readBody(ctx, secretSchema);
    if (body === undefined) return;
    const { receiver = "" } = ctx.params;
    books.setSecret(receiver, body.secret);
    ctx.body = { receiver };
  });
  router.get("/control/webhooks/:receiver", (ctx) => {
    const { receiver = "" } = ctx.params;
    ctx.body = { receiver, events: books.taken(receiver).map(view) };
  });
}

function verified(secret: string, bytes: Buffer, headers: NodeJS.Dict<string | string[]>) {
  try {
    const event = eventSchema.parse(new Webhook(secret).verify(bytes, headers as Record<string, string>));
    return { id: event.id, type: event.type, sequence: event.sequence };
  } catch {
    return undefined;
  }
}

function view({ body, takenAt, times }: ReceivedEvent) {
  return { event: JSON.parse(body) as unknown, at: new Date(takenAt).toISOString(), times };
}
