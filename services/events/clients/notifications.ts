import type { InstalledMessages } from "../../shared/messages/installed.js";
import type { Message } from "../../shared/messages/message.js";
import { isSandbox } from "../../shared/sandbox.js";
import { createSender } from "../../shared/partner/sender.js";
import { Refusal } from "../../shared/refusal.js";

export interface Endpoints {
  live: { url: string; apiKey: string } | undefined;
  sandbox: { url: string; apiKey: string } | undefined;
}

/** The connector sends a reference once. */
export type Notification = Message;

/** Hands messages to whoever delivers them. */
export interface Notifications {
  /**
   * Resolves when the message was taken. Throws a Refusal STATE_CONFLICT where it was refused for
   * good, else anything.
   */
  send(tenantId: string, notification: Notification, signal?: AbortSignal): Promise<void>;
}

/** Whether the connector will take the message at no try: the contact, or what it says. */
export function isRefusedForGood(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code === "STATE_CONFLICT";
}

/** Answers about the message itself: who it goes to, or what it says. */
const refusesMessage: ReadonlySet<number> = new Set([400, 410, 413, 422]);

/** The HTTP connector: `POST /v1/messages`. */
export function createHttpNotifications({ live, sandbox }: Endpoints): Notifications {
  const send = createSender({ accessOf: (tenantId) => (isSandbox(tenantId) ? sandbox : live), timeoutMs: 5_000 });
  return {
    async send(tenantId, notification, signal) {
      const call = { tenantId, ...(signal !== undefined && { signal }) };
      const { status } = await send("POST", "/v1/messages", call, notification);
      if (status >= 200 && status < 300) return;
      // An earlier try was taken, and words or contact have changed since: a reference is sent once.
      if (status === 409) return;
      // The others speak of our key, or of where we ask, which may be put right.
      if (!refusesMessage.has(status)) throw new Error(`the notification connector answered ${status}`);
      throw new Refusal("STATE_CONFLICT", `the message was refused with ${status}`);
    },
  };
}

/** By what a tenant has installed for the channel, else by the operator's connector. */
export function preferInstalled(installed: InstalledMessages, otherwise: Notifications): Notifications {
  return {
    async send(tenantId, notification, signal) {
      if (await installed.send(tenantId, notification, signal)) return;
      await otherwise.send(tenantId, notification, signal);
    },
  };
}
