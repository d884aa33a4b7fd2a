import type {
  GetCustomerRequest,
  IdentityServiceDefinition,
  ListManagedCustomersRequest,
} from "../../../proto/gen/identity/v1/identity.js";
import { requireUser, type UserPrincipal } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { isOneOf } from "../domain/customer-match.js";
import { detailsViewOf, listViewOf } from "../domain/details-view.js";
import { documentsBefore } from "../domain/personal-details.js";
import { customerStatuses, parsePhoneNumber, type CustomerRecord } from "../domain/people.js";
import { pageOf } from "../domain/requests.js";
import { parseSearch } from "../domain/search-words.js";
import { keptUntil, partyOf } from "../domain/transfer-parties.js";
import type { CustomerKey, IdentityStore } from "../store/index.js";
import { customerToWire, messageContactToWire, transferPartyToWire } from "../wire/people.js";
import { tenantOf } from "./tenant-of.js";
import type { HandlerDeps } from "./deps.js";

const maxCustomers = 100;

export function customerReadHandlers({ store, clock }: HandlerDeps) {
  return {
    async getCustomer(request, call) {
      const found = await store.forTenant(call.tenantId).findCustomer(customerKeyOf(request));
      if (found === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "there is no such customer");
      // The services look up the other side of a payment too, and decide about it themselves.
      if (call.caller === "gateway") await assertMaySee(store, requireUser(call), found);
      return { customer: customerToWire(found, detailsViewOf(call.caller, call.user?.role)) };
    },

    async getOriginator({ customerId }, { tenantId }) {
      if (customerId === "") throw invalidInput("customerId", "is required");
      const found = await store.forTenant(tenantId).findCustomer({ customerId });
      if (found === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "there is no such customer");
      return { customer: customerToWire(found, "WHOLE") };
    },

    async compareDocument({ customerId, type, number, onFileBefore = clock.now() }, { tenantId }) {
      if (customerId === "") throw invalidInput("customerId", "is required");
      const found = await store.forTenant(tenantId).findCustomer({ customerId });
      if (found === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "there is no such customer");
      // Nothing is on file any more, and whatever is shown would pass.
      if (found.erasedAt !== undefined) throw new Refusal("STATE_CONFLICT", "the customer was erased");
      const documents = documentsBefore(found.customer.details ?? {}, onFileBefore);
      return { onFile: isOneOf({ type, number }, documents), anyOnFile: documents.length > 0 };
    },

    async keepTransferParty({ reference, customerId }, { tenantId, caller }) {
      const transfer = `${caller}/${transferFromWire(reference)}`;
      const ofTenant = store.forTenant(tenantId);
      const known = await ofTenant.findTransferParty(transfer, customerId);
      if (known !== undefined) return { customer: transferPartyToWire(known) };
      const found = await ofTenant.findCustomer({ customerId });
      if (found === undefined) throw new Refusal("CUSTOMER_NOT_FOUND", "there is no such customer");
      const kept = await ofTenant.keepTransferParty(transfer, partyOf(found.customer), keptUntil(clock.now()));
      if (kept === undefined) throw new Refusal("STATE_CONFLICT", "this transfer is made for another customer");
      return { customer: transferPartyToWire(kept) };
    },

    async getCustomers({ customerIds, customerCodes }, call) {
      if (customerIds.length + customerCodes.length > maxCustomers) {
        throw invalidInput("customerIds", `must name at most ${maxCustomers} customers with customerCodes`);
      }
      const codes = customerCodes.map(codeFromWire);
      const found = await store.forTenant(call.tenantId).findCustomers(customerIds, codes);
      const view = detailsViewOf(call.caller, call.user?.role);
      return { customers: found.map((one) => customerToWire(one, view)) };
    },

    async getMessageContacts({ customerIds }, { tenantId }) {
      if (customerIds.length > maxCustomers) throw invalidInput("customerIds", `must name at most ${maxCustomers}`);
      const found = await store.forTenant(tenantId).findCustomers(customerIds, []);
      return { contacts: found.filter(({ erasedAt }) => erasedAt === undefined).map(messageContactToWire) };
    },

    async listManagedCustomers(request, call) {
      const { after, limit } = pageOf(request);
      if (call.caller === "gateway") requireUser(call);
      const agentId = managingAgent(call.user, request.agentId);
      const searched = searchOf(request);
      const { preference } = await tenantOf(store, call.tenantId);
      const everybody = agentId === undefined || preference.agentScope === "TENANT";
      const filter = { ...searched, ...(!everybody && { agentId }) };
      const ofTenant = store.forTenant(call.tenantId);
      const { customers, endAt } = await ofTenant.listCustomers(filter, { after, limit: limit + 1 });
      const page = customers.slice(0, limit);
      const nextPageToken = customers.length > limit ? endAt(page.at(-1)!.customer.id) : "";
      const view = listViewOf(call.caller);
      return { customers: page.map((one) => customerToWire(one, view)), nextPageToken };
    },
  } satisfies Partial<Handlers<IdentityServiceDefinition>>;
}

function transferFromWire(reference: string): string {
  if (/^[A-Za-z0-9._:-]{1,128}$/.test(reference)) return reference;
  throw invalidInput("reference", 'must be 1 to 128 letters, digits and "._:-"');
}

const codeFromWire = (code: string): string => code.trim().toUpperCase();

function customerKeyOf({ customerId, customerCode, userId, phoneNumber }: GetCustomerRequest): CustomerKey {
  if (phoneNumber) return { phoneNumber: parsePhoneNumber(phoneNumber) };
  if (customerId) return { customerId };
  if (customerCode) return { customerCode: codeFromWire(customerCode) };
  if (userId) return { userId };
  throw invalidInput("by", "must name a customer by id, code, user id or phone number");
}

/**
 * A customer sees themself; an AGENT the customers they manage, or all where the tenant says so;
 * other staff sees all.
 */
async function assertMaySee(store: IdentityStore, user: UserPrincipal, found: CustomerRecord): Promise<void> {
  const { role, userId } = user;
  if (role === "MANAGER" || role === "CASHIER" || found.userId === userId) return;
  if (role === "AGENT") {
    if (found.customer.agentId === userId) return;
    if ((await tenantOf(store, user.tenantId)).preference.agentScope === "TENANT") return;
  }
  throw new Refusal("FORBIDDEN", "this is another person's customer record");
}

const longestSearch = 100;

/**
 * Refuses INVALID_INPUT for what nobody can be looked up by, and for a status that there is not.
 */
function searchOf({ search: text, status: given }: ListManagedCustomersRequest) {
  if (text.length > longestSearch) throw invalidInput("search", `must have at most ${longestSearch} characters`);
  const status = customerStatuses.find((one) => one === given);
  if (given !== "" && status === undefined)
    throw invalidInput("status", `must be one of ${customerStatuses.join(", ")}`);
  return { ...(text.trim() !== "" && { search: parseSearch(text) }), ...(status !== undefined && { status }) };
}

/**
 * The agent whose customers are asked for; undefined where a MANAGER asks for all of the tenant.
 */
function managingAgent(user: UserPrincipal | undefined, requested: string): string | undefined {
  const agentId = requested === "" && user?.role === "AGENT" ? user.userId : requested;
  if (agentId === "" && user?.role === "MANAGER") return undefined;
  if (agentId === "") throw invalidInput("agentId", "is required");
  if (user?.role === "AGENT" && agentId !== user.userId) {
    throw new Refusal("FORBIDDEN", "these are the customers of another agent");
  }
  return agentId;
}
