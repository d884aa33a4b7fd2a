import { randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import {
  RegisterAtCounterRequest,
  RegisterAtCounterResponse,
  type IdentityServiceDefinition,
} from "../../../proto/gen/identity/v1/identity.js";
import { actorOf, requireUser, type Call, type UserPrincipal } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { dayOf } from "../../kernel/time/calendar-day.js";
import type { ContactType } from "../domain/contacts.js";
import type { CustomerSought } from "../domain/customer-find.js";
import { isPossibleDuplicate, rankFound } from "../domain/customer-match.js";
import { detailsViewOf } from "../domain/details-view.js";
import { plainNumber } from "../domain/find-keys.js";
import type { CustomerDetails, CustomerRecord } from "../domain/people.js";
import { parseDetails, withSeenDocument } from "../domain/personal-details.js";
import { parseCounterRegistration } from "../domain/registration.js";
import type { Preference } from "../domain/tenants.js";
import { agentOfNewCustomer, assertServesCounter } from "../domain/roles.js";
import { codeFailed } from "../factors/contact-changes.js";
import { addPersonChange } from "../jobs/person-changes.js";
import type { TenantStore } from "../store/index.js";
import { registeredRow } from "../wire/event-rows.js";
import { customerToWire } from "../wire/people.js";
import { auditEntryOf } from "./audit-entries.js";
import { createConfirmContact } from "./contact-confirmation.js";
import type { HandlerDeps } from "./deps.js";
import { freeCode } from "./new-accounts.js";
import { tenantOf } from "./tenant-of.js";

const contactTypes: readonly ContactType[] = ["EMAIL", "PHONE_NUMBER"];

/** Customers whom staff serve at the counter: without e-mail address and password, if need be. */
export function counterRegistrationHandlers(deps: HandlerDeps) {
  const { db, store, runOnce, outbox, contactChanges, clock } = deps;
  const confirm = createConfirmContact(deps);

  /** Who serves, where they may. Refuses FORBIDDEN. */
  async function server(call: Call) {
    const user = requireUser(call);
    const { preference } = await tenantOf(store, call.tenantId);
    assertServesCounter(user.role, preference);
    return { user, preference };
  }

  /** The customer whom somebody may serve. Refuses CUSTOMER_NOT_FOUND, FORBIDDEN. */
  async function served(customerCode: string, call: Call): Promise<CustomerRecord> {
    const { user, preference } = await server(call);
    const code = customerCode.trim().toUpperCase();
    const found = await store.forTenant(call.tenantId).findCustomer({ customerCode: code });
    if (found === undefined || found.erasedAt !== undefined) {
      throw new Refusal("CUSTOMER_NOT_FOUND", "there is no such customer");
    }
    const isOfOthers = found.customer.agentId !== user.userId && preference.agentScope !== "TENANT";
    if (user.role === "AGENT" && isOfOthers) throw new Refusal("FORBIDDEN", "this is another person's customer record");
    return found;
  }

  return {
    async registerAtCounter(request, call) {
      const { user: staff, preference } = await server(call);
      const now = clock.now();
      const seen = { by: staff.userId, at: now.toISOString() };
      const { email, customer, notDuplicates } = parseCounterRegistration(
        { ...request, details: request.details },
        { today: dayOf(now), required: preference.requiredDetails, seen },
      );
      const { tenantId, interactionId } = call;
      const ofTenant = store.forTenant(tenantId);
      const agentId = agentOfNewCustomer(staff.role, staff.userId, "");
      const userId = uuidv7();
      const scope = { tenantId, caller: actorOf(call), operation: "registerAtCounter", key: request.idempotencyKey };
      const user = {
        userId,
        email: "",
        emailKey: "",
        name: `${customer.firstName} ${customer.lastName}`,
        role: "CUSTOMER" as const,
        passwordHash: "",
        customer: {
          id: randomUUID(),
          ...customer,
          code: await freeCode(ofTenant),
          isFromCounter: true as const,
          revision: 1,
          ...(agentId !== undefined && { agentId }),
        },
        createdAt: now,
        createdBy: staff.userId,
      };
      const answer = await runOnce({
        call,
        operation: scope.operation,
        request,
        requestType: RegisterAtCounterRequest,
        response: RegisterAtCounterResponse,
        // The answer tells who somebody is.
        secret: true,
        work: async (session) => {
          await assertNobodyLike(ofTenant, customer, notDuplicates, narrowedTo(staff, preference));
          await ofTenant.insertUser(user, session);
          await ofTenant.notePersonalAnswer(userId, scope, session);
          const origin = { tenantId, interactionId, actor: actorOf(call) };
          await addPersonChange(outbox, origin, user, { changed: ["REGISTERED"] }, session);
          await outbox.add(registeredRow(origin, user), session);
          // It counts once its code was entered: whoever typed it may have erred.
          if (email !== "") {
            const change = { type: "EMAIL" as const, value: email, byOwner: false };
            await contactChanges.ask(user, change, call, session);
          }
          const documents = customer.details?.identityDocuments?.length ?? 0;
          const others = notDuplicates.length === 0 ? "" : `, not ${notDuplicates.join(", ")}`;
          const reason = `at the counter, ${documents} documents seen${others}`;
          const noted = { at: now, action: "customer.register", subject: userId, reason };
          await ofTenant.noteAudit(auditEntryOf(call, noted), session);
          return { customer: customerToWire(user, detailsViewOf(call.caller, staff.role)) };
        },
      });
      outbox.wake();
      return answer;
    },

    async noteSeenDocument({ customerCode, document }, call) {
      if (document === undefined) throw invalidInput("document", "is required");
      const user = await served(customerCode, call);
      const staff = requireUser(call);
      const { tenantId, interactionId } = call;
      const now = clock.now();
      const given = { dateOfBirth: "", placeOfBirth: undefined, nationality: "", address: undefined };
      const parsed = parseDetails({ ...given, identityDocuments: [document] }, dayOf(now)).identityDocuments!;
      const seen = { ...parsed[0]!, seen: { by: staff.userId, at: now.toISOString() } };
      const ofTenant = store.forTenant(tenantId);
      const after = await inTransaction(
        db,
        async (session) => {
          // Read in the transaction: others may have given some meanwhile.
          const before = await ofTenant.findUser(user.userId, session);
          const details = withSeenDocument(before?.customer?.details ?? {}, seen, now);
          const found = await ofTenant.updateProfile(user, { details }, true, session);
          if (found?.customer === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "there is no such customer");
          const origin = { tenantId, interactionId, actor: actorOf(call) };
          await addPersonChange(outbox, origin, found, { changed: ["DETAILS"] }, session);
          const noted = { at: now, action: "document.see", subject: user.userId, reason: seen.type };
          await ofTenant.noteAudit(auditEntryOf(call, noted), session);
          return found as CustomerRecord;
        },
        { readBack: async () => undefined },
      );
      outbox.wake();
      return { customer: customerToWire(after, detailsViewOf(call.caller, staff.role)) };
    },

    async confirmCounterContact({ customerCode, type: given, code }, call) {
      const type = contactTypes.find((one) => one === given);
      if (type === undefined) throw invalidInput("type", `must be ${contactTypes.join(" or ")}`);
      const user = await served(customerCode, call);
      // Whoever logs in confirms their contacts themself, with what they have enrolled.
      if (user.passwordHash !== "") throw new Refusal("FORBIDDEN", "this customer confirms their contacts themself");
      const change = await store.forTenant(call.tenantId).findNewestContact(user.userId, type, clock.now());
      if (change === undefined) throw codeFailed();
      // With an address of their own, one person alone would be the customer.
      if (change.askedBy === actorOf(call)) {
        throw new Refusal("FORBIDDEN", "you entered it: a colleague takes the code from the customer");
      }
      await contactChanges.assertCode(call.tenantId, change, code);
      const after = change.state === "CONFIRMED" ? user : await confirm(user, change, call);
      const view = detailsViewOf(call.caller, call.user?.role);
      return { customer: customerToWire(after as CustomerRecord, view) };
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

/**
 * Refuses POSSIBLE_DUPLICATE with the codes of those who may be the same and are not named. An
 * agent is told no codes of customers whom they do not see, and cannot pass them by.
 */
async function assertNobodyLike(
  ofTenant: TenantStore,
  { firstName, lastName, phoneNumber, country, details = {} }: Omit<CustomerDetails, "id" | "code">,
  notDuplicates: readonly string[],
  agentId: string | undefined,
): Promise<void> {
  const { dateOfBirth, identityDocuments = [] } = details;
  const of: CustomerSought = {
    name: `${firstName} ${lastName}`,
    phoneNumbers: phoneNumber === "" ? [] : [phoneNumber],
    country,
    ...(dateOfBirth !== undefined && { dateOfBirth }),
  };
  const ways = [of, ...identityDocuments.map(({ number }) => ({ ...of, document: { number: plainNumber(number) } }))];
  const codes = new Set<string>();
  let isOfOthers = false;
  for (const sought of ways) {
    const found = rankFound(sought, await ofTenant.listCandidates(sought, undefined));
    for (const { customer } of found.filter((one) => isPossibleDuplicate(one, sought))) {
      if (agentId === undefined || customer.customer.agentId === agentId) codes.add(customer.customer.code);
      else isOfOthers = true;
    }
  }
  const unnamed = [...codes].filter((code) => !notDuplicates.includes(code)).slice(0, mostNamed);
  if (unnamed.length === 0) {
    if (!isOfOthers) return;
    throw new Refusal("POSSIBLE_DUPLICATE", "a customer of others may be this person: have a cashier register them");
  }
  const message = "there are customers who may be this person: see them, and name those who are somebody else";
  throw new Refusal("POSSIBLE_DUPLICATE", message, { figures: { customerCodes: unnamed.join(", ") } });
}

const mostNamed = 20;

/** Whose customers alone an agent sees; undefined where somebody sees all. */
const narrowedTo = ({ role, userId }: UserPrincipal, { agentScope }: Preference): string | undefined =>
  role === "AGENT" && agentScope !== "TENANT" ? userId : undefined;
