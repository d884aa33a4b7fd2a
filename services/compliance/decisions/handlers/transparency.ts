import { isDeepStrictEqual } from "node:util";
import type { ComplianceServiceDefinition } from "../../../../proto/gen/compliance/v1/compliance.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { Call } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import { verificationRequired } from "../checks/note-on-customer.js";
import { statusFactsOf, type CustomerRecord } from "../domain/customer.js";
import { calendarDay } from "../domain/days.js";
import { transparencyOf } from "../domain/decision.js";
import { profilesOf } from "../domain/policy.js";
import type { RecordedDecision } from "../domain/recorded-decision.js";
import { demandDocuments } from "../domain/requirements.js";
import { rowsOf } from "../domain/transparency-profiles.js";
import { fundings } from "../../../platform/transparency/members.js";
import { givenMembers, verifiedBy } from "../domain/transparency.js";
import { unknownTransaction } from "../store/decisions.js";
import { revisedFromWire, rowToWire, transparencyFromWire } from "../wire/transparency.js";
import { originOf, type ComplianceDeps } from "../../common/handlers/deps.js";
import { oneOf } from "../../common/wire/one-of.js";

type Deps = Pick<ComplianceDeps, "store" | "policies" | "people" | "customers" | "checks" | "times">;

/** What must be known of whom money comes from and goes to. */
export function transparencyHandlers({ store, policies, people, customers, checks, times }: Deps) {
  /** The sender as identity and the policy have them now. */
  async function senderOf(customerId: string, call: Call): Promise<CustomerRecord> {
    const found = await store.forTenant(call.tenantId).findCustomer(customerId);
    if (found?.details !== undefined) return found;
    return customers.current(originOf(call), await people.find({ customerId }, call));
  }

  /** Has the sender's document asked for, as one that a transaction waits for. */
  async function demandVerification(transactionId: string, customerId: string, call: Call): Promise<void> {
    const person = await people.find({ customerId }, call);
    await customers.change(originOf(call), person, `transaction ${transactionId}`, async (before, { now }) => ({
      ...before,
      requirements: demandDocuments(before.requirements, [verificationRequired], now),
    }));
  }

  return {
    async getTransparencyProfiles(_request, { tenantId }) {
      const policy = await policies.current(tenantId, store.forTenant(tenantId));
      const profiles = policy === undefined ? [] : profilesOf(policy);
      return {
        policyVersion: policy?.version ?? 0,
        profiles: profiles.map((profile) => ({ ...profile, rows: rowsOf(profile).map(rowToWire) })),
      };
    },

    async checkTransparency(request, call) {
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const funding = oneOf(fundings.slice(1), request.funding, "funding");
      const { tenantId } = call;
      const tenant = store.forTenant(tenantId);
      const recorded = await tenant.findDecision(transactionId);
      if (recorded === undefined) throw unknownTransaction();
      const told = transparencyFromWire(request.transparency);
      const facts = { ...recorded.inputs.facts, ...(told !== undefined && { transparency: told }) };
      const policy = await policies.current(tenantId, tenant);
      const policyVersion = policy?.version ?? 0;
      if (policy?.transparency.has(facts.originCountry) !== true) return { policyVersion };
      if (told?.policyVersion !== undefined && told.policyVersion < policyVersion) {
        return { policyVersion, isOutdated: true };
      }
      const customer = await senderOf(facts.customerId, call);
      const time = await times.forTenant(tenantId, call.interactionId);
      const { met } = statusFactsOf(customer, time.now());
      const given = givenMembers(customer.details, calendarDay(time.now(), time.timeZone));
      const { asked, missing } = transparencyOf(policy, { facts, given, met }, funding);
      if (missing.includes(verifiedBy)) await demandVerification(transactionId, facts.customerId, call);
      return { missingMembers: missing, members: asked?.members ?? [], policyVersion };
    },

    async reviseTransparency(request, call) {
      const revised = revisedFromWire(request);
      const tenant = store.forTenant(call.tenantId);
      const recorded = await store.transaction(
        async (session) => {
          const found = await tenant.findDecisions([...revised.keys()], session);
          if (found.length < revised.size) throw unknownTransaction();
          const changed = found.filter(isRevisable).flatMap(({ transactionId, inputs: { facts } }) => {
            const known = { ...facts.transparency, knownMembers: revised.get(transactionId)! };
            return isDeepStrictEqual(known, facts.transparency) ? [] : [{ transactionId, known }];
          });
          await tenant.putTransparency(changed, session);
          return found;
        },
        async () => undefined,
      );
      crashPoint("compliance.transparency.revised");
      const open = recorded.filter(({ isOpen }) => isOpen);
      await checks.reconsiderThese(originOf(call), open, call);
      return {};
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}

/** What is over keeps what it was decided from. */
function isRevisable({ isOpen, reservation }: RecordedDecision): boolean {
  return isOpen || reservation === "HELD";
}
