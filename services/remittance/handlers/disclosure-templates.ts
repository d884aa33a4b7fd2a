import type { RemittanceServiceDefinition } from "../../../proto/gen/remittance/v1/remittance.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { fieldsOf, summaryOf } from "../../platform/approvals/approval-changes.js";
import { reasonFromWire } from "../../kernel/text/reason.js";
import { disclosureProfiles } from "../domain/disclosure.js";
import { exampleTransaction } from "../domain/disclosure-example.js";
import { differencesOfDisclosure } from "../domain/disclosure-template.js";
import { promisedDay } from "../domain/promised-day.js";
import { isSame } from "../store/versioned-store.js";
import { disclosureContentFromWire, disclosureToWire, templateToWire } from "../wire/disclosures.js";
import { askForChange } from "./asked-changes.js";
import type { RemittanceDeps } from "./deps.js";
import { createDisclosures } from "./disclosures.js";

/** What organisations say on disclosures, which two persons put. */
export function disclosureTemplateHandlers(deps: RemittanceDeps) {
  const { store, clock } = deps;
  const disclosures = createDisclosures(deps);

  return {
    async listDisclosureTemplates(_request, { tenantId }) {
      const templates = await Promise.all(
        disclosureProfiles.map((profile) => disclosures.templateOf(tenantId, profile)),
      );
      return { templates: templates.map(templateToWire) };
    },

    async putDisclosureTemplate(request, call) {
      const content = disclosureContentFromWire(request.template);
      const { profile } = content;
      const basedOn = request.template?.version ?? 0;
      const reason = reasonFromWire(request.reason, "reason", { mayBeEmpty: true });
      const tenant = store.forTenant(call.tenantId);
      const held = await disclosures.templateOf(call.tenantId, profile);
      if (isSame(held, content)) return { template: templateToWire(held) };
      if (held.version !== basedOn)
        throw new Refusal("STATE_CONFLICT", `the template has moved on: read version ${held.version} and change that`);
      const changes = differencesOfDisclosure(held, content);
      const question = async () => ({
        kind: "SETTING_CHANGE" as const,
        summary: summaryOf(`Disclosures of ${profile}:`, fieldsOf(changes)),
        reason: reason || "disclosures",
        changes,
      });
      const asked = { changes: tenant.disclosureChanges, of: "disclosure-change", question };
      const approval = await askForChange(deps, { ...asked, content: { content, basedOn } }, call);
      return { template: templateToWire(held), approvalId: approval.approvalId, approvalStatus: approval.status };
    },

    async previewDisclosureTemplate({ template, language, kind, asPdf }, call) {
      const content = disclosureContentFromWire(template);
      if (kind !== "" && kind !== "PREPAYMENT" && kind !== "RECEIPT")
        throw invalidInput("kind", "must be PREPAYMENT or RECEIPT");
      const transaction = exampleTransaction(clock.now());
      const subject = {
        of: { transaction },
        customerId: "",
        originCountry: "USA",
        availableOn: (timeZone: string) => promisedDay(transaction, timeZone),
      };
      const asked = { kind: kind === "RECEIPT" ? ("RECEIPT" as const) : ("PREPAYMENT" as const), language, asPdf };
      const draft = { ...content, version: template?.version ?? 0 };
      const made = await disclosures.makeWith(draft, subject, asked, call);
      return { disclosure: disclosureToWire(made), pdf: made.pdf };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
