import { createSender } from "../partners/sender.js";
import { Refusal } from "../../kernel/refusal.js";
import { isSandbox } from "../sandbox/sandbox.js";
import type { InstalledMessages } from "./installed.js";
import type { Message } from "./message.js";

/** The operator's own connectors: a sandbox never reaches the live one. */
export interface NotificationEndpoints {
  live?: { url: string; apiKey: string } | undefined;
  sandbox?: { url: string; apiKey: string } | undefined;
}

/** Hands messages to whoever delivers them, who send a reference once. */
export interface Notifications {
  /**
   * Resolves when the message was taken. Refuses STATE_CONFLICT where it was refused for good,
   * UNAVAILABLE where it may be taken later, or nobody knows.
   */
  send(tenantId: string, message: Message, signal?: AbortSignal): Promise<void>;
}

/** Whether the connector will take the message at no try: the contact, or what it says. */
export function isRefusedForGood(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code === "STATE_CONFLICT";
}

/** Answers about the message itself: who it goes to, or what it says. */
const refusesMessage: ReadonlySet<number> = new Set([400, 410, 413, 422]);

/** The HTTP connector: `POST /v1/messages`. */
export function createHttpNotifications({ live, sandbox }: NotificationEndpoints): Notifications {
  const send = createSender({ accessOf: (tenantId) => (isSandbox(tenantId) ? sandbox : live), timeoutMs: 5_000 });
  return {
    async send(tenantId, message, signal) {
      const call = { tenantId, ...(signal !== undefined && { signal }) };
      const { status } = await send("POST", "/v1/messages", call, message);
      if (status >= 200 && status < 300) return;
      // An earlier try was taken, and words or contact have changed
      // since: a reference is sent once.
      if (status === 409) return;
      if (refusesMessage.has(status)) throw new Refusal("STATE_CONFLICT", `the message was refused with ${status}`);
      // The others speak of our key, or of where we ask, which may be put right.
      throw new Refusal("UNAVAILABLE", `the notification connector answered ${status}`);
    },
  };
}

/** By what a tenant has installed for the channel, else by the operator's connector. */
export function preferInstalled(installed: InstalledMessages, otherwise: Notifications): Notifications {
  return {
    async send(tenantId, message, signal) {
      if (await installed.send(tenantId, message, signal)) return;
      await otherwise.send(tenantId, message, signal);
    },
  };
}
