import {
  SendTemplateTestRequest,
  SendTemplateTestResponse,
  type NotificationServiceDefinition,
} from "../../../proto/gen/events/v1/notifications.js";
import { actorOf, requireUser, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { examplesOf } from "../../platform/messages/amounts.js";
import { isKind, kindNames, kinds, type Kind } from "../../platform/messages/kinds.js";
import { render, type Template } from "../../platform/messages/template.js";
import { shippedLanguages, shippedTemplate } from "../../platform/messages/words.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import {
  languageFromText,
  templateKeyOf,
  templateOf,
  type SavedTemplate,
  type TemplateKey,
} from "../domain/template-draft.js";
import { rowKinds } from "../row-kinds.js";
import { templateToWire } from "../wire/templates.js";
import type { EventsDeps } from "./deps.js";

/** Words of what people are told. */
export function templateHandlers({ store, runOnce, outbox, clock, organisations }: EventsDeps) {
  /**
   * The organisation's own words, or the shipped ones. Refuses NOT_FOUND in a language without any.
   */
  async function inForce(tenantId: string, key: TemplateKey): Promise<TemplateKey & Template & Partial<SavedTemplate>> {
    const own = await store.templates.forTenant(tenantId).find(key);
    if (own !== undefined) return own;
    const shipped = shippedTemplate(key.kind, key.channel, key.language);
    if (shipped === undefined) throw new Refusal("NOT_FOUND", "there are no words in this language");
    return { ...key, ...shipped };
  }

  /**
   * As they are sent. Refuses INVALID_INPUT where they lead to a host that
   * is the organisation's no more.
   */
  async function sendable(call: Call, key: TemplateKey, draft?: Template): Promise<Template> {
    const { hosts } = await organisations.of(call);
    return templateOf(key, draft ?? (await inForce(call.tenantId, key)), hosts);
  }

  return {
    async listTemplates(request, { tenantId }) {
      const kind = kindFrom(request.kind);
      const language = languageFromText(request.language);
      const own = await store.templates.forTenant(tenantId).list(kind === undefined ? undefined : [kind]);
      const shipped = shippedKeys(kind).filter((key) => !own.some((one) => isSame(one, key)));
      const all = [
        ...own,
        ...shipped.map((key) => ({ ...key, ...shippedTemplate(key.kind, key.channel, key.language)! })),
      ];
      const requested = all.filter((one) => language === undefined || one.language === language);
      return { templates: requested.toSorted(inOrder).map(templateToWire) };
    },

    async getTemplate(request, { tenantId }) {
      return { template: templateToWire(await inForce(tenantId, templateKeyOf(request))) };
    },

    async saveTemplate(request, call) {
      const { userId } = requireUser(call);
      const key = templateKeyOf(request);
      const content = await sendable(call, key, request);
      if (request.revision < 0) throw invalidInput("revision", "must not be below 0");
      const own = store.templates.forTenant(call.tenantId);
      const isSaved = (stored: SavedTemplate | undefined) =>
        stored !== undefined && stored.changedBy === userId && hasWords(stored, content) ? stored : undefined;
      const saved = await store.transaction(
        async (session) => {
          const before = await own.find(key, session);
          const same = isSaved(before);
          if (same !== undefined) return same;
          const revision = before?.revision ?? 0;
          if (revision !== request.revision) {
            throw new Refusal("STATE_CONFLICT", `the words have moved on: read revision ${revision} and change that`);
          }
          const template = { ...key, ...content, revision: revision + 1, changedBy: userId, changedAt: clock.now() };
          await own.put(template, session);
          return template;
        },
        async () => isSaved(await own.find(key)),
      );
      return { template: templateToWire(saved) };
    },

    async removeTemplate(request, { tenantId }) {
      if (await store.templates.forTenant(tenantId).remove(templateKeyOf(request))) return {};
      throw new Refusal("NOT_FOUND", "these are the shipped words already");
    },

    async previewTemplate(request, call) {
      const key = templateKeyOf(request);
      return render(key.channel, await sendable(call, key, request.draft), examplesOf(key.kind, key.language));
    },

    async sendTemplateTest(request, call) {
      const { tenantId, interactionId } = call;
      const { userId } = requireUser(call);
      const key = templateKeyOf(request);
      await sendable(call, key);
      return runOnce({
        operation: "send-template-test",
        request,
        requestType: SendTemplateTestRequest,
        response: SendTemplateTestResponse,
        call,
        after: async () => outbox.wake(),
        work: async (session) => {
          const row = { tenantId, interactionId, actor: actorOf(call), seq: 1, kind: rowKinds.sendTemplateTest };
          const aggregate = `template-test:${userId}:${request.idempotencyKey}`;
          await outbox.add({ ...row, aggregate, payload: { ...key, userId } }, session);
          return {};
        },
      });
    },

    async findOwnTemplates(request, { tenantId }) {
      if (!isKind(request.kind)) throw invalidInput("kind", "is not a kind of message");
      const own = await store.templates.forTenant(tenantId).list([request.kind]);
      return { templates: own.filter(({ channel }) => channel === request.channel).map(templateToWire) };
    },
  } satisfies Partial<Handlers<NotificationServiceDefinition>>;
}

function kindFrom(kind: string): Kind | undefined {
  if (kind === "") return undefined;
  if (isKind(kind)) return kind;
  return templateKeyOf({ kind, channel: "EMAIL", language: "en" }).kind;
}

/** Of every kind, or of one: what words are shipped for. */
function shippedKeys(kind: Kind | undefined): TemplateKey[] {
  return (kind === undefined ? kindNames : [kind]).flatMap((one) =>
    kinds[one].channels.flatMap((channel) =>
      shippedLanguages.map((language): TemplateKey => ({ kind: one, channel, language })),
    ),
  );
}

const isSame = (one: TemplateKey, other: TemplateKey): boolean =>
  one.kind === other.kind && one.channel === other.channel && one.language === other.language;

const hasWords = (one: Template, other: Template): boolean =>
  one.subject === other.subject && one.text === other.text && one.html === other.html;

function inOrder(one: TemplateKey, other: TemplateKey): number {
  const [a, b] = [one, other].map(({ kind, channel, language }) =>
    [String(kindNames.indexOf(kind)).padStart(3, "0"), channel, language].join(" "),
  ) as [string, string];
  return a < b ? -1 : 1;
}
