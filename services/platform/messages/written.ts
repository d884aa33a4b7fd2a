import type { NotificationServiceDefinition } from "../../../proto/gen/events/v1/notifications.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { OutboxRow } from "../../kernel/outbox/index.js";
import type { Channel, SecurityKind } from "./kinds.js";
import { render, type Content } from "./template.js";
import { chosenTemplate, type OwnTemplate } from "./words.js";

/** Undefined where the service has no address of events. */
export type TemplateClient = Pick<Client<NotificationServiceDefinition>, "findOwnTemplates"> | undefined;

interface Requested {
  kind: SecurityKind;
  channel: Channel;
  /** That the reader reads, the best one first. */
  languages: readonly string[];
}

// Codes live for minutes: who waits for one gets the shipped words while events is away.
const timeoutMs = 1_000;

export type SecurityMessages = ReturnType<typeof createSecurityMessages>;

/**
 * Messages with the organisation's words, or the shipped ones. What is secret in them is put in
 * here and goes to the connector alone: events is asked for words and told nothing.
 */
export function createSecurityMessages({ templates }: { templates: TemplateClient }) {
  async function ownOf({ kind, channel }: Requested, row: Pick<OutboxRow, "tenantId" | "interactionId">) {
    if (templates === undefined) return [];
    try {
      const { tenantId, interactionId } = row;
      const call = outgoing({ tenantId, interactionId }, { timeoutMs });
      const found = await templates.findOwnTemplates({ kind, channel }, call);
      return found.templates.map(({ language, subject, text, html }): OwnTemplate => {
        return { kind, channel, language, subject, text, html };
      });
    } catch {
      // Whatever keeps it from answering.
      return [];
    }
  }

  return {
    /** `values` by the language that the words are in. */
    async contentOf(
      row: Pick<OutboxRow, "tenantId" | "interactionId">,
      requested: Requested,
      values: (language: string) => Record<string, string>,
    ): Promise<Content> {
      const template = chosenTemplate(requested, await ownOf(requested, row));
      return render(requested.channel, template, values(template.language));
    },
  };
}
