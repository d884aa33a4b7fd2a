import type { Customer, IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { createBatchRead } from "../../kernel/mongo/batch-read.js";
import { outgoing, type Client } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import { Refusal } from "../../kernel/refusal.js";

type CustomerName = { customerCode: string } | { customerId: string };
interface CustomerRead {
  readonly by: CustomerName;
  readonly call: Call;
}

/** Codes are written in any case. */
function nameOfRead({ by }: Pick<CustomerRead, "by">): string {
  return "customerId" in by ? `id ${by.customerId}` : `code ${by.customerCode.trim().toUpperCase()}`;
}

/**
 * Customers as identity knows them. Those who are asked for at the same time are read with one
 * call.
 */
export function createCustomers(
  identity: Pick<Client<IdentityServiceDefinition>, "getCustomer" | "getCustomers" | "listManagedCustomers">,
) {
  const readCustomer = createBatchRead<CustomerRead, Customer>({
    nameOf: nameOfRead,
    readOne: async (_tenantId, { by, call }) => (await identity.getCustomer(by, outgoing(call))).customer,
    async readMany(tenantId, reads) {
      const { interactionId } = reads[0]!.call;
      const latest = Math.max(...reads.map(({ call }) => call.deadline?.getTime() ?? Infinity));
      const customerCodes = reads.flatMap(({ by }) => ("customerCode" in by ? [by.customerCode] : []));
      const customerIds = reads.flatMap(({ by }) => ("customerId" in by ? [by.customerId] : []));
      const deadline = latest === Infinity ? {} : { deadline: new Date(latest) };
      const call = outgoing({ tenantId, interactionId, ...deadline });
      const { customers } = await identity.getCustomers({ customerIds, customerCodes }, call);
      return new Map(
        customers.flatMap((one) => [
          [nameOfRead({ by: { customerId: one.customerId } }), one],
          [nameOfRead({ by: { customerCode: one.customerCode } }), one],
        ]),
      );
    },
  });

  async function findCustomer(by: CustomerName, call: Call): Promise<Customer> {
    const customer = await readCustomer(call.tenantId, { by, call });
    // Others may have waited longer for it.
    call.signal?.throwIfAborted();
    if (customer === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "no such customer");
    return customer;
  }

  async function listManaged(agentId: string, call: Call): Promise<string[]> {
    const ids: string[] = [];
    let pageToken = "";
    do {
      const page = await identity.listManagedCustomers({ agentId, pageToken }, outgoing(call));
      ids.push(...page.customers.map(({ customerId }) => customerId));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    return ids;
  }

  return { findCustomer, listManaged };
}
