import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import {
  ChangeBeneficiaryRequest,
  ChangeBeneficiaryResponse,
  CreateBeneficiaryRequest,
  CreateBeneficiaryResponse,
  RemoveBeneficiaryRequest,
  RemoveBeneficiaryResponse,
  type RemittanceServiceDefinition,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { dayOf } from "../../kernel/time/calendar-day.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Beneficiary } from "../domain/beneficiary.js";
import { newBeneficiaryCode } from "../domain/codes.js";
import { removedRow } from "../jobs/removed-recipients.js";
import { revisedRow } from "../jobs/revised-recipients.js";
import { idFromWire, trimmedFromWire } from "../../kernel/text/wire-text.js";
import type { Session } from "../store/index.js";
import { beneficiaryContentFromWire, beneficiaryFromWire, beneficiaryToWire } from "../wire/beneficiaries.js";
import type { RemittanceDeps } from "./deps.js";
import { lookOf } from "./look-of.js";
import { createRecipientPayees } from "./recipient-payees.js";

export function beneficiaryHandlers({ store, people, runOnce, outbox, clock, payees: desk }: RemittanceDeps) {
  const payees = createRecipientPayees({ store, payees: desk });

  /**
   * Whose recipient it is to be. Refuses FORBIDDEN for a customer who names somebody else,
   * CUSTOMER_NOT_FOUND.
   */
  async function ownerOf(customerId: string, call: Call): Promise<string> {
    const { role, customerId: own = "" } = call.user ?? { role: "MANAGER" };
    if (role !== "CUSTOMER") return (await people.findCustomer({ customerId }, call)).customerId;
    if (customerId === "" || customerId === own) return own;
    throw new Refusal("FORBIDDEN", "a customer saves their own recipients only");
  }

  /** Who stands at a desk, whom CASHIERs and AGENTs must name; undefined for anybody else. */
  async function senderAtDesk(customerCode: string, call: Call): Promise<string | undefined> {
    const named = trimmedFromWire(customerCode, "customerCode", 128, true);
    if (named !== "") return (await people.senderAtDesk(named, call)).customerId;
    const role = call.user?.role;
    if (role !== "CASHIER" && role !== "AGENT") return undefined;
    throw new Refusal("FORBIDDEN", "only recipients of a sender who is named are saved at a desk");
  }

  /** Refuses BENEFICIARY_NOT_FOUND, and FORBIDDEN for another customer's to a customer. */
  async function findVisible(code: string, call: Call, session?: Session): Promise<Beneficiary> {
    const found = await store.forTenant(call.tenantId).findBeneficiary({ code }, session);
    if (found === undefined) throw new Refusal("BENEFICIARY_NOT_FOUND", "there is no such recipient");
    if (call.user?.role === "CUSTOMER" && call.user.customerId !== found.customerId) {
      throw new Refusal("FORBIDDEN", "the recipient is another customer's");
    }
    return found;
  }

  return {
    async createBeneficiary(request, call) {
      const idempotencyKey = trimmedFromWire(request.idempotencyKey, "idempotencyKey", 255);
      const atDesk = await senderAtDesk(request.customerCode, call);
      const own = call.user?.role === "CUSTOMER" ? (call.user.customerId ?? "") : request.customerId;
      const named = atDesk ?? (request.customerId || own);
      const today = dayOf(clock.now());
      const requested = beneficiaryFromWire({ ...request, customerId: named }, today);
      const tenant = store.forTenant(call.tenantId);
      const customerId = atDesk ?? (await ownerOf(requested.customerId, call));
      const payeeCheckId = trimmedFromWire(request.payeeCheckId, "payeeCheckId", 128, true);
      const operation = "create-beneficiary";
      return runOnce({
        operation,
        request: { ...request, idempotencyKey },
        requestType: CreateBeneficiaryRequest,
        response: CreateBeneficiaryResponse,
        secret: true,
        call,
        prepare: () => payees.check({ content: requested, customerId, payeeCheckId, operation, idempotencyKey }, call),
        work: async (session, { verdict }) => {
          const code = requested.code || newBeneficiaryCode(randomBytes);
          const stamp = { createdAt: clock.now(), createdBy: actorOf(call) };
          const checked = verdict !== undefined && { payeeCheck: verdict };
          const beneficiary = { ...requested, customerId, code, beneficiaryId: uuidv7(), ...checked, ...stamp };
          await tenant.insertBeneficiary(beneficiary, session);
          if (atDesk !== undefined) {
            await tenant.noteRecipientLook(lookOf(call, { customerId, what: "SAVED", code, at: clock.now() }), session);
          }
          return { beneficiary: beneficiaryToWire(beneficiary) };
        },
      });
    },

    async changeBeneficiary(request, call) {
      const idempotencyKey = trimmedFromWire(request.idempotencyKey, "idempotencyKey", 255);
      const code = idFromWire(request.code, "code");
      const payeeCheckId = trimmedFromWire(request.payeeCheckId, "payeeCheckId", 128, true);
      const tenant = store.forTenant(call.tenantId);
      const operation = "change-beneficiary";
      const contentOf = (before: Beneficiary) => beneficiaryContentFromWire(request, dayOf(clock.now()), before);
      return runOnce({
        operation,
        request: { ...request, idempotencyKey },
        requestType: ChangeBeneficiaryRequest,
        response: ChangeBeneficiaryResponse,
        secret: true,
        call,
        prepare: async () => {
          const before = await findVisible(code, call);
          const of = { customerId: before.customerId, payeeCheckId, operation, idempotencyKey };
          return payees.check({ content: contentOf(before), before, ...of }, call);
        },
        work: async (session, checked) => {
          const before = await findVisible(code, call, session);
          const now = clock.now();
          const content = contentOf(before);
          payees.assertChecked(content, checked);
          const { details: _before, payeeCheck: _check, ...others } = before;
          const { verdict } = checked;
          const by = { changedAt: now, changedBy: actorOf(call) };
          const after = { ...others, ...content, ...(verdict !== undefined && { payeeCheck: verdict }), ...by };
          await tenant.replaceBeneficiary(after, session);
          const { tenantId, interactionId } = call;
          await outbox.add(revisedRow({ tenantId, interactionId, actor: actorOf(call) }, after), session);
          return { beneficiary: beneficiaryToWire(after) };
        },
      });
    },

    async removeBeneficiary(request, call) {
      const idempotencyKey = trimmedFromWire(request.idempotencyKey, "idempotencyKey", 255);
      const code = idFromWire(request.code, "code");
      const tenant = store.forTenant(call.tenantId);
      return runOnce({
        operation: "remove-beneficiary",
        request: { ...request, idempotencyKey },
        requestType: RemoveBeneficiaryRequest,
        response: RemoveBeneficiaryResponse,
        call,
        work: async (session) => {
          const before = await findVisible(code, call, session);
          const now = clock.now();
          const after = { ...before, removedAt: now, changedAt: now, changedBy: actorOf(call) };
          await tenant.replaceBeneficiary(after, session);
          const { tenantId, interactionId } = call;
          await outbox.add(removedRow({ tenantId, interactionId, actor: actorOf(call) }, before), session);
          return {};
        },
      });
    },

    async listBeneficiaries(request, call) {
      const tenant = store.forTenant(call.tenantId);
      const customerCode = trimmedFromWire(request.customerCode, "customerCode", 128, true);
      const sender = customerCode === "" ? undefined : await people.senderAtDesk(customerCode, call);
      if (sender !== undefined) {
        const { customerId } = sender;
        await tenant.noteRecipientLook(lookOf(call, { customerId, what: "READ", at: clock.now() }));
      }
      const customerIds = sender === undefined ? await people.visibleCustomers(call) : [sender.customerId];
      const beneficiaries = await tenant.listBeneficiaries(customerIds);
      return { beneficiaries: beneficiaries.map(beneficiaryToWire) };
    },
  } satisfies Partial<Handlers<RemittanceServiceDefinition>>;
}
