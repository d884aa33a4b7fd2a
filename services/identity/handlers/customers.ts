import { randomInt, randomUUID } from "node:crypto";
import type { ClientSession, Connection } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import {
  CreateStaffUserRequest,
  CreateStaffUserResponse,
  RegisterCustomerRequest,
  RegisterCustomerResponse,
  type GetCustomerRequest,
  type IdentityServiceDefinition,
} from "../../../proto/gen/identity/v1/identity.js";
import type { Clock } from "../../shared/clocks/clock.js";
import { toAlpha3 } from "../../shared/countries.js";
import { actorOf, requireUser, type Call, type UserPrincipal } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { fingerprintOf, runIdempotent, type Idempotency } from "../../shared/idempotency/index.js";
import { inTransaction } from "../../shared/mongo/transaction.js";
import { invalidInput, Refusal } from "../../shared/refusal.js";
import { createFaults } from "../domain/faults.js";
import { parseNewPassword } from "../domain/password-policy.js";
import {
  emailKey,
  makeCustomerCode,
  parseCustomerCode,
  parseEmail,
  parseName,
  parsePhoneNumber,
  customerStatuses,
  type CustomerRecord,
  type UserRecord,
} from "../domain/people.js";
import { checkKey, pageOf } from "../domain/requests.js";
import { agentOfNewCustomer, assertMayCreate, type Creator } from "../domain/roles.js";
import type { PasswordHasher } from "../credentials/passwords.js";
import type { CustomerKey, IdentityStore, TenantStore } from "../store/index.js";
import { customerToWire, staffRoleFromWire, userToWire } from "../wire/customers.js";
import { tenantOf } from "./tenants.js";

type PasswordGiven = Pick<CreateStaffUserRequest, "passwordForOneSignIn">;
const givenPasswordMs = 7 * 86_400_000;

type PeopleRpcs =
  | "createStaffUser"
  | "listStaffUsers"
  | "registerCustomer"
  | "getCustomer"
  | "getCustomers"
  | "listManagedCustomers"
  | "assignCustomer"
  | "noteCustomerStatus";

