import { z } from "zod";
import { outgoing } from "../../services/shared/grpc/client.js";
import { route } from "../route.js";
import { networkOf } from "../../services/shared/client-network.js";
import { countryIn, instant, maybe, text } from "../schema.js";
import { absentIfEmpty, filled, timeText } from "../wire.js";
import { everyRole, staffRoles, v6 } from "./base.js";
import { Customer, customerFromWire, Profile, profileFromWire } from "./people-wire.js";
import { proofFields, proofOf } from "./proof.js";

const base = `${v6}/usermanagement`;

const registrationFields = {
  email: text(320),
  password: text(1024),
  firstName: text(200),
  lastName: text(200),
  phoneNumber: maybe(text(40, 0)),
  country: countryIn,
};

/** Ours, usermanagement */
export const registerCustomer = route({
  method: "post",
  path: `${base}/register-customer`,
  operationId: "registerCustomer",
  tag: "People",
  summary: "Register a customer, who can then log in",
  access: staffRoles,
  headers: { idempotencyKey: "required" },
  body: z
    .object({ ...registrationFields, agentId: maybe(text(64, 0)), customerCode: maybe(text(64, 0)) })
    .meta({ id: "CustomerRegistration" }),
  answer: Customer,
  message: "Customer registered",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    headers: { "x-idempotency-key": "zola-1" },
    body: {
      email: "zola@demo.example",
      password: "Demo-Zola-1",
      firstName: "Zola",
      lastName: "Adeyemi",
      phoneNumber: "+2348012345678",
      country: "NGA",
    },
  },
  run: async ({ body, headers, call, clients }) => {
    const request = { ...body, idempotencyKey: headers["x-idempotency-key"] ?? "" };
    const options = outgoing(call, { onReplayed: call.markReplayed });
    const { customer } = await clients.identity.registerCustomer(request, options);
    return customerFromWire(filled(customer, "customer"));
  },
});

/** Ours: a person for themself, where the organisation allows it. */
export const registerOneself = route({
  method: "post",
  path: `${base}/register`,
  operationId: "registerOneself",
  tag: "People",
  summary:
    "Register oneself as a customer: a code goes to the e-mail address, and the answer is the same for a known one",
  access: "anyone",
  headers: { idempotencyKey: "required" },
  body: z.object(registrationFields).meta({ id: "Registration" }),
  waits: true,
  answer: z.object({ registrationId: z.string(), expiresAt: instant }).meta({ id: "RegistrationBegun" }),
  message: "Enter the code that was sent to the e-mail address",
  example: {
    sandbox: true,
    headers: { "x-idempotency-key": "yara-1" },
    body: { email: "yara@demo.example", password: "Demo-Yara-1", firstName: "Yara", lastName: "Bello", country: "NGA" },
    answers: 202,
  },
  run: async ({ body, headers, call, clients }) => {
    const ipAddress = networkOf(call.clientIp);
    const request = { ...body, idempotencyKey: headers["x-idempotency-key"] ?? "", ipAddress };
    const options = outgoing(call, { onReplayed: call.markReplayed });
    const { registrationId, expiresAt } = await clients.identity.beginRegistration(request, options);
    call.markWaiting();
    return { registrationId, expiresAt: timeText(expiresAt, "expires_at") };
  },
});

export const confirmRegistration = route({
  method: "post",
  path: `${base}/confirm-registration`,
  operationId: "confirmRegistration",
  tag: "People",
  summary: "Make the account of a registration by the code that was sent",
  access: "anyone",
  body: z.object({ registrationId: text(64), code: text(16) }).meta({ id: "RegistrationConfirmation" }),
  answer: Customer,
  message: "Registered",
  example: {
    sandbox: true,
    body: { registrationId: "0199d0c2-0000-7000-8000-000000000001", code: "123456" },
    answers: 422,
  },
  run: async ({ body, call, clients }) => {
    const request = { ...body, ipAddress: networkOf(call.clientIp) };
    const { customer } = await clients.identity.confirmRegistration(request, outgoing(call));
    return customerFromWire(filled(customer, "customer"));
  },
});

export const readProfile = route({
  method: "get",
  path: `${base}/profile`,
  operationId: "readProfile",
  tag: "People",
  summary: "Read one's own profile",
  access: everyRole,
  answer: Profile,
  message: "Profile",
  example: { as: "amina@demo.example" },
  run: async ({ call, clients }) => profileFromWire((await clients.identity.getProfile({}, outgoing(call))).profile),
});

const profileChange = {
  name: maybe(text(200)),
  firstName: maybe(text(200)),
  lastName: maybe(text(200)),
  phoneNumber: maybe(text(40, 0)).meta({
    description: "Counts once the code sent there was entered; empty takes it away.",
  }),
  email: maybe(text(320)).meta({ description: "Counts once the code sent there was entered." }),
};

export const updateProfile = route({
  method: "put",
  path: `${base}/update-profile`,
  operationId: "updateProfile",
  tag: "People",
  summary: "Change one's own profile; e-mail address and phone number with the password and something enrolled",
  access: everyRole,
  body: z.object({ ...profileChange, password: maybe(text(1024, 0)), ...proofFields }).meta({ id: "ProfileChange" }),
  answer: Profile,
  message: "Profile changed",
  example: {
    as: "amina@demo.example",
    sandbox: true,
    body: { phoneNumber: "+2348099999999", password: "Demo-Amina-1", currentOtp: "123456" },
    answers: 403,
  },
  run: async ({ body, call, clients }) => {
    const request = { ...body, proof: proofOf(body) };
    return profileFromWire((await clients.identity.updateProfile(request, outgoing(call))).profile);
  },
});

