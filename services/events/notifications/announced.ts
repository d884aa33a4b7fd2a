import type { MessageContact } from "../../../proto/gen/identity/v1/identity.js";
import { isCustomerMessage, type Channel } from "../../platform/messages/kinds.js";
import type { NewRow } from "../../kernel/outbox/index.js";
import { subjectKey, type RecordedEvent } from "../domain/event.js";
import { rowKinds } from "../row-kinds.js";
import { isAnnouncedOtherwise } from "./values.js";

// What is older when events learns of it, as after an outage, is no news: it is read, not told.
const recentMs = 24 * 3_600_000;

/**
 * The row that tells a customer what became of something of theirs; none where nobody is told. It
 * holds no more than the event's id: what is said is read when it is sent. Those of one subject go
 * in its order.
 */
export function messageRowsOf(tenantId: string, recorded: readonly RecordedEvent[]): NewRow[] {
  return recorded.filter(isForCustomer).map((event) => ({
    tenantId,
    interactionId: event.interactionId,
    actor: "events",
    aggregate: `message:${subjectKey(event)}`,
    seq: event.sequence,
    kind: rowKinds.tellCustomer,
    payload: { eventId: event.eventId },
  }));
}

/** What would tip somebody off is told to nobody, and nothing to who was erased. */
function isForCustomer({ type, customerId, isConfidential, body, occurredAt, recordedAt }: RecordedEvent): boolean {
  if (!isCustomerMessage(type) || customerId === "" || isConfidential || body === undefined) return false;
  if (recordedAt.getTime() - occurredAt.getTime() > recentMs) return false;
  return !isAnnouncedOtherwise(type, body);
}

/** Where somebody is told, and by what: their choice, or by mail where they have no number. */
export function addressesOf({ email, phoneNumber, preference }: MessageContact): { channel: Channel; to: string }[] {
  const byMail = { channel: "EMAIL" as const, to: email };
  const byText = { channel: "SMS" as const, to: phoneNumber };
  switch (preference?.channel) {
    case "NONE":
      return [];
    case "SMS":
      return reached([phoneNumber === "" ? byMail : byText]);
    case "BOTH":
      return reached([byMail, byText]);
    default:
      return reached([email === "" ? byText : byMail]);
  }
}

const reached = <T extends { to: string }>(addresses: T[]): T[] => addresses.filter(({ to }) => to !== "");