export function peopleHandlers(deps: {
  db: Connection;
  store: IdentityStore;
  idempotency: Idempotency;
  hasher: PasswordHasher;
  clock: Clock;
}): Pick<Handlers<IdentityServiceDefinition>, PeopleRpcs> {
  const { db, store, idempotency, hasher, clock } = deps;

  const scopeOf = (call: Call, operation: string, key: string) => ({
    tenantId: call.tenantId,
    caller: actorOf(call),
    operation,
    key,
  });

  /** A password that somebody else chose is known to them. The operator says whose it is: a fixture gives people's own. */
  function oneSignIn(creator: Creator, { passwordForOneSignIn: isForOne }: PasswordGiven) {
    if (creator === "operator" && !isForOne) return {};
    return { passwordForOneSignIn: { until: new Date(clock.now().getTime() + givenPasswordMs) } };
  }

  return {
    async createStaffUser(request, call) {
      const creator = creatorOf(call);
      const role = staffRoleFromWire(request.role);
      assertMayCreate(creator, role);
      const person = parseStaff(request);
      await tenantOf(store, call.tenantId);
      const user = {
        ...person,
        _id: uuidv7(),
        role,
        passwordHash: await hasher.hash(request.password, call.signal),
        ...oneSignIn(creator, request),
        createdAt: clock.now(),
        createdBy: actorOf(call),
      };
      return runIdempotent({
        db,
        idempotency,
        call,
        scope: scopeOf(call, "createStaffUser", request.idempotencyKey),
        fingerprint: fingerprintOf(CreateStaffUserRequest, request, ["idempotencyKey", "password"]),
        response: CreateStaffUserResponse,
        work: async (session) => {
          await store.forTenant(call.tenantId).insertUser(user, session);
          return { user: userToWire(user) };
        },
      });
    },

    async listStaffUsers(request, call) {
      if (call.caller === "gateway") requireUser(call);
      const { after, limit } = pageOf(request);
      const found = await store.forTenant(call.tenantId).listStaff({ after, limit: limit + 1 });
      const page = found.slice(0, limit);
      return { users: page.map(userToWire), nextPageToken: found.length > limit ? page.at(-1)!._id : "" };
    },

    async registerCustomer(request, call) {
      const registrar = creatorOf(call);
      assertMayCreate(registrar, "CUSTOMER");
      const { email, customer } = parseRegistration(request);
      const agentId = agentOfNewCustomer(registrar, actorOf(call), request.agentId);
      await tenantOf(store, call.tenantId);
      const ofTenant = store.forTenant(call.tenantId);
      const userId = uuidv7();
      const scope = scopeOf(call, "registerCustomer", request.idempotencyKey);
      const user = {
        _id: userId,
        email,
        emailKey: emailKey(email),
        name: `${customer.firstName} ${customer.lastName}`,
        role: "CUSTOMER" as const,
        passwordHash: await hasher.hash(request.password, call.signal),
        ...oneSignIn(registrar, request),
        customer: {
          id: randomUUID(),
          ...customer,
          code: customer.code ?? (await freeCode(ofTenant)),
          ...(agentId === undefined ? {} : { agentId }),
        },
        createdAt: clock.now(),
        createdBy: actorOf(call),
      };
      return runIdempotent({
        db,
        idempotency,
        call,
        scope,
        // It tells who somebody is.
        secret: true,
        fingerprint: fingerprintOf(RegisterCustomerRequest, request, ["idempotencyKey", "password"]),
        response: RegisterCustomerResponse,
        work: async (session) => {
          await assertAgent(ofTenant, agentId, session);
          await ofTenant.insertUser(user, session);
          await ofTenant.notePersonalAnswer(userId, scope, session);
          return { customer: customerToWire(user) };
        },
      });
    },

    async getCustomer(request, call) {
      const found = await store.forTenant(call.tenantId).findCustomer(customerKeyOf(request));
      if (found === null) throw new Refusal("CUSTOMER_NOT_FOUND", "there is no such customer");
      // The services look up the other side of a payment too, and decide about it themselves.
      if (call.caller === "gateway") await assertMaySee(store, requireUser(call), found);
      return { customer: customerToWire(found) };
    },

    async getCustomers({ customerIds, customerCodes }, call) {
      if (customerIds.length + customerCodes.length > maxCustomers) {
        throw invalidInput("customerIds", `must name at most ${maxCustomers} customers with customerCodes`);
      }
      const codes = customerCodes.map(codeFromWire);
      const found = await store.forTenant(call.tenantId).findCustomers(customerIds, codes);
      return { customers: found.map(customerToWire) };
    },

    async listManagedCustomers(request, call) {
      const { after, limit } = pageOf(request);
      if (call.caller === "gateway") requireUser(call);
      const agentId = managingAgent(call.user, request.agentId);
      const { preference } = await tenantOf(store, call.tenantId);
      const everybody = preference.agentScope === "TENANT";
      const found = await store
        .forTenant(call.tenantId)
        .listCustomers(everybody ? undefined : agentId, { after, limit: limit + 1 });
      const page = found.slice(0, limit);
      const nextPageToken = found.length > limit ? page.at(-1)!.customer.id : "";
      return { customers: page.map(customerToWire), nextPageToken };
    },

    async noteCustomerStatus({ customerId, status: given, sequence, at }, call) {
      const status = customerStatuses.find((one) => one === given);
      if (status === undefined) throw invalidInput("status", `must be one of ${customerStatuses.join(", ")}`);
      if (sequence < 1) throw invalidInput("sequence", "must be at least 1");
      const standing = { status, sequence, at: at ?? clock.now() };
      if (!(await store.forTenant(call.tenantId).noteStanding(customerId, standing))) {
        throw new Refusal("CUSTOMER_NOT_FOUND", "there is no such customer");
      }
      return {};
    },

    async assignCustomer({ customerId, agentId }, call) {
      if (call.caller === "gateway") requireUser(call);
      const { tenantId, interactionId } = call;
      const ofTenant = store.forTenant(tenantId);
      const assigned = agentId === "" ? undefined : agentId;
      const found = await inTransaction(
        db,
        async (session) => {
          await assertAgent(ofTenant, assigned, session);
          const customer = await ofTenant.assignCustomer(customerId, assigned, session);
          if (customer === null) throw new Refusal("CUSTOMER_NOT_FOUND", "there is no such customer");
          const reason = agentId === "" ? "to nobody" : `to ${agentId}`;
          const noted = { at: clock.now(), actor: actorOf(call), action: "customer.assign", subject: customer._id };
          await ofTenant.noteAudit({ ...noted, reason, interactionId }, session);
          return customer;
        },
        {
          readBack: async () => {
            const customer = await ofTenant.findCustomer({ customerId });
            return customer?.customer.agentId === assigned && customer !== null ? customer : undefined;
          },
        },
      );
      return { customer: customerToWire(found) };
    },
  };
}

