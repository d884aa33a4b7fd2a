import { v7 as uuidv7 } from "uuid";
import type { ComplianceAction, ComplianceServiceDefinition } from "../../../../proto/gen/compliance/v1/compliance.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { Call } from "../../../kernel/grpc/context.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { isForwarded, type Preference } from "../clients/preferences.js";
import { preferenceFor } from "./contact-preference.js";
import type { Person } from "../domain/customer.js";
import { renew, type Requirement } from "../domain/requirements.js";
import { contactOf, isRecent, newVerification, type ContactType, type Verification } from "../domain/verification.js";
import { rowKinds } from "../../common/store/outbox-rows.js";
import { isDetailRequired } from "../wire/customers.js";
import { originOf, type ComplianceDeps } from "../../common/handlers/deps.js";

/**
 * What a customer can do about each open requirement; sends the link or the code where that is it.
 */
export function complianceActionHandlers(deps: ComplianceDeps) {
  const { store, customers, people, secrets, outbox, clock } = deps;
  /** The message that is on its way or was sent within the last minute, or a new one. */
  async function send(kind: ContactType, person: Person, call: Call): Promise<Verification> {
    const { tenantId, interactionId } = call;
    const { customerId } = person;
    const tenant = store.forTenant(tenantId);
    const contact = secrets.contactDigest(tenantId, contactOf(kind, person));
    const verificationId = uuidv7();
    const sent = await store.transaction(
      async (session) => {
        await tenant.lockCustomer(customerId, session);
        const now = clock.now();
        const last = await tenant.findVerification({ customerId, kind, state: "OPEN" }, session);
        if (last !== undefined && isRecent(last, now) && last.contact === contact) return last;
        if (last !== undefined) await tenant.endVerification(last.verificationId, "REPLACED", session);
        const fresh = newVerification({ verificationId, customerId, kind, contact }, now);
        await tenant.insertVerification(fresh, session);
        const aggregate = `verification:${verificationId}`;
        const row = { tenantId, aggregate, seq: 1, kind: rowKinds.sendVerification, payload: { verificationId } };
        await outbox.add({ ...row, interactionId, actor: originOf(call).actor }, session);
        return fresh;
      },
      () => tenant.findVerification({ verificationId }),
    );
    crashPoint("compliance.verification.stored");
    return sent;
  }

  async function actionFor(one: Requirement, person: Person, preference: Preference, call: Call) {
    const action = (name: string, expiresAt?: Date): WirePartial<ComplianceAction> => ({
      requirementId: one.requirementId,
      requirement: one.kind,
      action: name,
      ...(expiresAt && { expiresAt }),
    });
    const { kind } = one;
    if (kind !== "EMAIL" && kind !== "PHONE_NUMBER") {
      return action(one.documentId === undefined ? "SUBMIT_DOCUMENT" : "IN_REVIEW");
    }
    if (isForwarded(kind, preference)) return action("EXTERNAL_VERIFICATION");
    if (contactOf(kind, person) === "") return action("NO_CONTACT");
    const { expiresAt } = await send(kind, person, call);
    return action(kind === "EMAIL" ? "LINK_SENT" : "CODE_SENT", expiresAt);
  }

  return {
    async initiateComplianceAction(request, call) {
      const person = await people.reach(request.customerId, call);
      const preference = await preferenceFor(deps, person, call);
      const origin = originOf(call);
      await customers.current(origin, person);
      const customer = await customers.change(origin, person, "compliance action", async (before) => ({
        ...before,
        requirements: before.requirements.map((one) => (isDetailRequired(one) && isOver(one) ? renew(one) : one)),
      }));
      const open = customer.requirements.filter((one) => one.state === "OUTSTANDING" && isDetailRequired(one));
      const actions: WirePartial<ComplianceAction>[] = [];
      for (const one of open) actions.push(await actionFor(one, person, preference, call));
      outbox.wake();
      return { actions };
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}

function isOver({ state }: Requirement): boolean {
  return state === "EXPIRED" || state === "REJECTED";
}