export const confirmContactChange = route({
  method: "post",
  path: `${base}/confirm-contact-change`,
  operationId: "confirmContactChange",
  tag: "People",
  summary: "Make one's new e-mail address or phone number count by the code that was sent there",
  access: everyRole,
  body: z
    .object({
      type: z.enum(["EMAIL", "PHONE_NUMBER"]),
      code: text(16),
      password: maybe(text(1024, 0)).meta({ description: "Where staff began the change, with something enrolled." }),
      ...proofFields,
    })
    .meta({ id: "ContactConfirmation" }),
  answer: Profile,
  message: "Contact changed",
  example: {
    as: "amina@demo.example",
    sandbox: true,
    body: { type: "PHONE_NUMBER", code: "123456" },
    answers: 422,
  },
  run: async ({ body, call, clients }) => {
    const request = { ...body, password: body.password ?? "", proof: proofOf(body) };
    return profileFromWire((await clients.identity.confirmContactChange(request, outgoing(call))).profile);
  },
});

export const updateUser = route({
  method: "put",
  path: `${base}/users/:userId`,
  operationId: "updateUser",
  tag: "People",
  summary: "Change the profile of a user whom one manages",
  access: staffRoles,
  params: z.object({ userId: text(64) }),
  body: z.object(profileChange).meta({ id: "UserChange" }),
  answer: Profile,
  message: "User changed",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    params: { userId: "0199d0c2-0000-7000-8000-000000000001" },
    body: { phoneNumber: "+2348012345678" },
    from: { "params.userId": "listCustomers data.customers.0.userId" },
  },
  run: async ({ params, body, call, clients }) => {
    const request = { ...body, userId: params.userId };
    return profileFromWire((await clients.identity.updateProfile(request, outgoing(call))).profile);
  },
});

export const listCustomers = route({
  method: "get",
  path: `${base}/customers`,
  operationId: "listCustomers",
  tag: "People",
  summary: "List customers: those one manages, or all of the organisation",
  access: ["MANAGER", "AGENT"],
  query: z.object({ agentId: text(64).optional(), cursor: text(64).optional() }),
  answer: z.object({ customers: z.array(Customer), cursor: z.string().optional() }),
  message: "Customers",
  example: { as: "manager@demo.example", sandbox: true },
  run: async ({ query, call, clients }) => {
    const request = { agentId: query.agentId ?? "", pageToken: query.cursor ?? "", pageSize: 100 };
    const { customers, nextPageToken } = await clients.identity.listManagedCustomers(request, outgoing(call));
    return { customers: customers.map(customerFromWire), cursor: absentIfEmpty(nextPageToken) };
  },
});

/** Ours: who stands at the desk. One customer by what they say of themselves, never a list. */
export const findCustomer = route({
  method: "post",
  path: `${base}/find-customer`,
  operationId: "findCustomer",
  tag: "People",
  summary: "Find a customer by their code or phone number",
  access: staffRoles,
  body: z
    .object({ customerCode: maybe(text(64)), phoneNumber: maybe(text(40)) })
    .refine(({ customerCode, phoneNumber }) => (customerCode === undefined) !== (phoneNumber === undefined), {
      path: ["customerCode"],
      error: "or phoneNumber is required, and not both",
    })
    .meta({ id: "CustomerSearch" }),
  answer: Customer,
  message: "Customer",
  example: { as: "cashier@demo.example", body: { customerCode: "C-AMINA" } },
  run: async ({ body, call, clients }) => {
    const { customerCode = "", phoneNumber = "" } = body;
    const { customer } = await clients.identity.getCustomer({ customerCode, phoneNumber }, outgoing(call));
    return customerFromWire(filled(customer, "customer"));
  },
});

export const readCustomer = route({
  method: "get",
  path: `${base}/customers/:customerId`,
  operationId: "readCustomer",
  tag: "People",
  summary: "Read a customer",
  access: everyRole,
  params: z.object({ customerId: text(64) }),
  answer: Customer,
  message: "Customer",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    params: { customerId: "0199d0c2-0000-7000-8000-000000000001" },
    from: { "params.customerId": "listCustomers data.customers.0.customerId" },
  },
  run: async ({ params, call, clients }) => {
    const { customer } = await clients.identity.getCustomer({ customerId: params.customerId }, outgoing(call));
    return customerFromWire(filled(customer, "customer"));
  },
});

export const assignCustomer = route({
  method: "post",
  path: `${base}/customers/:customerId/assign`,
  operationId: "assignCustomer",
  tag: "People",
  summary: "Put a customer under an AGENT, or under nobody",
  access: ["MANAGER"],
  params: z.object({ customerId: text(64) }),
  body: z.object({ agentId: maybe(text(64, 0)) }).meta({ id: "Assignment" }),
  answer: Customer,
  message: "Customer assigned",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    params: { customerId: "0199d0c2-0000-7000-8000-000000000001" },
    body: { agentId: "" },
    from: { "params.customerId": "listCustomers data.customers.0.customerId" },
  },
  run: async ({ params, body, call, clients }) => {
    const request = { customerId: params.customerId, agentId: body.agentId ?? "" };
    return customerFromWire(
      filled((await clients.identity.assignCustomer(request, outgoing(call))).customer, "customer"),
    );
  },
});