/** Who creates users here: the user of the call, or the operator's credential. */
function creatorOf(call: Call): Creator {
  if (call.user === undefined && call.caller === "operator") return "operator";
  return requireUser(call).role;
}

function parseStaff(request: CreateStaffUserRequest): Pick<UserRecord, "email" | "emailKey" | "name"> {
  const faults = createFaults();
  checkKey(request.idempotencyKey, faults);
  const email = faults.of(() => parseEmail(request.email));
  faults.of(() => parseNewPassword(request.password, request.email.trim()));
  const name = faults.of(() => parseName(request.name, "name"));
  faults.refuseIfAny();
  return { email: email!, emailKey: emailKey(email!), name: name! };
}

/** What a customer is registered with. Refuses INVALID_INPUT with every fault. */
export function parseRegistration(request: Omit<RegisterCustomerRequest, "agentId" | "passwordForOneSignIn">) {
  const faults = createFaults();
  checkKey(request.idempotencyKey, faults);
  const email = faults.of(() => parseEmail(request.email));
  faults.of(() => parseNewPassword(request.password, request.email.trim()));
  const firstName = faults.of(() => parseName(request.firstName, "firstName"));
  const lastName = faults.of(() => parseName(request.lastName, "lastName"));
  const phoneNumber = faults.of(() => parsePhoneNumber(request.phoneNumber));
  const country = faults.of(() => toAlpha3(request.country, "country"));
  const code = request.customerCode === "" ? undefined : faults.of(() => parseCustomerCode(request.customerCode));
  faults.refuseIfAny();
  const customer = { firstName: firstName!, lastName: lastName!, phoneNumber: phoneNumber!, country: country!, code };
  return { email: email!, customer };
}

/** A code that no customer of the tenant has. */
export async function freeCode(ofTenant: TenantStore): Promise<string> {
  for (;;) {
    const code = makeCustomerCode((below) => randomInt(below));
    if ((await ofTenant.findCustomer({ customerCode: code })) === null) return code;
  }
}

async function assertAgent(ofTenant: TenantStore, agentId: string | undefined, session: ClientSession): Promise<void> {
  if (agentId === undefined) return;
  const agent = await ofTenant.findUser(agentId, session);
  if (agent?.role !== "AGENT") throw invalidInput("agentId", "must be the user id of an AGENT");
}

const maxCustomers = 100;

const codeFromWire = (code: string): string => code.trim().toUpperCase();

function customerKeyOf({ customerId, customerCode, userId, phoneNumber }: GetCustomerRequest): CustomerKey {
  if (phoneNumber) return { phoneNumber: parsePhoneNumber(phoneNumber) };
  if (customerId) return { customerId };
  if (customerCode) return { customerCode: codeFromWire(customerCode) };
  if (userId) return { userId };
  throw invalidInput("by", "must name a customer by id, code, user id or phone number");
}

/** A customer sees themself; an AGENT the customers they manage, or all where the tenant says so; other staff sees all. */
async function assertMaySee(store: IdentityStore, user: UserPrincipal, found: CustomerRecord): Promise<void> {
  const { role, userId } = user;
  if (role === "MANAGER" || role === "CASHIER" || found._id === userId) return;
  if (role === "AGENT") {
    if (found.customer.agentId === userId) return;
    if ((await tenantOf(store, user.tenantId)).preference.agentScope === "TENANT") return;
  }
  throw new Refusal("FORBIDDEN", "this is another person's customer record");
}

/** The agent whose customers are asked for; undefined where a MANAGER asks for all of the tenant. */
function managingAgent(user: UserPrincipal | undefined, asked: string): string | undefined {
  const agentId = asked === "" && user?.role === "AGENT" ? user.userId : asked;
  if (agentId === "" && user?.role === "MANAGER") return undefined;
  if (agentId === "") throw invalidInput("agentId", "is required");
  if (user?.role === "AGENT" && agentId !== user.userId) {
    throw new Refusal("FORBIDDEN", "these are the customers of another agent");
  }
  return agentId;
}
