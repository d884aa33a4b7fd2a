import type Router from "@koa/router";
import { z } from "zod";
import type { Rules } from "./behaviours.js";
import { readBody, refuse } from "./http.js";
import type { MessageRecord, NotificationBooks } from "./notification-books.js";
import { accountOf, authenticated, recognised } from "./payout-routes.js";

const messageSchema = z.object({
  reference: z.string().min(1).max(128),
  channel: z.enum(["EMAIL", "SMS"]),
  to: z.string().min(1).max(320),
  subject: z.string().max(200),
  text: z.string().min(1).max(10_000),
  html: z.string().max(100_000).optional(),
});

/**
 * Takes messages as a provider of mail and text messages does, and keeps them in an inbox that
 * tests and people read.
 */
export function addNotificationRoutes(
  router: Router,
  deps: { books: NotificationBooks; rules: Rules; apiKey: string },
): void {
  const { books } = deps;

  router.post("/v1/messages", authenticated(deps), async (ctx) => {
    const message = await readBody(ctx, messageSchema);
    if (message === undefined) return;
    const { to: recipient, html = "", ...rest } = message;
    const record = { account: accountOf(ctx), recipient, html, ...rest };
    const known = books.find(record.account, record.reference);
    if (known === undefined) books.insert({ ...record, takenAt: Date.now() });
    else if (known.recipient !== recipient || known.channel !== record.channel || known.text !== record.text) {
      return refuse(ctx, 409, "this reference stands for another message");
    }
    // The same message again was taken before: it is sent once.
    ctx.body = { reference: record.reference, status: "TAKEN" };
  });

  router.get("/v1/messages", recognised(deps.apiKey), (ctx) => {
    const { to = "", cursor, limit = "100" } = ctx.query;
    const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
    if (typeof to !== "string" || !Number.isSafeInteger(before) || !/^([1-9]\d?|100)$/.test(String(limit))) {
      return refuse(ctx, 400, "to is a recipient, cursor one of ours, limit is 1 to 100");
    }
    const taken = books.inbox(accountOf(ctx), to, before, Number(limit));
    const last = taken.at(-1);
    const isFull = taken.length === Number(limit) && last !== undefined;
    ctx.body = { messages: taken.map(view), ...(isFull && { cursor: String(last.sequence) }) };
  });

  // Of the sandbox only, without a credential: it listens on loopback.
  router.get("/control/inbox", (ctx) => {
    const { account, to = "" } = ctx.query;
    if (typeof account !== "string" || typeof to !== "string") return refuse(ctx, 400, "account names the tenant");
    ctx.body = { messages: books.inbox(account, to).map(view) };
  });
}

function view({ reference, channel, recipient, subject, text, html, takenAt }: MessageRecord) {
  const shown = { reference, channel, to: recipient, subject, text, ...(html !== "" && { html }) };
  return { ...shown, at: new Date(takenAt).toISOString() };
}
