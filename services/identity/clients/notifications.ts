import { z } from "zod";
import type { InstalledMessages } from "../../shared/messages/installed.js";
import type { Message } from "../../shared/messages/message.js";
import { createSender } from "../../shared/partner/sender.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { isSandbox } from "../../shared/sandbox.js";

/** The connector sends a reference once. */
export interface Notification extends Message {
  /** The tenant that the message is sent for. */
  account: string;
}

/** Hands messages to whoever delivers them. */
export interface NotificationConnector {
  /**
   * Resolves when the message was taken. Throws a Refusal where it was refused for good, anything
   * else where nobody knows.
   */
  send(notification: Notification, signal?: AbortSignal): Promise<void>;
}

export interface NotificationEndpoint {
  /** Such as https://messages.example */
  url: string;
  apiKey: string;
}

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
export function createHttpInbox(endpoint: NotificationEndpoint | undefined): SandboxInbox {
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
      if (status !== 200) throw new Error(`the notification connector answered ${status}`);
      return inboxSchema.parse(body);
    },
  };
}

const timeoutMs = 5_000;

/**
 * The HTTP connector: `POST /v1/messages`. Live and sandbox tenants have endpoints of their own.
 */
export function createHttpNotifications(endpoints: {
  live?: NotificationEndpoint | undefined;
  sandbox?: NotificationEndpoint | undefined;
}): NotificationConnector {
  return {
    async send({ account, ...message }, signal) {
      const kind = isSandbox(account) ? "sandbox" : "live";
      const endpoint = endpoints[kind];
      if (endpoint === undefined) throw new Error(`no notification connector is set up for ${kind} tenants`);
      const ends = AbortSignal.timeout(timeoutMs);
      const response = await fetch(new URL("/v1/messages", endpoint.url), {
        method: "POST",
        headers: {
          authorization: `Bearer ${endpoint.apiKey}`,
          "content-type": "application/json",
          "x-account": account,
        },
        body: JSON.stringify(message),
        // A redirect is refused, since the message is for nobody else.
        redirect: "error",
        signal: signal === undefined ? ends : AbortSignal.any([signal, ends]),
      });
      await response.body?.cancel();
      // 409: an earlier try was taken, and words or contact have changed since.
      if (response.ok || response.status === 409) return;
      // These refuse the message itself; 408 and 429 speak of the moment, and our key may be put
      // right.
      const refusedForGood = [400, 404, 413, 422].includes(response.status);
      if (refusedForGood) throw new Refusal("STATE_CONFLICT", `the message was refused with ${response.status}`);
      throw new Error(`the notification connector answered ${response.status}`);
    },
  };
}

/** By what a tenant has installed for the channel, else by the operator's connector. */
export function preferInstalled(installed: InstalledMessages, otherwise: NotificationConnector): NotificationConnector {
  return {
    async send(notification, signal) {
      const { account, ...message } = notification;
      if (await installed.send(account, message, signal)) return;
      await otherwise.send(notification, signal);
    },
  };
}
