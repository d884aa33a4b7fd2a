import type { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { createBatchRead } from "../../kernel/mongo/batch-read.js";
import type { Logger } from "../../kernel/process/log.js";
import type { Clock } from "../../kernel/time/clock.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Client } from "../../kernel/grpc/client.js";
import { parseJson } from "../../kernel/json.js";
import { examplesOf } from "../../platform/messages/amounts.js";
import { isCustomerMessage, type Channel, type Kind } from "../../platform/messages/kinds.js";
import { render, type Content } from "../../platform/messages/template.js";
import { chosenTemplate } from "../../platform/messages/words.js";
import type { RowHandler } from "../../kernel/outbox/index.js";
import { PartnerBusy } from "../../kernel/batching/bound.js";
import { processMetrics } from "../../kernel/telemetry/metrics.js";
import { isRefusedForGood, type Notifications } from "../../platform/messages/notifications.js";
import type { Organisation, Organisations } from "../clients/organisations.js";
import type { RecordedEvent } from "../domain/event.js";
import { isStillSent, type SavedTemplate, type TemplateKey } from "../domain/template-draft.js";
import { managersOf } from "../jobs/manager-messages.js";
import { rowKinds } from "../row-kinds.js";
import type { EventsStore } from "../store/index.js";
import { createMessageContacts, type ContactIdentity } from "./people.js";
import { addressesOf } from "./announced.js";
import { valuesOf } from "./values.js";

export interface SendingDeps {
  store: EventsStore;
  clock: Clock;
  identity: ContactIdentity & Pick<Client<IdentityServiceDefinition>, "getOrganisationPreference" | "listStaffUsers">;
  organisations: Organisations;
  notifications: Notifications;
}

/** A tenant may be without a connector, or ours without an answer, for so long. */
const patienceMs = 3 * 24 * 3_600_000;

/**
 * Tells customers, and sends tests of templates. Each message has one reference at every try, which
 * the connector sends once.
 */
export function messageRows(deps: SendingDeps): Record<string, RowHandler> {
  const { store, clock, identity, organisations, notifications } = deps;
  const people = createMessageContacts(identity);
  // Rows run many at a time: what they read of a moment is read together.
  const eventOf = createBatchRead<string, RecordedEvent>({
    nameOf: (eventId) => eventId,
    readOne: (tenantId, eventId) => store.events.forTenant(tenantId).find(eventId),
    readMany: (tenantId, eventIds) => store.events.forTenant(tenantId).findMany(eventIds),
  });
  const templatesOf = createBatchRead<Kind, readonly SavedTemplate[]>({
    nameOf: (kind) => kind,
    readOne: (tenantId, kind) => store.templates.forTenant(tenantId).list([kind]),
    async readMany(tenantId, kinds) {
      const found = Map.groupBy(await store.templates.forTenant(tenantId).list(kinds), ({ kind }) => kind);
      return new Map(kinds.map((kind) => [kind, found.get(kind) ?? []]));
    },
  });

  /**
   * A person hears in the shipped words rather than be led to a host that
   * is the organisation's no more.
   */
  async function contentOf(
    { tenantId, log }: { tenantId: string; log: Logger },
    {
      hosts,
      ...requested
    }: { kind: Kind; channel: Channel; languages: readonly string[] } & Pick<Organisation, "hosts">,
    values: (language: string) => Record<string, string>,
  ): Promise<Content> {
    let own = (await templatesOf(tenantId, requested.kind)) ?? [];
    // Words are read when they are the ones to be sent, and no others.
    for (;;) {
      const template = chosenTemplate(requested, own);
      const written = own.find((one) => one === template);
      if (written === undefined || isStillSent(written, hosts)) {
        return render(requested.channel, template, values(template.language));
      }
      log.warn({ tenantId, kind: requested.kind }, "words lead to a host of nobody's: left out");
      own = own.filter((one) => one !== written);
    }
  }

  return {
    async [rowKinds.tellCustomer](row, { signal, log }) {
      const { tenantId, interactionId } = row;
      const { eventId } = row.payload as { eventId: string };
      const event = await eventOf(tenantId, eventId);
      // Whom it was about was erased meanwhile, or it was kept for a month and nobody was reached.
      if (event?.body === undefined || !isCustomerMessage(event.type)) return;
      if (clock.now().getTime() - event.recordedAt.getTime() > patienceMs) {
        processMetrics.messagesNotSent.inc({ why: "too_late" });
        log.error({ tenantId, eventId }, "a customer's message was not sent in three days: it is no news any more");
        return;
      }
      const person = await people.find(event.customerId, { tenantId, interactionId });
      if (person === undefined) return;
      const { name, language, hosts } = await organisations.of({ tenantId, interactionId, signal });
      const { type } = event;
      const { data } = parseJson(event.body) as { data: unknown };
      const languages = [person.preference?.language || language, language];
      for (const { channel, to } of addressesOf(person)) {
        const content = await contentOf({ tenantId, log }, { kind: type, channel, languages, hosts }, (spoken) => ({
          organisation: name,
          firstName: person.firstName,
          ...valuesOf(type, data, spoken),
        }));
        const message = { reference: `${eventId}-${channel}`, channel, to, ...content };
        try {
          await notifications.send(tenantId, message, signal);
        } catch (error) {
          if (!isRefusedForGood(error)) {
            // What was not tried comes again in a second.
            if (!(error instanceof PartnerBusy)) processMetrics.messagesNotSent.inc({ why: "away" });
            throw error;
          }
          processMetrics.messagesNotSent.inc({ why: "refused" });
          // Neither the other channel nor what the subject tells later waits for one contact.
          log.warn({ err: error, tenantId, eventId, channel }, "a customer's message was refused for good");
        }
        crashPoint("events.message.sent");
      }
      // Rows of a moment end in one command; the event says what was told.
      return "forget";
    },

    async [rowKinds.sendTemplateTest](row, { signal, log }) {
      const { tenantId, interactionId } = row;
      const { userId, kind, channel, language } = row.payload as unknown as TemplateKey & { userId: string };
      const managers = await managersOf(identity, row, signal);
      const to = managers.find((one) => one.userId === userId)?.email;
      if (to === undefined) return;
      const { name, hosts } = await organisations.of({ tenantId, interactionId, signal });
      const requested = { kind, channel, languages: [language], hosts };
      const { subject, ...content } = await contentOf({ tenantId, log }, requested, (spoken) => ({
        ...examplesOf(kind, spoken),
        organisation: name,
      }));
      // Staff have no phone number: the words of a text message come by mail.
      const title = `Test: ${subject === "" ? `text message of ${kind}` : subject}`.slice(0, 200);
      await notifications.send(
        tenantId,
        { reference: row.id, channel: "EMAIL", to, subject: title, ...content },
        signal,
      );
    },
  };
}
