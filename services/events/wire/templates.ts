import type { NotificationTemplate } from "../../../proto/gen/events/v1/notifications.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import type { Template } from "../../platform/messages/template.js";
import type { SavedTemplate, TemplateKey } from "../domain/template-draft.js";

/** An organisation's own words, or shipped ones. */
export function templateToWire(
  template: TemplateKey & Template & Partial<SavedTemplate>,
): WirePartial<NotificationTemplate> {
  const { kind, channel, language, subject, text, html, revision = 0, changedBy = "", changedAt } = template;
  return {
    kind,
    channel,
    language,
    subject,
    text,
    html,
    revision,
    changedBy,
    ...(changedAt !== undefined && { changedAt }),
  };
}
