import { v5 as uuidv5 } from "uuid";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { actorOf, type Call } from "../../kernel/grpc/context.js";
import { isAwayOrLate } from "../../kernel/refusal.js";
import type { BusinessClock } from "../../platform/preferences/business-clock.js";
import type { PayeePartners } from "../clients/payee-partners.js";
import {
  acceptedVerdict,
  findingOf,
  isAbout,
  isWarning,
  saysSomething,
  verdictOf,
  type PayeeCheck,
  type PayeeFinding,
  type PayeeQuestion,
  type PayeeVerdict,
} from "../domain/payee-check.js";
import type { RemittanceStore } from "../store/index.js";

/** Whose account is to be looked at, and for which request. */
export interface PayeeRequest {
  customerId: string;
  questions: readonly PayeeQuestion[];
  /** Of a warning that was read; empty where none is named. */
  payeeCheckId: string;
  /** Where the request names it. */
  path: string;
  operation: string;
  idempotencyKey: string;
}

export interface PayeeDeskDeps {
  store: Pick<RemittanceStore, "forTenant">;
  partners: Pick<PayeePartners, "ask">;
  times: BusinessClock;
}

export type PayeeDesk = ReturnType<typeof createPayeeDesk>;

const idsOfChecks = "6f1d3c52-8f0e-4b6e-9d0a-3f6f4f0f7a11";

/** Has accounts looked at before anything is stored of who sends money there. */
export function createPayeeDesk({ store, partners, times }: PayeeDeskDeps) {
  async function findingFor(question: PayeeQuestion, reference: string, call: Call): Promise<PayeeFinding> {
    try {
      const { tenantId, interactionId } = call;
      const said = await partners.ask(question, reference, { tenantId, interactionId });
      return said === undefined ? { question, result: "NO_PARTNER" } : findingOf(question, said);
    } catch (error) {
      // An order does not wait for a partner: it goes on, and says so.
      if (!isAwayOrLate(error)) throw error;
      return { question, result: "NO_ANSWER" };
    }
  }

  async function newCheck(payeeCheckId: string, request: PayeeRequest, now: Date, call: Call): Promise<PayeeCheck> {
    const { customerId, questions } = request;
    const findings = await Promise.all(
      questions.map((question, index) => findingFor(question, `${payeeCheckId}.${index + 1}`, call)),
    );
    const check = { payeeCheckId, customerId, findings, checkedAt: now };
    // A warning is told with its id, whatever else had no answer.
    if (findings.some(isWarning) || findings.every(saysSomething)) {
      await store.forTenant(call.tenantId).putPayeeCheck(check);
      crashPoint("remittance.payee.checked");
    }
    return check;
  }

  return {
    /**
     * What is kept of it, undefined where there is nothing to look at. One request is one check,
     * however often it comes. Refuses PAYEE_NAME_DIFFERS, PAYEE_NOT_MATCHED, PAYEE_CHECK_MISMATCH
     * and PAYEE_CHECK_EXPIRED.
     */
    async check(request: PayeeRequest, call: Call): Promise<PayeeVerdict | undefined> {
      const { customerId, questions, payeeCheckId: accepted, operation, idempotencyKey } = request;
      if (accepted === "" && questions.length === 0) return undefined;
      const tenant = store.forTenant(call.tenantId);
      const now = (await times.forTenant(call.tenantId, call.interactionId)).now();
      if (accepted !== "") {
        const known = await tenant.findPayeeCheck(accepted);
        return acceptedVerdict(known, request, { at: now, by: actorOf(call) });
      }
      const id = uuidv5(JSON.stringify([call.tenantId, operation, actorOf(call), idempotencyKey]), idsOfChecks);
      const earlier = await tenant.findPayeeCheck(id);
      const isEarlier = earlier !== undefined && isAbout(earlier, customerId, questions, now);
      return verdictOf(isEarlier ? earlier : await newCheck(id, request, now, call), questions);
    },
  };
}
