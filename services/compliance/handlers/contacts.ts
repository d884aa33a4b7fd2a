import { v7 as uuidv7 } from "uuid";
import {
  ContactType as WireType,
  type ComplianceAction,
  type ComplianceServiceDefinition,
} from "../../../proto/gen/compliance/v1/compliance.js";
import { crashPoint } from "../../shared/crash-point.js";
import { requireUser, type Call } from "../../shared/grpc/context.js";
import type { WirePartial } from "../../shared/grpc/definition.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { auditEntry } from "./audit.js";
import type { CustomerRecord, Person } from "../domain/customer.js";
import { rowKinds } from "../store/outbox-rows.js";
import type { Preference } from "../clients/preferences.js";
import { fulfil, isMet, renew, type Requirement } from "../domain/requirements.js";
import type { Session } from "../store/index.js";
import {
  contactOf,
  isRecent,
  isUsable,
  maxTries,
  newVerification,
  type ContactType,
  type Verification,
} from "../domain/verification.js";
import { isAsked, stateToWire } from "../wire/customers.js";
import { idFromWire } from "../../shared/wire-text.js";

import { originOf, type ComplianceDeps } from "./deps.js";

type Rpcs = "initiateComplianceAction" | "confirmContact" | "verifyContact";
type Deps = Pick<
  ComplianceDeps,
  "store" | "customers" | "people" | "preferences" | "secrets" | "contactVerification" | "outbox" | "times" | "clock"
>;

/** Confirming that an e-mail address and a phone number are the customer's. */
export function contactHandlers(deps: Deps): Pick<Handlers<ComplianceServiceDefinition>, Rpcs> {
  const { store, customers, people, preferences, secrets, contactVerification, outbox, times, clock } = deps;

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
    async initiateComplianceAction(request, call) {
      const person = await people.reach(request.customerId, call);
      const preference = await preferences.of(call);
      const origin = originOf(call);
      await customers.current(origin, person);
      const customer = await customers.change(origin, person, "compliance action", async (before) => ({
        ...before,
        requirements: before.requirements.map((one) => (isAsked(one) && isOver(one) ? renew(one) : one)),
      }));
      const open = customer.requirements.filter((one) => one.state === "OUTSTANDING" && isAsked(one));
      const actions: WirePartial<ComplianceAction>[] = [];
      for (const one of open) actions.push(await actionFor(one, person, preference, call));
      outbox.wake();
      return { actions };
    },

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

    /** §4.4: nothing outstanding succeeds and changes nothing; the provider's answer comes back as it was. */
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

function isOver({ state }: Requirement): boolean {
  return state === "EXPIRED" || state === "REJECTED";
}

/** Whether the agent configuration keeps the platform from verifying the contact itself. */
export function isForwarded(kind: ContactType, { doNotForwardEmail, doNotForwardPhone }: Preference): boolean {
  return kind === "EMAIL" ? doNotForwardEmail : doNotForwardPhone;
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
