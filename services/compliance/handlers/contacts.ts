import {
  ContactType as WireType,
  type ComplianceServiceDefinition,
} from "../../../proto/gen/compliance/v1/compliance.js";
import { crashPoint } from "../../shared/crash-point.js";
import { requireUser, type Call } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { idFromWire } from "../../shared/wire-text.js";
import { isForwarded } from "../clients/preferences.js";
import type { CustomerRecord, Person } from "../domain/customer.js";
import { fulfil, isMet, renew } from "../domain/requirements.js";
import { contactOf, isUsable, maxTries, type ContactType, type Verification } from "../domain/verification.js";
import type { Session } from "../store/index.js";
import { isAsked, stateToWire } from "../wire/customers.js";
import { auditEntry } from "./audit.js";
import { originOf, type ComplianceDeps } from "./deps.js";

type Deps = Pick<
  ComplianceDeps,
  "store" | "customers" | "people" | "preferences" | "secrets" | "contactVerification" | "times" | "clock"
>;

/** Confirming that an e-mail address and a phone number are the customer's. */
export function contactHandlers(
  deps: Deps,
): Pick<Handlers<ComplianceServiceDefinition>, "confirmContact" | "verifyContact"> {
  const { store, customers, people, preferences, secrets, contactVerification, times, clock } = deps;

  /** The verification that a code or a link is for. Every failure looks the same. */
  async function verified(
    by: { token: string } | { code: string },
    call: Call,
  ): Promise<{ found: Verification; how: string }> {
    const tenant = store.forTenant(call.tenantId);
    if ("token" in by) {
      const verificationId = secrets.idOfToken(call.tenantId, by.token);
      const found = verificationId === undefined ? undefined : await tenant.findVerification({ verificationId });
      if (found === undefined || !isUsable(found, clock.now())) throw failed();
      return { found, how: "link" };
    }
    const { customerId = "" } = requireUser(call);
    const last = await tenant.findVerification({ customerId, kind: "PHONE_NUMBER" });
    if (last === undefined || !isUsable(last, clock.now())) throw failed();
    if (last.state === "CONFIRMED") {
      if (!secrets.isCode(call.tenantId, last.verificationId, by.code)) throw failed();
      return { found: last, how: "code" };
    }
    // Counted before it is looked at: tries side by side cannot be more than five.
    const counted = await tenant.countTry(last.verificationId, maxTries);
    if (counted === undefined || !secrets.isCode(call.tenantId, last.verificationId, by.code)) throw failed();
    return { found: counted, how: "code" };
  }

  async function fulfilContact(
    person: Person,
    kind: ContactType,
    how: { by: string; reason: string; cause: string },
    call: Call,
    inSession: (working: { session: Session }, before: CustomerRecord) => Promise<void>,
  ): Promise<CustomerRecord> {
    return customers.change(originOf(call), person, how.cause, async (before, working) => {
      await inSession(working, before);
      const requirements = before.requirements.map((one) =>
        one.kind === kind && !isMet(one, working.now) ? fulfil(renew(one), how.by, how.reason, working.now) : one,
      );
      return { ...before, requirements };
    });
  }

  return {
    async confirmContact({ token, code }, call) {
      if (token === undefined && code === undefined) throw invalidInput("token", "a token or a code is required");
      const { found, how } = await verified(token === undefined ? { code: code as string } : { token }, call);
      const { verificationId, kind, customerId } = found;
      const person = await people.find({ customerId }, call);
      // The address may have changed since the message went out.
      if (secrets.contactDigest(call.tenantId, contactOf(kind, person)) !== found.contact) throw failed();
      const tenant = store.forTenant(call.tenantId);
      const said = { by: how, reason: `confirmed by ${how}`, cause: `${kind} confirmed by ${how}` };
      const customer = await fulfilContact(person, kind, said, call, ({ session }) =>
        tenant.endVerification(verificationId, "CONFIRMED", session),
      );
      crashPoint("compliance.contact.confirmed");
      const state = customer.requirements.find((one) => one.kind === kind)?.state ?? "FULFILLED";
      return { requirement: kind, state: stateToWire(state) };
    },

    /**
     * §4.4: nothing outstanding succeeds and changes nothing; the provider's answer comes back as
     * it was.
     */
    async verifyContact(request, call) {
      const { type: wireType } = request;
      const type = typeFromWire(wireType);
      const userId = idFromWire(request.userId, "userId");
      const nothing = { type: wireType, verified: false, rawProviderResponse: "" };
      const person = await people.find({ userId }, call).catch(unlessUnknown);
      if (person === undefined) return nothing;
      await people.assertManages(requireUser(call).userId, person, call);
      const preference = await preferences.of(call);
      if (!isForwarded(type, preference)) {
        throw new Refusal("FORBIDDEN", "the platform verifies this contact itself: the agent configuration says so");
      }
      const before = await customers.current(originOf(call), person);
      const time = await times.forTenant(call.tenantId, call.interactionId);
      const outstanding = before.requirements.find(
        (one) => one.kind === type && isAsked(one) && !isMet(one, time.now()),
      );
      const value = contactOf(type, person);
      if (outstanding === undefined || value === "") return nothing;
      const account = { tenantId: call.tenantId, isSandbox: preference.isSandbox };
      const { requirementId, cycle } = outstanding;
      const reference = `${person.customerId}:${requirementId}:${cycle}`;
      const { verified: isVerified, raw } = await contactVerification.verify(account, { reference, type, value });
      crashPoint("compliance.contact.answered");
      const answer = { type: wireType, verified: isVerified, rawProviderResponse: raw };
      if (!isVerified) return answer;
      const said = { by: "provider", reason: "verified by the external provider", cause: `${type} verified` };
      const audit = auditEntry(call, clock, {
        action: "contact.verify",
        subject: `customer:${person.customerId}`,
        content: { type, raw },
      });
      await fulfilContact(person, type, said, call, async ({ session }, found) => {
        const isOpen = found.requirements.some((one) => one.kind === type && !isMet(one, time.now()));
        if (isOpen) await store.forTenant(call.tenantId).insertAudit(audit, session);
      });
      return answer;
    },
  };
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
