import {
  ContactType as WireType,
  type ComplianceServiceDefinition,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import type { BusinessTime } from "../../../platform/preferences/business-clock.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import { requireUser, type Call } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { isForwarded } from "../clients/preferences.js";
import type { CustomerRecord, Person } from "../domain/customer.js";
import { fulfil, isMet, renew } from "../domain/requirements.js";
import { contactOf, isUsable, maxTries, type ContactType, type Verification } from "../domain/verification.js";
import type { Session } from "../store/index.js";
import { isDetailRequired, stateToWire } from "../wire/customers.js";
import { preferenceFor } from "./contact-preference.js";
import { auditEntry } from "../../common/handlers/audit.js";
import { originOf, type ComplianceDeps } from "../../common/handlers/deps.js";

/** Confirming that an e-mail address and a phone number are the customer's. */
export function contactHandlers(deps: ComplianceDeps) {
  const { store, customers, people, secrets, contactVerification, times } = deps;
  return {
    /** Confirms by a link or a code. Refuses VERIFICATION_FAILED, every failure alike. */
    async confirmContact({ token, code }, call) {
      if (token === undefined && code === undefined) throw invalidInput("token", "a token or a code is required");
      const found =
        token === undefined ? await findByCode(deps, code as string, call) : await findByToken(deps, token, call);
      const how = token === undefined ? "code" : "link";
      const { verificationId, kind, customerId } = found;
      const person = await people.find({ customerId }, call);
      // The address may have changed since the message went out.
      if (secrets.contactDigest(call.tenantId, contactOf(kind, person)) !== found.contact) throw failed();
      const tenant = store.forTenant(call.tenantId);
      const fulfilment = { by: how, reason: `confirmed by ${how}`, cause: `${kind} confirmed by ${how}` };
      const customer = await fulfilContact(deps, person, kind, fulfilment, call, (_before, session) =>
        tenant.endVerification(verificationId, "CONFIRMED", session),
      );
      crashPoint("compliance.contact.confirmed");
      const state = customer.requirements.find((one) => one.kind === kind)?.state ?? "FULFILLED";
      return { requirement: kind, state: stateToWire(state) };
    },

    /**
     * Has the tenant's provider verify a contact (§4.4). With nothing outstanding nothing changes,
     * and it succeeds; the provider's answer comes back as it was.
     */
    async verifyContact(request, call) {
      const { type: wireType } = request;
      const type = typeFromWire(wireType);
      const userId = idFromWire(request.userId, "userId");
      const nothing = { type: wireType, verified: false, rawProviderResponse: "" };
      const person = await people.find({ userId }, call).catch(unlessUnknown);
      if (person === undefined) return nothing;
      await people.assertManages(requireUser(call).userId, person, call);
      const preference = await preferenceFor(deps, person, call);
      if (!isForwarded(type, preference)) {
        throw new Refusal("FORBIDDEN", "the platform verifies this contact itself: the agent configuration says so");
      }
      const before = await customers.current(originOf(call), person);
      const time = await times.forTenant(call.tenantId, call.interactionId);
      const outstanding = before.requirements.find(
        (one) => one.kind === type && isDetailRequired(one) && !isMet(one, time.now()),
      );
      const value = contactOf(type, person);
      if (outstanding === undefined || value === "") return nothing;
      const account = { tenantId: call.tenantId, isSandbox: preference.isSandbox };
      const { requirementId, cycle } = outstanding;
      const reference = `${person.customerId}:${requirementId}:${cycle}`;
      const { verified, raw } = await contactVerification.verify(account, { reference, type, value });
      crashPoint("compliance.contact.answered");
      if (verified) await keepVerified(deps, person, { type, raw }, time, call);
      return { type: wireType, verified, rawProviderResponse: raw };
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}

/** The verification that a link is for. */
async function findByToken(
  { store, secrets, clock }: ComplianceDeps,
  token: string,
  { tenantId }: Call,
): Promise<Verification> {
  const verificationId = secrets.idOfToken(tenantId, token);
  if (verificationId === undefined) throw failed();
  const found = await store.forTenant(tenantId).findVerification({ verificationId });
  if (found === undefined || !isUsable(found, clock.now())) throw failed();
  return found;
}

/** The verification of the calling customer that a code is for; a try counts. */
async function findByCode({ store, secrets, clock }: ComplianceDeps, code: string, call: Call): Promise<Verification> {
  const { tenantId } = call;
  const tenant = store.forTenant(tenantId);
  const { customerId = "" } = requireUser(call);
  const last = await tenant.findVerification({ customerId, kind: "PHONE_NUMBER" });
  if (last === undefined || !isUsable(last, clock.now())) throw failed();
  const { verificationId } = last;
  // A try counts before the code is looked at, so that tries side by side are at most five.
  const found = last.state === "CONFIRMED" ? last : await tenant.countTry(verificationId, maxTries);
  if (found === undefined || !secrets.isCode(tenantId, verificationId, code)) throw failed();
  return found;
}

/** Keeps that the provider verified a contact; the audit has it once, whoever repeats. */
async function keepVerified(
  deps: ComplianceDeps,
  person: Person,
  { type, raw }: { type: ContactType; raw: string },
  time: BusinessTime,
  call: Call,
): Promise<void> {
  const { store, clock } = deps;
  const fulfilment = { by: "provider", reason: "verified by the external provider", cause: `${type} verified` };
  const audit = auditEntry(call, clock, {
    action: "contact.verify",
    subject: `customer:${person.customerId}`,
    content: { type, raw },
  });
  await fulfilContact(deps, person, type, fulfilment, call, async (before, session) => {
    const isOpen = before.requirements.some((one) => one.kind === type && !isMet(one, time.now()));
    if (isOpen) await store.forTenant(call.tenantId).insertAudit(audit, session);
  });
}

/** Fulfils the contact's requirement; `inSession` writes in the same transaction. */
async function fulfilContact(
  { customers }: ComplianceDeps,
  person: Person,
  kind: ContactType,
  how: { by: string; reason: string; cause: string },
  call: Call,
  inSession: (before: CustomerRecord, session: Session) => Promise<void>,
): Promise<CustomerRecord> {
  return customers.change(originOf(call), person, how.cause, async (before, { now, session }) => {
    await inSession(before, session);
    const requirements = before.requirements.map((one) =>
      one.kind === kind && !isMet(one, now) ? fulfil(renew(one), how.by, how.reason, now) : one,
    );
    return { ...before, requirements };
  });
}

function typeFromWire(type: WireType): ContactType {
  switch (type) {
    case WireType.CONTACT_TYPE_EMAIL:
      return "EMAIL";
    case WireType.CONTACT_TYPE_PHONE_NUMBER:
      return "PHONE_NUMBER";
    default:
      throw invalidInput("type", "must be EMAIL or PHONE_NUMBER");
  }
}

function unlessUnknown(error: unknown): undefined {
  if (error instanceof Refusal && ["CUSTOMER_NOT_FOUND", "NOT_FOUND"].includes(error.code)) return undefined;
  throw error;
}

function failed(): Refusal {
  return new Refusal("VERIFICATION_FAILED", "the code or link is wrong, expired or used up: ask for a new one");
}
