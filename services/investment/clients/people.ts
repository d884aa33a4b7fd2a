import type { Customer } from "../../../proto/gen/identity/v1/identity.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Identity } from "./neighbours.js";
import type { Preferences } from "./preferences.js";

export interface PeopleDeps {
  identity: Pick<Identity, "getCustomer">;
  preferences: Preferences;
}

export type People = ReturnType<typeof createPeople>;

/** Who people are and whose investments they may see, as identity knows it. */
export function createPeople({ identity, preferences }: PeopleDeps) {
  async function findCustomer(by: { customerId: string } | { userId: string }, call: Call): Promise<Customer> {
    const { customer } = await identity.getCustomer(by, outgoing(call));
    if (customer === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
    return customer;
  }

  /**
   * Staff: a MANAGER sees all of the tenant, an AGENT customers they manage, or all where the
   * tenant says so.
   */
  async function assertStaffMaySee(customer: Customer, call: Call): Promise<void> {
    const { role, userId } = requireUser(call);
    if (role === "MANAGER") return;
    if (role === "AGENT" && customer.agentId === userId) return;
    if (role === "AGENT" && (await preferences.of(call)).agentScope === "TENANT") return;
    throw new Refusal("FORBIDDEN", "this customer's investments are not yours to see");
  }

  return {
    /** The name on file; empty where the customer is not there any more. */
    async nameOf(customerId: string, call: Call): Promise<string> {
      const customer = await findCustomer({ customerId }, call).catch((error: unknown) => {
        if (error instanceof Refusal && error.code === "CUSTOMER_NOT_FOUND") return undefined;
        throw error;
      });
      return customer === undefined ? "" : fullName(customer);
    },

    /** Refuses CUSTOMER_NOT_FOUND, also for another tenant's. */
    findCustomer,

    /** The calling customer. Refuses FORBIDDEN for staff, and where another customer is named. */
    assertOwn(customerId: string, call: Call): void {
      if (requireUser(call).customerId !== customerId) throw new Refusal("FORBIDDEN", "not this customer's own");
    },

    /**
     * Whose investments are meant: the calling customer's own, or those of the customer whom staff
     * name. Refuses FORBIDDEN, CUSTOMER_NOT_FOUND.
     */
    async whose(named: string, call: Call): Promise<string> {
      const { role, customerId } = requireUser(call);
      if (role === "CUSTOMER") {
        if (customerId === undefined || (named !== "" && named !== customerId)) {
          throw new Refusal("FORBIDDEN", "another customer's investments");
        }
        return customerId;
      }
      const customer = await findCustomer({ customerId: named }, call);
      await assertStaffMaySee(customer, call);
      return customer.customerId;
    },

    /** As `whose`, by the id of a user. */
    async whoseUser(userId: string, call: Call): Promise<string> {
      const user = requireUser(call);
      if (user.role === "CUSTOMER") {
        if (user.userId !== userId || user.customerId === undefined) {
          throw new Refusal("FORBIDDEN", "another customer's investments");
        }
        return user.customerId;
      }
      const customer = await findCustomer({ userId }, call);
      await assertStaffMaySee(customer, call);
      return customer.customerId;
    },

    /** Refuses FORBIDDEN where the calling user may not see a customer's investments. */
    async assertMaySee(customerId: string, call: Call): Promise<void> {
      const user = requireUser(call);
      if (user.role !== "CUSTOMER") await assertStaffMaySee(await findCustomer({ customerId }, call), call);
      else if (user.customerId !== customerId) throw new Refusal("FORBIDDEN", "another customer's investment");
    },
  };
}

/** First and last name as one text. */
export function fullName({ firstName, lastName }: Pick<Customer, "firstName" | "lastName">): string {
  return `${firstName} ${lastName}`.trim();
}
