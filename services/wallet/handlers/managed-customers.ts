import type { Customer } from "../../../proto/gen/identity/v1/identity.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";
import type { WalletDeps } from "./deps.js";

/**
 * An AGENT acts for the customers whom they manage, or for all where the tenant says so; anybody
 * else passes. Refuses FORBIDDEN.
 */
export async function assertManagedByAgent(
  { identity }: Pick<WalletDeps, "identity">,
  customerId: string,
  call: Call,
): Promise<void> {
  const { role, userId } = requireUser(call);
  if (role !== "AGENT") return;
  const { customer } = await identity.getCustomer({ customerId }, outgoing(call));
  if (customer?.agentId === userId) return;
  const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
  if (tenant?.preference?.agentScope === "TENANT") return;
  throw new Refusal("FORBIDDEN", "this customer is not managed by you");
}

/** Customers of an AGENT, of every page; all of the tenant's where its agents act for all. */
export async function managedCustomers(deps: Pick<WalletDeps, "identity">, call: Call): Promise<Customer[]> {
  const found: Customer[] = [];
  for await (const page of managedPages(deps, call)) found.push(...page);
  return found;
}

/** As managedCustomers, page by page: there may be any number of them. */
export async function* managedPages(
  { identity }: Pick<WalletDeps, "identity">,
  call: Call,
): AsyncGenerator<readonly Customer[]> {
  const { userId: agentId } = requireUser(call);
  let pageToken = "";
  do {
    const page = await identity.listManagedCustomers({ agentId, pageToken }, outgoing(call));
    yield page.customers;
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
}

/** Whether somebody is an AGENT who lists records of the customers alone whom they manage. */
export async function listsOwnCustomers({ identity }: Pick<WalletDeps, "identity">, call: Call): Promise<boolean> {
  if (requireUser(call).role !== "AGENT") return false;
  const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
  return tenant?.preference?.agentScope !== "TENANT";
}

/**
 * Refuses FORBIDDEN for an AGENT where the tenant does not have its agents sell at the counter;
 * anybody else passes.
 */
export async function assertSells({ identity }: Pick<WalletDeps, "identity">, call: Call): Promise<void> {
  if (requireUser(call).role !== "AGENT") return;
  const { tenant } = await identity.getOrganisationPreference({}, outgoing(call));
  if (tenant?.preference?.agentCounterSales === true) return;
  throw new Refusal("FORBIDDEN", "agents do not sell for cash here");
}
