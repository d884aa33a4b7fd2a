import type { Customer, IdentityServiceDefinition } from "../../../../proto/gen/identity/v1/identity.js";
import type { Client } from "../../../kernel/grpc/client.js";
import { outgoing, type OutgoingContext } from "../../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../../kernel/grpc/context.js";
import { Refusal } from "../../../kernel/refusal.js";
import { createBoundedCache } from "../../../kernel/caching/bounded-cache.js";
import type { Person } from "../domain/customer.js";
import { identityOf, type RequestedIdentityCheck } from "./identity-checks.js";
import { counterFromWire, knownFromWire } from "../wire/personal-details.js";
import { partyOfPerson } from "../../screening/wire/screened-parties.js";
import type { Preferences } from "./preferences.js";

export type Identity = Pick<Client<IdentityServiceDefinition>, "getCustomer" | "getOrganisationPreference">;

export type People = ReturnType<typeof createPeople>;

const maxKnown = 20_000;
const keepForMs = 60_000;

/** What a payment between customers is asked by. */
export type KnownPerson = Pick<Person, "country" | "party">;

/** Who people are and whom staff may act for, as identity knows it. */
export function createPeople({ identity, preferences }: { identity: Identity; preferences: Preferences }) {
  const known = createBoundedCache<KnownPerson & { until: number }>(maxKnown);

  async function knownOf(customerId: string, call: OutgoingContext): Promise<KnownPerson> {
    const key = `${call.tenantId} ${customerId}`;
    const before = known.get(key);
    if (before !== undefined && performance.now() < before.until) return before;
    const { country, party } = await find({ customerId }, call);
    const found = { country, party };
    known.set(key, { ...found, until: performance.now() + keepForMs });
    return found;
  }

  async function read(by: { customerId: string } | { userId: string }, call: OutgoingContext): Promise<Customer> {
    const { customer } = await identity.getCustomer(by, outgoing(call));
    if (customer === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
    return customer;
  }

  const find = async (by: { customerId: string } | { userId: string }, call: OutgoingContext): Promise<Person> =>
    personOf(await read(by, call));

  async function assertManages(agentId: string, person: Person, call: Call): Promise<void> {
    const { agentScope } = await preferences.of(call);
    if (agentScope !== "TENANT" && person.agentId !== agentId) {
      throw new Refusal("FORBIDDEN", "this customer is not managed by you");
    }
  }

  return {
    /** Refuses CUSTOMER_NOT_FOUND, also for another tenant's. */
    find,
    assertManages,

    /**
     * Who a customer is, as it was within the last minute; undefined where
     * identity knows nobody by the id.
     */
    knownOrNobody: (customerId: string, call: OutgoingContext): Promise<KnownPerson | undefined> =>
      knownOf(customerId, call).catch(unlessNobody),

    /**
     * Who a customer is, and what a partner is asked of them; undefined where
     * identity knows nobody by the id.
     */
    async identified(
      customerId: string,
      call: OutgoingContext,
    ): Promise<{ person: Person; identity: RequestedIdentityCheck | undefined } | undefined> {
      const customer = await read({ customerId }, call).catch(unlessNobody);
      return customer && { person: personOf(customer), identity: identityOf(customer) };
    },

    /**
     * Who payer and payee are and where they live, as it was within the last minute: people move
     * rarely and pay often. Refuses as find.
     */
    bothOf: ([payer, payee]: readonly [string, string], call: OutgoingContext): Promise<[KnownPerson, KnownPerson]> =>
      Promise.all([knownOf(payer, call), knownOf(payee, call)]),

    /**
     * The customer that a request is about, whom the calling user may act for: a CUSTOMER is
     * themself. Refuses FORBIDDEN.
     */
    async reach(customerId: string, call: Call): Promise<Person> {
      const user = requireUser(call);
      if (user.role === "CUSTOMER") {
        const own = user.customerId ?? "";
        if (customerId !== "" && customerId !== own) throw new Refusal("FORBIDDEN", "this is another customer");
        return find({ customerId: own }, call);
      }
      const person = await find({ customerId }, call);
      if (user.role === "AGENT") await assertManages(user.userId, person, call);
      return person;
    },
  };
}

function unlessNobody(error: unknown): undefined {
  if (error instanceof Refusal && error.code === "CUSTOMER_NOT_FOUND") return undefined;
  throw error;
}

function personOf(customer: Customer): Person {
  const { customerId, userId, country, email, phoneNumber, language, agentId } = customer;
  return {
    customerId,
    userId,
    country,
    email,
    phoneNumber,
    language,
    agentId,
    registeredAt: customer.createdAt ?? new Date(0),
    details: knownFromWire(customer.details),
    party: partyOfPerson(customer),
    ...counterFromWire(customer),
  };
}
