import type { Logger } from "../../kernel/process/log.js";
import { createBounds, mostCallsAtPartner } from "../../kernel/batching/bound.js";
import { createBreakers, type BreakerOptions } from "../partners/breakers.js";
import type { CallLog } from "../plugins/call-log.js";
import type { Installation, Installations } from "../plugins/installations.js";
import type { ConnectAt } from "../plugins/installed-partners.js";
import type { OpenPartners } from "../plugins/open-partners.js";
import { pluginTypeOf } from "../plugins/types/index.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Message, Sent } from "./message.js";
import type { SmsSender } from "./sms-sender.js";
import type { SmtpSender } from "./smtp-sender.js";

export interface InstalledMessagesDeps {
  openPartners: OpenPartners<Pick<Installations, "of">>;
  notes: Pick<CallLog, "note">;
  smtp: Pick<SmtpSender, "send">;
  sms: Pick<SmsSender, "send">;
  log: Pick<Logger, "warn">;
  breaker?: BreakerOptions;
  /** Messages that may be under way at one installation at a time. */
  most?: number;
}

const maxTaken = 10_000;

export type InstalledMessages = ReturnType<typeof createInstalledMessages>;

/** Messages by what tenants have installed for them. */
export function createInstalledMessages(deps: InstalledMessagesDeps) {
  const { openPartners, notes, smtp, sms, log, breaker, most = mostCallsAtPartner } = deps;
  const sending =
    (by: Pick<SmtpSender | SmsSender, "send">) =>
    ({ tenantId, installation }: ConnectAt) =>
    (message: Message, signal?: AbortSignal) =>
      by.send(message, { tenantId, installation, signal });
  const partners = openPartners(["EMAIL", "SMS"], { "mail-server": sending(smtp), "sms-request": sending(sms) });
  const breakers = createBreakers(breaker);
  const bounds = createBounds(most);
  // A row of several messages is tried anew as a whole, and a mail server knows no references.
  const taken = new Set<string>();

  function noteTaken(reference: string): void {
    for (const oldest of taken) {
      if (taken.size < maxTaken) break;
      taken.delete(oldest);
    }
    taken.add(reference);
  }

  /**
   * One try, and its note. Refuses STATE_CONFLICT or UNAVAILABLE,
   * PartnerBusy where it was not tried.
   */
  async function tryOnce(installation: Installation, tenantId: string, message: Message, signal?: AbortSignal) {
    const { installationId } = installation;
    const { connection } = partners.openedOf(tenantId, installation);
    const key = `${tenantId}/${installationId}`;
    const send = async () => {
      const at = new Date();
      const startedAt = performance.now();
      const sent = await connection(message, signal);
      const { status, outcome, why } = sent;
      const durationMs = Math.round(performance.now() - startedAt);
      const made = { operation: "send", reference: message.reference, at, status, durationMs, outcome };
      notes.note(tenantId, installationId, made, () => breakers.isOpen(key));
      if (outcome === "UNKNOWN") log.warn({ tenantId, installationId, why }, "a plugin did not take a message");
      assertTaken(sent);
    };
    await bounds.within(key, () => breakers.through(key, send));
  }

  return {
    /**
     * Whether the tenant has an ENABLED installation of the channel; the oldest one has then taken
     * the message, once for each reference as far as this process knows. Refuses STATE_CONFLICT
     * where it was refused for good, PartnerBusy where it was not tried, else UNAVAILABLE.
     */
    async send(tenantId: string, message: Message, signal?: AbortSignal): Promise<boolean> {
      // A random interaction is as good as the row's: what is asked is shared by many.
      const installed = await partners.installations.of({ tenantId, interactionId: "" });
      const own = installed.find(({ type, status }) => kindOf(type) === message.channel && status === "ENABLED");
      if (own === undefined) return false;
      const reference = `${tenantId}/${message.channel}/${message.reference}`;
      if (taken.has(reference)) return true;
      await tryOnce(own, tenantId, message, signal);
      noteTaken(reference);
      return true;
    },
  };
}

const kindOf = (type: string) => pluginTypeOf(type)?.kind;

function assertTaken({ outcome, status, why }: Sent): void {
  if (outcome === "OK") return;
  if (outcome === "REFUSED") throw new Refusal("STATE_CONFLICT", `the message was refused with ${status}`);
  throw new Refusal("UNAVAILABLE", `nobody knows whether the message was taken: ${why}`);
}
