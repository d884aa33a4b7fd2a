import type { Connection } from "mongoose";
import { createSettle } from "../../../services/compliance/decisions/checks/settle.js";
import { emptyDay, withTransaction } from "../../../services/compliance/decisions/domain/day-activity.js";
import type { RecordedDecision } from "../../../services/compliance/decisions/domain/recorded-decision.js";
import { createComplianceStore } from "../../../services/compliance/decisions/store/index.js";
import { createKeyedMutex } from "../../../services/kernel/batching/keyed-mutex.js";
import type { Logger } from "../../../services/kernel/process/log.js";
import { withoutKeys } from "../../support/without-keys.js";

const tenantId = "bench";
const day = "2026-05-01";
const amount = { minor: 100_00n, currency: "USD" };

/** Reservations of so many customers, as compliance keeps them, and what ends them. */
export function createReservations(db: Connection, log: Logger) {
  const store = createComplianceStore(db, withoutKeys);
  const { settle, releaseAll } = createSettle({ store, customerMutex: createKeyedMutex() });
  let made = 0;

  return {
    settle: (id: string, to: "CONFIRMED" | "RELEASED") => settle(tenantId, id, to),
    releaseAll: (ids: readonly string[]) => releaseAll(tenantId, ids, log),
    async hold(customers: number, each: number): Promise<string[]> {
      const ids: string[] = [];
      for (let customer = 0; customer < customers; customer += 1) {
        const customerId = `c${(made += 1)}`;
        const decisions = Array.from({ length: each }, (_, index) => decisionOf(customerId, `${customerId}-${index}`));
        const sums = decisions.reduce((sum, { inputs }) => withTransaction(sum, inputs.facts), emptyDay(day));
        const usage = [{ currency: "USD", reservedMinor: amount.minor * BigInt(each), usedMinor: 0n }];
        await store.transaction(
          async (session) => {
            const tenant = store.forTenant(tenantId);
            await tenant.putCustomer({ customerId, status: "CONFIRMED" } as never, session);
            await tenant.insertDecisions(decisions, session);
            await tenant.putDays([{ ...sums, customerId, usage }], session);
            return true;
          },
          async () => undefined,
        );
        ids.push(...decisions.map(({ transactionId }) => transactionId));
      }
      return ids;
    },
  };
}

function decisionOf(customerId: string, transactionId: string): RecordedDecision {
  const facts = {
    transactionId,
    customerId,
    amount,
    originCountry: "USA",
    receivingCountry: "NGA",
    receivingCurrency: "NGN",
    remittancePurpose: "family",
    sourceOfFunds: "salary",
    operation: "REMITTANCE" as const,
    recipient: "B-1",
  };
  return {
    transactionId,
    decision: "APPROVED",
    reasonCode: "",
    message: "",
    outstandingRequirements: [],
    matchedRules: [],
    policyVersion: 1,
    inputs: { facts, day, figures: [1n, 2n, 3n] } as never,
    reservation: "HELD",
    decidedAt: new Date(),
    interactionId: "bench",
    version: 1,
    isOpen: false,
    decidedBy: "rules",
    earlier: [],
  };
}
