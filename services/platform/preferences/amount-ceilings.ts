import type { IdentityServiceDefinition, Tenant } from "../../../proto/gen/identity/v1/identity.js";
import {
  assertBelowCeiling,
  ceilingOf,
  operatorCeiling,
  parseCeilings,
  type Ceilings,
} from "../../kernel/limits/amount-ceiling.js";
import type { Client, OutgoingContext } from "../../kernel/grpc/client.js";
import type { Money } from "../../kernel/money.js";
import { createPreferences } from "./preferences.js";

/** Refuses AMOUNT_ABOVE_CEILING. */
export type CheckAmount = (amount: Money) => void;

export interface AmountCeilings {
  /**
   * Refuses AMOUNT_ABOVE_CEILING for the first that passes its currency's ceiling, and UNAVAILABLE
   * while identity is away.
   */
  check(call: OutgoingContext, ...amounts: readonly Money[]): Promise<void>;
  /** What check does, for amounts that come to be known later in the call. Refuses UNAVAILABLE. */
  of(call: OutgoingContext): Promise<CheckAmount>;
  /** As check, for what several movements sum to: only the operator's ceiling binds it. */
  checkSum(amount: Money): void;
  /**
   * Whose ceiling an amount passes that was taken already: the operator's, the tenant's, or
   * nobody's.
   */
  passedBy(call: OutgoingContext, amount: Money): Promise<"OPERATOR" | "TENANT" | undefined>;
}

/**
 * The ceilings of a service: the operator's, as it is configured, and below them each tenant's, of
 * its preference.
 */
export function createAmountCeilings(deps: {
  identity: Pick<Client<IdentityServiceDefinition>, "getOrganisationPreference">;
  /** AMOUNT_CEILINGS of the service. */
  configured: string | undefined;
}): AmountCeilings {
  const operator = parseCeilings(deps.configured);
  const preferences = createPreferences({ identity: deps.identity, read: tenantCeilings });
  async function ofTenant({ tenantId, interactionId }: OutgoingContext): Promise<CheckAmount> {
    const tenant = await preferences.of({ tenantId, interactionId });
    return (amount) => assertBelowCeiling(amount, ceilingOf(operator, tenant, amount.currency));
  }

  return {
    of: ofTenant,
    checkSum: (amount) => assertBelowCeiling(amount, operatorCeiling(operator, amount.currency)),
    async check(call, ...amounts) {
      // Identity need not be asked about what the operator does not allow.
      for (const amount of amounts) assertBelowCeiling(amount, operatorCeiling(operator, amount.currency));
      amounts.forEach(await ofTenant(call));
    },
    async passedBy(call, { minor, currency }) {
      if (minor > operatorCeiling(operator, currency)) return "OPERATOR";
      const tenant = await preferences.of({ tenantId: call.tenantId, interactionId: call.interactionId });
      return minor > ceilingOf(operator, tenant, currency) ? "TENANT" : undefined;
    },
  };
}

/** A tenant's own ceilings, by its preference. */
export function tenantCeilings(tenant: Tenant | undefined): Ceilings {
  const ceilings = tenant?.preference?.amountCeilings ?? [];
  return new Map(ceilings.map(({ currency, amountMinor }) => [currency, amountMinor]));
}
