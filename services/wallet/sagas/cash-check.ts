import { decisionOr } from "../../platform/neighbours/decision.js";
import { equivalentOf } from "../../kernel/equivalent.js";
import { outgoing, type OutgoingContext } from "../../kernel/grpc/client.js";
import { moneyToWire, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { deadlineOf, type DriveContext } from "../../kernel/sagas/index.js";
import type { Compliance, Identity, Remittance } from "../clients/neighbours.js";
import { refusalOf } from "./compliance-check.js";

export interface CashCheckDeps {
  compliance: Pick<Compliance, "checkCash">;
  remittance: Pick<Remittance, "getExchangeRate">;
  identity: Pick<Identity, "getOrganisationPreference">;
}

/** Cash that a customer brings to a desk or is given there. */
export interface CashToCheck {
  /** Of the movement or the payment: compliance decides once for it, and counts it once. */
  readonly cashId: string;
  readonly customerId: string;
  readonly kind: "CASH_IN" | "CASH_OUT" | "CASH_SALE";
  readonly amount: Money;
}

/**
 * Compliance's one answer before the cash is taken: undefined, or its refusal. It is counted from
 * then on, and given back by a row that frees it. Throws while it has not decided.
 */
export async function checkCash(
  deps: CashCheckDeps,
  by: { tenantId: string; interactionId: string },
  { amount, ...cash }: CashToCheck,
  context: DriveContext,
): Promise<Refusal | undefined> {
  const call = outgoing({ ...by, ...deadlineOf(context) });
  const base = await inBase(deps, amount, call);
  const request = { ...cash, amount: moneyToWire(amount), baseAmount: base && moneyToWire(base) };
  const answer = await deps.compliance.checkCash(request, call).catch((error: unknown) => {
    throw decisionOr(error, new Set(), "a check of cash");
  });
  return answer.approved ? undefined : refusalOf(answer);
}

/** At the middle rate, rounded up; undefined without one. */
async function inBase(
  { identity, remittance }: CashCheckDeps,
  amount: Money,
  call: OutgoingContext,
): Promise<Money | undefined> {
  const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
  const base = tenant?.preference?.baseCurrency ?? "";
  if (base === "") return undefined;
  return equivalentOf(amount, base, async ({ sendCurrency: fromCurrency, receivingCurrency: toCurrency }) => {
    try {
      return (await remittance.getExchangeRate({ fromCurrency, toCurrency }, outgoing(call))).rate;
    } catch (error) {
      if (error instanceof Refusal && error.code === "RATE_NOT_AVAILABLE") return undefined;
      throw error;
    }
  });
}
