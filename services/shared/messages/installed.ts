import type { Logger } from "../log.js";
import { createBreakers, type BreakerOptions } from "../partner/breakers.js";
import type { CallNotes } from "../plugins/call-notes.js";
import type { Installation } from "../plugins/installations.js";
import { Refusal } from "../refusal.js";
import type { Message, Sent } from "./message.js";
import type { SmsSender } from "./sms-sender.js";
import type { SmtpSender } from "./smtp-sender.js";

export interface InstalledMessagesDeps {
  /** What a tenant has installed, the oldest first. Refuses UNAVAILABLE. */
  installationsOf: (tenantId: string) => Promise<readonly Installation[]>;
  notes: Pick<CallNotes, "note">;
  smtp: Pick<SmtpSender, "send">;
  sms: Pick<SmsSender, "send">;
  log: Pick<Logger, "warn">;
  breaker?: BreakerOptions;
}

export type InstalledMessages = ReturnType<typeof createInstalledMessages>;

/** Messages by what tenants have installed for them. */
export function createInstalledMessages(deps: InstalledMessagesDeps) {
  const { installationsOf, notes, smtp, sms, log, breaker } = deps;
  const through = createBreakers(breaker);

  async function sendBy(installation: Installation, tenantId: string, message: Message, signal?: AbortSignal) {
    const call = { tenantId, installation, signal };
    switch (installation.type) {
      case "smtp":
        return smtp.send(message, call);
      case "http-sms":
        return sms.send(message, call);
      default:
        // Of a newer version: it waits for one that knows it, and goes by nobody else.
        throw new Refusal("UNAVAILABLE", `this version knows no plugin ${installation.type}`);
    }
  }

  /** One try, and its note. Refuses STATE_CONFLICT or UNAVAILABLE. */
  async function tryOnce(installation: Installation, tenantId: string, message: Message, signal?: AbortSignal) {
    const { installationId } = installation;
    const place = { tenantId, installationId };
    const key = `${tenantId}/${installationId}`;
    const startedAt = performance.now();
    let sent: Sent | undefined;
    try {
      await through(key, async () => {
        sent = await sendBy(installation, tenantId, message, signal);
        assertTaken(sent);
      });
    } finally {
      const durationMs = Math.round(performance.now() - startedAt);
      const { status = 0, outcome = "UNKNOWN" } = sent ?? {};
      const made = sent && { operation: "send", reference: message.reference, status, durationMs, outcome };
      notes.note(place, made, through.isOpen(key));
      if (sent?.outcome === "UNKNOWN") log.warn({ ...place, why: sent.why }, "a plugin did not take a message");
    }
  }

  return {
    /**
     * Whether the tenant has an ENABLED installation of the channel; the oldest one has then taken
     * the message. Refuses STATE_CONFLICT where it was refused for good, else UNAVAILABLE.
     */
    async send(tenantId: string, message: Message, signal?: AbortSignal): Promise<boolean> {
      const installed = await installationsOf(tenantId);
      const own = installed.find(({ kind, status }) => kind === message.channel && status === "ENABLED");
      if (own === undefined) return false;
      await tryOnce(own, tenantId, message, signal);
      return true;
    },
  };
}

function assertTaken({ outcome, status, why }: Sent): void {
  if (outcome === "OK") return;
  if (outcome === "REFUSED") throw new Refusal("STATE_CONFLICT", `the message was refused with ${status}`);
  throw new Refusal("UNAVAILABLE", `nobody knows whether the message was taken: ${why}`);
}
