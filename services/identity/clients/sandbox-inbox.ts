import { z } from "zod";
import { createSender } from "../../platform/partners/sender.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";

/** A message that the connector was given. */
export interface SentMessage {
  reference: string;
  channel: "EMAIL" | "SMS";
  to: string;
  subject: string;
  text: string;
  sentAt: Date;
}

/** What a sandbox's connector was given, newest first. */
export interface SandboxInbox {
  list(
    tenantId: string,
    which: { to?: string | undefined; cursor?: string | undefined; limit: number },
    signal?: AbortSignal,
  ): Promise<{ messages: SentMessage[]; cursor: string }>;
}

const inboxSchema = z.object({
  messages: z.array(
    z
      .object({
        reference: z.string(),
        channel: z.enum(["EMAIL", "SMS"]),
        to: z.string(),
        subject: z.string(),
        text: z.string(),
        at: z.iso.datetime(),
      })
      .transform(({ at, ...message }) => ({ ...message, sentAt: new Date(at) })),
  ),
  cursor: z.string().default(""),
});

/** The sandbox connector's own list: `GET /v1/messages`. */
export function createHttpInbox(endpoint: { url: string; apiKey: string } | undefined): SandboxInbox {
  const send = createSender({ accessOf: () => endpoint });
  return {
    async list(tenantId, { to, cursor, limit }, signal) {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(to !== undefined && { to }),
        ...(cursor !== undefined && { cursor }),
      });
      const call = signal === undefined ? { tenantId } : { tenantId, signal };
      const { status, body } = await send("GET", `/v1/messages?${query.toString()}`, call);
      if (status === 400) throw invalidInput("cursor", "is none that we gave");
      if (status === 404) throw new Refusal("STATE_CONFLICT", "this sandbox's connector keeps no messages to be read");
      if (status !== 200) throw new Refusal("UNAVAILABLE", `the notification connector answered ${status}`);
      return inboxSchema.parse(body);
    },
  };
}
