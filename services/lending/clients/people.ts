import type { Customer } from "../../../proto/gen/identity/v1/identity.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Identity } from "./neighbours.js";

export interface PeopleDeps {
  identity: Pick<Identity, "getCustomer" | "listManagedCustomers" | "getOrganisationPreference">;
}

export type People = ReturnType<typeof createPeople>;

/** Who people are and whose loans they may see, as identity knows it. */
export function createPeople({ identity }: PeopleDeps) {
  async function find(by: { customerId: string } | { userId: string }, call: Call): Promise<Customer> {
    const { customer } = await identity.getCustomer(by, outgoing(call));
    if (customer === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
    return customer;
  }

  async function managesAll(call: Call): Promise<boolean> {
    const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
    return tenant?.preference?.agentScope === "TENANT";
  }

  return {
    find,
    /**
     * Refuses FORBIDDEN where the calling user may not see this customer's loans. An operator sees
     * all.
     */
    async assertMaySee(customerId: string, call: Call): Promise<void> {
      if (call.user === undefined && call.caller === "operator") return;
      const user = requireUser(call);
      if (user.role === "CUSTOMER" && user.customerId === customerId) return;
      // Nobody, and somebody of another tenant, is simply not there.
      const { agentId } = await find({ customerId }, call);
      const isTheirs =
        user.role === "MANAGER" || (user.role === "AGENT" && (agentId === user.userId || (await managesAll(call))));
      if (!isTheirs) throw new Refusal("FORBIDDEN", "these are another customer's loans");
    },
    /**
     * Customers whose applications the calling user may see; undefined for all of the tenant.
     * Refuses FORBIDDEN.
     */
    async visible(call: Call): Promise<string[] | undefined> {
      const { role, userId, customerId } = requireUser(call);
      if (role === "MANAGER") return undefined;
      if (role === "CUSTOMER") return customerId === undefined ? [] : [customerId];
      if (role !== "AGENT") throw new Refusal("FORBIDDEN", "the user's role does not allow this");
      if (await managesAll(call)) return undefined;
      const ids: string[] = [];
      for (let pageToken = ""; ;) {
        const page = await identity.listManagedCustomers({ agentId: userId, pageToken }, outgoing(call));
        ids.push(...page.customers.map((customer) => customer.customerId));
        pageToken = page.nextPageToken;
        if (pageToken === "") return ids;
      }
    },
  };
}

/** The calling customer's id. Refuses FORBIDDEN for anybody else. */
export function requireCustomer(call: Call): string {
  const { customerId } = requireUser(call);
  if (customerId === undefined) throw new Refusal("FORBIDDEN", "only a customer does this");
  return customerId;
}
