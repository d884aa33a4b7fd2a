import type { InstalledMessages } from "../../shared/messages/installed.js";
import type { Message } from "../../shared/messages/message.js";
import { Refusal } from "../../shared/refusal.js";
import { postJson, type Account, type Endpoints } from "./partner-http.js";

/** The connector sends a reference once. */
export type Notification = Message;

/** Hands messages to whoever delivers them. */
export interface Notifications {
  /**
   * Resolves when the message was taken. Throws a Refusal STATE_CONFLICT where it was refused for
   * good, else anything.
   */
  send(account: Account, notification: Notification, signal?: AbortSignal): Promise<void>;
}

// These refuse the message itself; 408 and 429 speak of the moment, and our key may be put right.
const refusedForGood: ReadonlySet<number> = new Set([400, 404, 413, 422]);

/** The HTTP connector: `POST /v1/messages`. */
export function createHttpNotifications(endpoints: Endpoints): Notifications {
  return {
    async send(account, notification, signal) {
      const { status } = await postJson(endpoints, account, "/v1/messages", notification, signal);
      // 409: an earlier try was taken, and words or contact have changed since.
      if ((status >= 200 && status < 300) || status === 409) return;
      if (refusedForGood.has(status)) throw new Refusal("STATE_CONFLICT", `the message was refused with ${status}`);
      throw new Error(`the notification connector answered ${status}`);
    },
  };
}

/** By what a tenant has installed for the channel, else by the operator's connector. */
export function preferInstalled(installed: InstalledMessages, otherwise: Notifications): Notifications {
  return {
    async send(account, notification, signal) {
      if (await installed.send(account.tenantId, notification, signal)) return;
      await otherwise.send(account, notification, signal);
    },
  };
}
