import { randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import {
  RegisterCustomerRequest,
  RegisterCustomerResponse,
  type IdentityServiceDefinition,
} from "../../../proto/gen/identity/v1/identity.js";
import { dayOf } from "../../kernel/time/calendar-day.js";
import { actorOf, requireUser } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { detailsViewOf } from "../domain/details-view.js";
import { customerStatuses, emailKey } from "../domain/people.js";
import { parseRegistration } from "../domain/registration.js";
import { agentOfNewCustomer, assertMayCreate } from "../domain/roles.js";
import { addPersonChange } from "../jobs/person-changes.js";
import type { TenantStore } from "../store/index.js";
import { customerToWire } from "../wire/people.js";
import { registeredRow } from "../wire/event-rows.js";
import { auditEntryOf } from "./audit-entries.js";
import { creatorOf, freeCode, oneSignInOnly } from "./new-accounts.js";
import { tenantOf } from "./tenant-of.js";
import type { HandlerDeps } from "./deps.js";

/** Customers as staff and compliance change them; customer-reads.ts finds them. */
export function customerHandlers(deps: HandlerDeps) {
  const { db, store, runOnce, outbox, hasher, clock } = deps;

  return {
    async registerCustomer(request, call) {
      const registrar = creatorOf(call);
      assertMayCreate(registrar, "CUSTOMER");
      const { preference } = await tenantOf(store, call.tenantId);
      // Whom the operator brings along was a customer before: compliance
      // asks them for what is missing.
      const required = registrar === "operator" ? undefined : preference.requiredDetails;
      const { email, customer } = parseRegistration(
        { ...request, details: request.details },
        { today: dayOf(clock.now()), required },
      );
      const agentId = agentOfNewCustomer(registrar, actorOf(call), request.agentId);
      const ofTenant = store.forTenant(call.tenantId);
      const userId = uuidv7();
      const operation = "registerCustomer";
      const scope = { tenantId: call.tenantId, caller: actorOf(call), operation, key: request.idempotencyKey };
      const user = {
        userId,
        email,
        emailKey: emailKey(email),
        name: `${customer.firstName} ${customer.lastName}`,
        role: "CUSTOMER" as const,
        passwordHash: await hasher.hash(request.password, call.signal),
        ...oneSignInOnly(registrar, request, clock.now()),
        customer: {
          id: randomUUID(),
          ...customer,
          code: customer.code ?? (await freeCode(ofTenant)),
          revision: 1,
          ...(agentId === undefined ? {} : { agentId }),
        },
        createdAt: clock.now(),
        createdBy: actorOf(call),
      };
      const answer = await runOnce({
        call,
        operation,
        request,
        requestType: RegisterCustomerRequest,
        response: RegisterCustomerResponse,
        omit: ["password"],
        // The answer tells who somebody is.
        secret: true,
        work: async (session) => {
          await assertAgent(ofTenant, agentId, session);
          await ofTenant.insertUser(user, session);
          await ofTenant.notePersonalAnswer(userId, scope, session);
          const { tenantId, interactionId } = call;
          const origin = { tenantId, interactionId, actor: actorOf(call) };
          await addPersonChange(outbox, origin, user, { changed: ["REGISTERED"] }, session);
          await outbox.add(registeredRow(origin, user), session);
          return { customer: customerToWire(user, detailsViewOf(call.caller, call.user?.role)) };
        },
      });
      outbox.wake();
      return answer;
    },

    async assignCustomer({ customerId, agentId }, call) {
      if (call.caller === "gateway") requireUser(call);
      const ofTenant = store.forTenant(call.tenantId);
      const assigned = agentId === "" ? undefined : agentId;
      const found = await inTransaction(
        db,
        async (session) => {
          await assertAgent(ofTenant, assigned, session);
          const customer = await ofTenant.assignCustomer(customerId, assigned, session);
          if (customer === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "there is no such customer");
          const reason = agentId === "" ? "to nobody" : `to ${agentId}`;
          const noted = { at: clock.now(), action: "customer.assign", subject: customer.userId, reason };
          await ofTenant.noteAudit(auditEntryOf(call, noted), session);
          return customer;
        },
        {
          readBack: async () => {
            const customer = await ofTenant.findCustomer({ customerId });
            return customer?.customer.agentId === assigned ? customer : undefined;
          },
        },
      );
      return { customer: customerToWire(found, detailsViewOf(call.caller, call.user?.role)) };
    },

    async noteCustomerStatus({ customerId, status: given, sequence, at }, call) {
      const status = customerStatuses.find((one) => one === given);
      if (status === undefined) throw invalidInput("status", `must be one of ${customerStatuses.join(", ")}`);
      if (sequence < 1) throw invalidInput("sequence", "must be at least 1");
      const standing = { status, sequence, at: at ?? clock.now() };
      if (!(await store.forTenant(call.tenantId).recordStatus(customerId, standing))) {
        throw new Refusal("CUSTOMER_NOT_FOUND", "there is no such customer");
      }
      return {};
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

async function assertAgent(ofTenant: TenantStore, agentId: string | undefined, session: ClientSession): Promise<void> {
  if (agentId === undefined) return;
  const agent = await ofTenant.findUser(agentId, session);
  if (agent?.role !== "AGENT") throw invalidInput("agentId", "must be the user id of an AGENT");
}
