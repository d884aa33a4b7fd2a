import type { Customer, IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import { nobody, type OfferCustomer } from "../domain/offers.js";
import { wholeTenant } from "../domain/payout-point.js";
import { createCustomers } from "./customers.js";
import type { Preference, Preferences } from "./preferences.js";
import type { TransactionOwners } from "../domain/transaction-list.js";
import { isSoldForCash } from "../domain/counter-sale.js";
import { isAtTheDesk, type Transaction } from "../domain/transaction.js";

export interface PeopleDeps {
  identity: Pick<
    Client<IdentityServiceDefinition>,
    "getCustomer" | "getCustomers" | "listManagedCustomers" | "verifyCredentials"
  >;
  preferences: Preferences;
}

export type People = ReturnType<typeof createPeople>;

/** Who people are and what they may see, as identity knows it. */
export function createPeople({ identity, preferences }: PeopleDeps) {
  const { findCustomer, listManaged } = createCustomers(identity);

  /**
   * What a user's role makes theirs: a MANAGER's is everything, an AGENT's what their customers
   * send.
   */
  async function isOwn({ sender, createdBy, payer, agentId: agentThen }: Transaction, call: Call): Promise<boolean> {
    const { role, userId, customerId } = requireUser(call);
    switch (role) {
      case "MANAGER":
        return true;
      case "AGENT": {
        const { agentScope } = await preferences.of(call);
        if (agentScope === "TENANT" || agentThen === userId) return true;
        return (await findCustomer({ customerId: sender.customerId }, call)).agentId === userId;
      }
      case "CASHIER":
        // Who paid cash comes back to whichever counter is open.
        return createdBy === userId || isSoldForCash({ payer });
      case "CUSTOMER":
        return sender.customerId === customerId;
    }
  }

  /** Refuses FORBIDDEN for an AGENT whose tenant does not have its agents sell. */
  async function assertServesDesk(call: Call): Promise<void> {
    if (requireUser(call).role !== "AGENT" || (await preferences.of(call)).agentCounterSales === true) return;
    throw new Refusal("FORBIDDEN", "agents do not sell for cash here");
  }

  return {
    assertServesDesk,

    /** Refuses CUSTOMER_NOT_FOUND, also for another tenant's. */
    findCustomer,

    /**
     * The customer who stands at the calling CASHIER's or AGENT's desk. Refuses CUSTOMER_NOT_FOUND;
     * FORBIDDEN for an AGENT whose tenant does not have its agents sell, and for another's
     * customer.
     */
    async senderAtDesk(customerCode: string, call: Call): Promise<Customer> {
      const { role, userId } = requireUser(call);
      if (role === "CUSTOMER") throw new Refusal("FORBIDDEN", "only staff at a desk name a sender");
      if (role !== "AGENT") return findCustomer({ customerCode }, call);
      await assertServesDesk(call);
      const { agentScope } = await preferences.of(call);
      const customer = await findCustomer({ customerCode }, call);
      if (agentScope === "TENANT" || customer.agentId === userId) return customer;
      throw new Refusal("FORBIDDEN", "this customer is not managed by you");
    },

    /**
     * Checks the caller's password: when it is given, and demands it when the tenant does. Refuses
     * PASSWORD_REQUIRED, PASSWORD_WRONG.
     */
    async checkPassword(password: string, call: Call): Promise<void> {
      const { userId } = requireUser(call);
      const { transactionPasswordRequired } = await preferences.of(call);
      if (password !== "") await identity.verifyCredentials({ userId, password }, outgoing(call));
      else if (transactionPasswordRequired) {
        throw new Refusal("PASSWORD_REQUIRED", "the organisation requires the caller's password here");
      }
    },

    /**
     * Customers whose things the calling user may see; undefined for all of the tenant. Refuses
     * FORBIDDEN.
     */
    async visibleCustomers(call: Call): Promise<string[] | undefined> {
      const { role, userId, customerId } = requireUser(call);
      switch (role) {
        case "MANAGER":
          return undefined;
        case "AGENT": {
          const { agentScope } = await preferences.of(call);
          return agentScope === "TENANT" ? undefined : listManaged(userId, call);
        }
        case "CUSTOMER":
          return customerId === undefined ? [] : [customerId];
        case "CASHIER":
          throw new Refusal("FORBIDDEN", "the user's role does not allow this");
      }
    },

    organisationOf: async (call: Call): Promise<Pick<Preference, "name" | "language">> => preferences.of(call),

    /** What a customer reads; empty where they chose none, and where nobody is named. */
    async languageOf(customerId: string, call: Call): Promise<string> {
      return customerId === "" ? "" : (await findCustomer({ customerId }, call)).language;
    },

    /**
     * Which transactions the calling user may list: all of the tenant for an AGENT whom it does not
     * narrow to the customers they manage, whose transactions are those that were sent while they
     * managed the sender.
     */
    async visibleTransactions(call: Call): Promise<TransactionOwners> {
      const { role, userId, customerId = "" } = requireUser(call);
      switch (role) {
        case "MANAGER":
          return {};
        case "AGENT":
          return (await preferences.of(call)).agentScope === "MANAGED" ? { agentId: userId } : {};
        case "CASHIER":
          return { createdBy: userId };
        case "CUSTOMER":
          return { customerId };
      }
    },

    /**
     * Which transactions reports count for the calling user: an AGENT's own, and all only where the
     * tenant says so.
     */
    async countedTransactions(call: Call): Promise<TransactionOwners> {
      const { role, userId } = requireUser(call);
      const isOwn = role === "AGENT" && (await preferences.of(call)).agentScope !== "TENANT";
      return isOwn ? { agentId: userId } : {};
    },

    /**
     * Whose payout points and branches the calling user sees; undefined for all of them. And the
     * agent whose markup holds.
     */
    async allocationsOf(
      call: Call,
    ): Promise<{ owners: string[] | undefined; customer: OfferCustomer; country: string }> {
      const { role, userId, customerId = "" } = requireUser(call);
      switch (role) {
        case "MANAGER":
          return { owners: undefined, customer: nobody, country: "" };
        case "AGENT":
          return { owners: [wholeTenant, userId], customer: { customerId: "", agentId: userId }, country: "" };
        case "CASHIER":
          return { owners: [wholeTenant], customer: nobody, country: "" };
        case "CUSTOMER": {
          const { agentId, country } = await findCustomer({ customerId }, call);
          const owners = agentId === "" ? [wholeTenant] : [wholeTenant, agentId];
          return { owners, customer: { customerId, agentId }, country };
        }
      }
    },

    /**
     * Refuses FORBIDDEN where the calling user may not see the transaction. An operator sees all.
     */
    async assertMaySee(transaction: Transaction, call: Call): Promise<void> {
      if (call.caller === "operator") return;
      const { role } = requireUser(call);
      const isOpen =
        (role === "AGENT" && (await preferences.of(call)).agentScope !== "MANAGED") ||
        (role === "CASHIER" && isAtTheDesk(transaction));
      if (isOpen || (await isOwn(transaction, call))) return;
      throw new Refusal("FORBIDDEN", "this transaction is not yours to see");
    },

    /**
     * Refuses FORBIDDEN where the calling user may not act on the transaction: an AGENT for who is
     * not theirs, a CASHIER on another's.
     */
    async assertMayChange(transaction: Transaction, call: Call): Promise<void> {
      if (call.caller === "operator" || (await isOwn(transaction, call))) return;
      throw new Refusal("FORBIDDEN", "this transaction is not yours to change");
    },
  };
}
