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
export async function managedCustomers({ identity }: Pick<WalletDeps, "identity">, call: Call): Promise<Customer[]> {
  const { userId: agentId } = requireUser(call);
  const found: Customer[] = [];
  let pageToken = "";
  do {
    const page = await identity.listManagedCustomers({ agentId, pageToken }, outgoing(call));
    found.push(...page.customers);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return found;
}

/**
 * Whose records an AGENT lists: those of customers whom they act for; undefined for everybody's.
 */
export async function listedByAgent(deps: Pick<WalletDeps, "identity">, call: Call): Promise<string[] | undefined> {
  if (requireUser(call).role !== "AGENT") return undefined;
  const { tenant } = await deps.identity.getOrganisationPreference({}, outgoing(call));
  if (tenant?.preference?.agentScope === "TENANT") return undefined;
  return (await managedCustomers(deps, call)).map(({ customerId }) => customerId);
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
