import { z } from "zod";
import * as wire from "../../proto/gen/events/v1/notifications.js";
import { examplesOf } from "../../services/platform/messages/amounts.js";
import { channels, kindNames, kinds } from "../../services/platform/messages/kinds.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { route, v6 } from "../route.js";
import { instant, maybe, text, wholeNumberIn, shown } from "../schema.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const base = `${v6}/admin/notification-management`;
const templatePath = `${base}/templates/:kind/:channel/:language`;
const tag = "Notifications";
const byManagers = { tag, access: ["MANAGER"], scopes: ["settings:write"] } as const;
const manager = "manager@demo.example";
const maxRevision = 1_000_000;

/** The service says what is wrong with each, and names the nearest. */
const which = z.object({ kind: text(64), channel: text(8), language: text(8) });
const example = { kind: "transaction.completed", channel: "EMAIL", language: "en" };

const words = {
  subject: maybe(text(1_000, 0)).meta({ description: "Of an e-mail; one line, at most 150 characters." }),
  text: text(20_000, 0).meta({
    description: "Plain text with placeholders such as {{amount}}; at most 4000 characters, 459 of a text message.",
  }),
  html: maybe(text(100_000, 0)).meta({
    description: "Of an e-mail, at most 20000 characters; made from the text where absent. Values in it are escaped.",
  }),
};

const Template = shape(
  wire.NotificationTemplate,
  z
    .object({
      kind: z.enum(kindNames),
      channel: z.enum(channels),
      language: shown(z.string(), "ISO").meta({ description: "ISO 639." }),
      subject: z.string().optional(),
      text: leaf.description,
      html: z.string().optional().meta({ description: "Absent where it is made from the text." }),
      revision: z.number().int().meta({ description: "0: the words that everybody starts with." }),
      changedBy: leaf.userId.optional(),
      changedAt: instant.optional(),
    })
    .meta({ id: "NotificationTemplate" }),
);

const listNotificationKinds = route({
  ...byManagers,
  method: "get",
  path: `${base}/kinds`,
  summary: "List the kinds of messages with their placeholders",
  answer: z.object({
    kinds: z.array(
      z
        .object({
          kind: z.enum(kindNames),
          summary: leaf.description,
          isSecurity: z.boolean().meta({ description: "Nobody can switch it off." }),
          channels: z.array(z.enum(channels)),
          placeholders: z.array(z.object({ name: leaf.name, example: z.string(), required: z.boolean() })),
        })
        .meta({ id: "NotificationKind" }),
    ),
  }),
  message: "Kinds of messages",
  example: { as: manager },
  run: async () => ({
    kinds: kindNames.map((kind) => {
      const { summary, isSecurity, channels: sentBy, required } = kinds[kind];
      return {
        kind,
        summary,
        isSecurity,
        channels: [...sentBy],
        placeholders: Object.entries(examplesOf(kind, "en")).map(([name, value]) => ({
          name,
          example: value,
          required: required.includes(name),
        })),
      };
    }),
  }),
});

const listNotificationTemplates = operation({
  ...byManagers,
  method: "get",
  path: `${base}/templates`,
  summary: "List the words in force, one's own and those that everybody starts with",
  query: z.object({ kind: text(64).optional(), language: text(8).optional() }),
  answer: z.object({ templates: z.array(Template) }),
  message: "Templates",
  renames: { kind: "query.kind", language: "query.language" },
  example: { as: manager, query: { kind: "transaction.completed" } },
  rpc: "notifications.listTemplates",
});

const readNotificationTemplate = operation({
  ...byManagers,
  method: "get",
  path: templatePath,
  summary: "Read the words in force of a kind of message, for a channel and in a language",
  params: which,
  answer: Template,
  message: "Template",
  example: { as: manager, params: example },
  rpc: "notifications.getTemplate",
});

const saveNotificationTemplate = operation({
  method: "put",
  path: templatePath,
  tag,
  summary: "Put words of one's own in place, onto the revision that was read",
  access: ["MANAGER"],
  peopleOnly: "words",
  params: which,
  body: z
    .object({
      revision: wholeNumberIn(0, maxRevision).meta({
        description: "That was read; 0 where there was none of one's own.",
      }),
      ...words,
    })
    .meta({ id: "SaveNotificationTemplateRequest" }),
  answer: Template,
  message: "Template saved",
  example: {
    as: manager,
    sandbox: true,
    params: { ...example, language: "fr" },
    body: {
      revision: 0,
      subject: "{{organisation}} : {{recipient}} a reçu l'argent",
      text: "Bonjour {{firstName}},\n\n{{recipient}} a reçu {{received}}.\n\nRéférence : {{reference}}.",
    },
  },
  rpc: "notifications.saveTemplate",
});

const removeNotificationTemplate = operation({
  method: "delete",
  path: templatePath,
  tag,
  summary: "Take one's own words away: those that everybody starts with count again",
  access: ["MANAGER"],
  peopleOnly: "words",
  params: which,
  answer: z.object({}),
  message: "Template removed",
  example: { as: manager, params: { ...example, language: "nl" }, answers: 404 },
  rpc: "notifications.removeTemplate",
});

const previewNotificationTemplate = operation({
  ...byManagers,
  method: "post",
  path: `${templatePath}/preview`,
  summary: "See the words in force, or a draft of them, with the values of an example",
  params: which,
  body: z.object({ draft: maybe(z.object(words)) }).meta({ id: "PreviewNotificationTemplateRequest" }),
  answer: z
    .object({ subject: z.string().optional(), text: leaf.description, html: z.string().optional() })
    .meta({ id: "NotificationPreview" }),
  message: "Preview",
  renames: { subject: "draft.subject", text: "draft.text", html: "draft.html" },
  example: { as: manager, params: example, body: { draft: { subject: "{{amount}}", text: "{{recipient}}" } } },
  rpc: "notifications.previewTemplate",
});

const sendNotificationTest = operation({
  ...byManagers,
  method: "post",
  path: `${templatePath}/send-test`,
  summary: "Have the words in force sent to one's own e-mail address, with the values of an example",
  headers: { idempotencyKey: "required" },
  params: which,
  answer: z.object({}),
  message: "Test on its way",
  example: {
    as: manager,
    sandbox: true,
    headers: { "x-idempotency-key": "notification-test-2026-0042" },
    params: example,
  },
  rpc: "notifications.sendTemplateTest",
});

export const notificationTemplateRoutes = {
  listNotificationKinds,
  listNotificationTemplates,
  readNotificationTemplate,
  saveNotificationTemplate,
  removeNotificationTemplate,
  previewNotificationTemplate,
  sendNotificationTest,
};
