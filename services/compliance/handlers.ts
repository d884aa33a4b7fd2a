import { isDeepStrictEqual } from "node:util";
import type { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import type { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import type { Clock } from "../shared/clock.js";
import { crashPoint } from "../shared/crash-point.js";
import { outgoing, type Client } from "../shared/grpc/client.js";
import { actorOf, type Call } from "../shared/grpc/context.js";
import type { Handlers, RpcAccess } from "../shared/grpc/server.js";
import { Refusal, invalidInput } from "../shared/refusal.js";
import { calendarDay } from "./days.js";
import { decide, type TransactionFacts } from "./decision.js";
import { confirm, hold, release, type ReservationState, type UsageChange } from "./limits.js";
import { checkPolicy, publicPart, type Policy, type PolicyContent } from "./policy.js";
import type { ComplianceStore, KeptDecision, Session, TenantStore } from "./store.js";
import type { TimeZones } from "./time-zones.js";
import { createTurns } from "./turns.js";
import {
  decisionToWire,
  draftFromWire,
  factsFromWire,
  idFromWire,
  policyToWire,
  statusFromWire,
  statusToWire,
} from "./wire.js";

export interface ComplianceDeps {
  store: ComplianceStore;
  identity: Pick<Client<IdentityServiceDefinition>, "getCustomer">;
  timeZones: TimeZones;
  clock: Clock;
}

type Rpc = keyof ComplianceServiceDefinition["methods"];

export const complianceAccess: Record<Rpc, RpcAccess> = {
  putPolicy: { callers: ["operator"] },
  getPolicy: { callers: ["gateway", "operator"], user: "optional" },
  setCustomerStatus: { callers: ["operator"] },
  checkTransaction: { callers: ["remittance"], user: "optional" },
  confirmReservation: { callers: ["remittance"], user: "optional" },
  releaseReservation: { callers: ["remittance"], user: "optional" },
};

const maxReasonLength = 500;

/** The rpcs of compliance. */
export function createComplianceHandlers(deps: ComplianceDeps): Handlers<ComplianceServiceDefinition> {
  const { store, identity, timeZones, clock } = deps;
  const turns = createTurns();

  return {
    async putPolicy(request, call) {
      const content = checkPolicy(draftFromWire(request));
      const tenant = store.forTenant(call.tenantId);
      const policy = await store.transaction(
        (session) => publish(tenant, content, call, session),
        () => findSame(tenant, content),
      );
      return { policy: policyToWire(policy) };
    },

    async getPolicy(_request, call) {
      const policy = await store.forTenant(call.tenantId).findPolicy();
      if (policy === undefined) return { policy: {} };
      // The gateway without a user's token gets no more than a customer would.
      const staff = call.caller === "operator" || (call.user !== undefined && call.user.role !== "CUSTOMER");
      return { policy: policyToWire(staff ? policy : publicPart(policy)) };
    },

    async setCustomerStatus(request, call) {
      const customerId = idFromWire(request.customerId, "customerId");
      const status = statusFromWire(request.status);
      const reason = request.reason.trim();
      if (reason === "" || reason.length > maxReasonLength) {
        throw invalidInput("reason", `must have 1 to ${maxReasonLength} characters`);
      }
      await identity.getCustomer({ customerId }, outgoing(call));
      const tenant = store.forTenant(call.tenantId);
      const isSet = async (session?: Session) => {
        const now = await tenant.findStatus(customerId, session);
        return { now, same: now?.status === status && now.reason === reason };
      };
      const current = await store.transaction(
        async (session) => {
          const { now, same } = await isSet(session);
          if (same) return status;
          if (request.onlyIfUnset && now !== undefined) return now.status;
          const change = { customerId, sequence: (now?.sequence ?? 0) + 1, status, reason };
          await tenant.putStatus({ ...change, ...stamp(call) }, session);
          return status;
        },
        async () => ((await isSet()).same ? status : undefined),
      );
      return { status: statusToWire(current) };
    },

    async checkTransaction(request, call) {
      const facts = factsFromWire(request);
      const tenant = store.forTenant(call.tenantId);
      const first = await tenant.findDecision(facts.transactionId);
      if (first !== undefined) return decisionToWire(sameQuestion(first, facts));
      const timeZone = await timeZones.of(call);
      // Transactions that want the same guard would fail and repeat each other; replicas still may, and the guard decides.
      const kept = await turns.take(`${call.tenantId} ${facts.customerId}`, () => {
        call.signal.throwIfAborted();
        return store.transaction(
          (session) => decideAndHold(tenant, facts, timeZone, call, session),
          () => tenant.findDecision(facts.transactionId),
        );
      });
      crashPoint("compliance.check.decided");
      return decisionToWire(sameQuestion(kept, facts));
    },

    async confirmReservation(request, call) {
      await settle(request.transactionId, "CONFIRMED", confirm, call);
      return {};
    },

    async releaseReservation(request, call) {
      await settle(request.transactionId, "RELEASED", release, call);
      return {};
    },
  };

  function stamp(call: Call) {
    return { at: clock.now(), actor: actorOf(call), interactionId: call.interactionId };
  }

  async function publish(tenant: TenantStore, content: PolicyContent, call: Call, session: Session): Promise<Policy> {
    const current = await tenant.findPolicy(session);
    if (current !== undefined && hasContent(current, content)) return current;
    const version = (current?.version ?? 0) + 1;
    const policy = { ...content, version, publishedAt: clock.now(), publishedBy: actorOf(call) };
    await tenant.insertPolicy(policy, session);
    return policy;
  }

  async function findSame(tenant: TenantStore, content: PolicyContent): Promise<Policy | undefined> {
    const current = await tenant.findPolicy();
    return current !== undefined && hasContent(current, content) ? current : undefined;
  }

  async function decideAndHold(
    tenant: TenantStore,
    facts: TransactionFacts,
    timeZone: string,
    call: Call,
    session: Session,
  ): Promise<KeptDecision> {
    const first = await tenant.findDecision(facts.transactionId, session);
    if (first !== undefined) return first;
    const decidedAt = clock.now();
    const day = calendarDay(decidedAt, timeZone);
    const guard = { customerId: facts.customerId, currency: facts.amount.currency, day };
    const policy = await tenant.findPolicy(session);
    const status = await tenant.findStatus(facts.customerId, session);
    const usage = await tenant.findUsage(guard, session);
    const inputs = { facts, customerStatus: status?.status ?? ("PENDING" as const), day, timeZone, usage };
    const outcome = decide(policy, inputs);
    const approved = outcome.decision === "APPROVED";
    if (approved) await tenant.changeUsage(guard, hold(usage, facts.amount.minor), session);
    const kept: KeptDecision = {
      ...outcome,
      transactionId: facts.transactionId,
      policyVersion: policy?.version ?? 0,
      inputs,
      reservation: approved ? "HELD" : "NONE",
      decidedAt,
      interactionId: call.interactionId,
    };
    await tenant.insertDecision(kept, session);
    return kept;
  }

  /** Moves a reservation on; the decision and the day's guard change together. */
  async function settle(
    id: string,
    to: "CONFIRMED" | "RELEASED",
    step: (state: ReservationState, amountMinor: bigint) => UsageChange | undefined,
    call: Call,
  ): Promise<void> {
    const transactionId = idFromWire(id, "transactionId");
    const tenant = store.forTenant(call.tenantId);
    await store.transaction(
      async (session) => {
        const kept = await tenant.findDecision(transactionId, session);
        if (kept === undefined) throw new Refusal("TRANSACTION_NOT_FOUND", "no decision was made on this transaction");
        const { facts, day } = kept.inputs;
        const change = step(kept.reservation, facts.amount.minor);
        if (change === undefined) return true;
        const guard = { customerId: facts.customerId, currency: facts.amount.currency, day };
        await tenant.changeUsage(guard, change, session);
        await tenant.setReservation(transactionId, to, session);
        return true;
      },
      async () => ((await tenant.findDecision(transactionId))?.reservation === to ? true : undefined),
    );
    crashPoint("compliance.reservation.settled");
  }
}

/** A transaction id is decided once; asking something else under it is a bug of the caller that must not pass. */
function sameQuestion(kept: KeptDecision, facts: TransactionFacts): KeptDecision {
  if (!isDeepStrictEqual(kept.inputs.facts, facts)) {
    throw new Refusal("KEY_REUSED", "this transaction was decided on with other content");
  }
  return kept;
}

function hasContent(policy: Policy, content: PolicyContent): boolean {
  const { knowYourCustomerRules, transactionRules, dailyLimits } = policy;
  return isDeepStrictEqual({ knowYourCustomerRules, transactionRules, dailyLimits }, content);
}
