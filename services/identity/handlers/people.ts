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
import type { Clock } from "../../shared/clock.js";
import { toAlpha3 } from "../../shared/countries.js";
import { actorOf, requireUser, type Call, type UserPrincipal } from "../../shared/grpc/context.js";
import type { Handlers } from "../../shared/grpc/server.js";
import { fingerprintOf, runIdempotent, type Idempotency } from "../../shared/idempotency/index.js";
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
} from "../domain/people.js";
import { agentOfNewCustomer, assertMayCreate, type Creator } from "../domain/roles.js";
import type { PasswordHasher } from "../passwords.js";
import type { CustomerDocument, UserDocument } from "../store/documents.js";
import type { CustomerKey, IdentityStore, TenantStore } from "../store/store.js";
import { customerToWire, staffRoleFromWire, userToWire } from "../wire.js";
import { tenantOf } from "./tenants.js";

type PeopleRpcs = "createStaffUser" | "registerCustomer" | "getCustomer" | "listManagedCustomers";
const largestPage = 1_000;

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

    async registerCustomer(request, call) {
      const creator = creatorOf(call);
      assertMayCreate(creator, "CUSTOMER");
      const agentId = agentOfNewCustomer(creator, actorOf(call), request.agentId);
      const { email, customer } = parseRegistration(request);
      await tenantOf(store, call.tenantId);
      const ofTenant = store.forTenant(call.tenantId);
      const user = {
        _id: uuidv7(),
        email,
        emailKey: emailKey(email),
        name: `${customer.firstName} ${customer.lastName}`,
        role: "CUSTOMER" as const,
        passwordHash: await hasher.hash(request.password, call.signal),
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
        scope: scopeOf(call, "registerCustomer", request.idempotencyKey),
        fingerprint: fingerprintOf(RegisterCustomerRequest, request, ["idempotencyKey", "password"]),
        response: RegisterCustomerResponse,
        work: async (session) => {
          await assertAgent(ofTenant, agentId, session);
          await ofTenant.insertUser(user, session);
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

    async listManagedCustomers(request, call) {
      const { pageSize, pageToken } = request;
      if (pageSize < 0 || pageSize > largestPage) throw invalidInput("pageSize", `must be 1 to ${largestPage}`);
      const limit = pageSize === 0 ? largestPage : pageSize;
      if (call.caller === "gateway") requireUser(call);
      const agentId = managingAgent(call.user, request.agentId);
      const { preference } = await tenantOf(store, call.tenantId);
      const everybody = preference.agentScope === "TENANT";
      const found = await store
        .forTenant(call.tenantId)
        .listCustomers(everybody ? undefined : agentId, { after: pageToken, limit: limit + 1 });
      const page = found.slice(0, limit);
      const nextPageToken = found.length > limit ? page.at(-1)!.customer.id : "";
      return { customers: page.map(customerToWire), nextPageToken };
    },
  };
}

/** Who creates users here: the user of the call, or the operator's credential. */
function creatorOf(call: Call): Creator {
  if (call.user === undefined && call.caller === "operator") return "operator";
  return requireUser(call).role;
}

function parseStaff(request: CreateStaffUserRequest): Pick<UserDocument, "email" | "emailKey" | "name"> {
  const faults = createFaults();
  checkKey(request.idempotencyKey, faults);
  const email = faults.of(() => parseEmail(request.email));
  faults.of(() => parseNewPassword(request.password, request.email.trim()));
  const name = faults.of(() => parseName(request.name, "name"));
  faults.refuseIfAny();
  return { email: email!, emailKey: emailKey(email!), name: name! };
}

function parseRegistration(request: RegisterCustomerRequest) {
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

function checkKey(key: string, faults: ReturnType<typeof createFaults>): void {
  if (key === "" || key.length > 255) faults.add("idempotencyKey", "must have 1 to 255 characters");
}

async function freeCode(ofTenant: TenantStore): Promise<string> {
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

function customerKeyOf({ customerId, customerCode, userId }: GetCustomerRequest): CustomerKey {
  if (customerId) return { customerId };
  if (customerCode) return { customerCode: customerCode.trim().toUpperCase() };
  if (userId) return { userId };
  throw invalidInput("by", "must name a customer by id, code or user id");
}

/** A customer sees themself; an AGENT the customers they manage, or all where the tenant says so; other staff sees all. */
async function assertMaySee(store: IdentityStore, user: UserPrincipal, found: CustomerDocument): Promise<void> {
  const { role, userId } = user;
  if (role === "MANAGER" || role === "CASHIER" || found._id === userId) return;
  if (role === "AGENT") {
    if (found.customer.agentId === userId) return;
    if ((await tenantOf(store, user.tenantId)).preference.agentScope === "TENANT") return;
  }
  throw new Refusal("FORBIDDEN", "this is another person's customer record");
}

function managingAgent(user: UserPrincipal | undefined, asked: string): string {
  const agentId = asked === "" && user?.role === "AGENT" ? user.userId : asked;
  if (agentId === "") throw invalidInput("agentId", "is required");
  if (user?.role === "AGENT" && agentId !== user.userId) {
    throw new Refusal("FORBIDDEN", "these are the customers of another agent");
  }
  return agentId;
}
