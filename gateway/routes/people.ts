import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { maybe, text } from "../schema.js";
import { absentIfEmpty, filled } from "../wire.js";
import { everyRole, staffRoles, v6 } from "./base.js";
import { sizeOf } from "./cursor-pages.js";
import { detailsIn, detailsToWire } from "./personal-details.js";
import { Customer, customerFromWire, messageChannels, Profile, profileFromWire } from "./people-wire.js";
import { proofFields, proofOf } from "./proof.js";

const base = `${v6}/usermanagement`;

export const readProfile = route({
  method: "get",
  path: `${base}/profile`,
  operationId: "readProfile",
  tag: "People",
  summary: "Read one's own profile",
  access: everyRole,
  scopes: ["profile:read"],
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
  messagePreference: maybe(
    z.object({
      channel: maybe(z.enum(messageChannels)).meta({
        description: "How one is told what becomes of one's money; security messages come whatever it says.",
      }),
      language: maybe(text(8)).meta({ description: "ISO 639, such as en.", examples: ["en"] }),
    }),
  ).meta({ description: "Of a customer; what is left out stays." }),
  ...detailsIn,
};

/** As the service takes it: empty where it stays. */
function preferenceToWire({ messagePreference: chosen }: { messagePreference?: ChosenPreference | undefined }) {
  if (chosen === undefined) return {};
  const { channel = "", language = "" } = chosen;
  return { messagePreference: { channel, language } };
}

interface ChosenPreference {
  channel?: (typeof messageChannels)[number] | undefined;
  language?: string | undefined;
}

export const updateProfile = route({
  method: "put",
  path: `${base}/update-profile`,
  operationId: "updateProfile",
  tag: "People",
  summary: "Change one's own profile; e-mail address and phone number with the password and something enrolled",
  access: everyRole,
  peopleOnly: "contacts",
  body: z.object({ ...profileChange, password: maybe(text(1024, 0)), ...proofFields }).meta({
    id: "ProfileChange",
    description: "Personal details are given where there are none yet: what is on file is changed by staff.",
  }),
  answer: Profile,
  message: "Profile changed",
  example: {
    as: "amina@demo.example",
    sandbox: true,
    body: { phoneNumber: "+2348099999999", password: "Demo-Amina-1", currentOtp: "123456" },
    answers: 403,
  },
  run: async ({ body, call, clients }) => {
    const request = { ...body, ...preferenceToWire(body), details: detailsToWire(body), proof: proofOf(body) };
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
  peopleOnly: "contacts",
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
  peopleOnly: "contacts",
  params: z.object({ userId: text(64) }),
  body: z
    .object(profileChange)
    .meta({ id: "UserChange", description: "What is left out stays; address and documents are replaced whole." }),
  answer: Profile,
  message: "User changed",
  example: {
    as: "manager@demo.example",
    sandbox: true,
    params: { userId: "0199d0c2-0000-7000-8000-000000000001" },
    // Without a phone number: it would wait for its owner's code, and the example of that is of one whom nobody changes.
    body: {
      placeOfBirth: "Lagos",
      address: { lines: ["12 Marina"], city: "Lagos", region: "Lagos", postalCode: "101241", country: "NGA" },
    },
    from: { "params.userId": "listCustomers data.customers.0.userId" },
  },
  run: async ({ params, body, call, clients }) => {
    const request = { ...body, ...preferenceToWire(body), details: detailsToWire(body), userId: params.userId };
    return profileFromWire((await clients.identity.updateProfile(request, outgoing(call))).profile);
  },
});

export const listCustomers = route({
  method: "get",
  path: `${base}/customers`,
  operationId: "listCustomers",
  tag: "People",
  summary: "List and search customers: those one manages, or all of the organisation",
  access: ["MANAGER", "AGENT"],
  scopes: ["users:read", "customers:read"],
  query: z.object({
    agentId: text(64).optional(),
    search: text(100)
      .optional()
      .meta({
        description:
          "Beginnings of words of name, e-mail address and customer code, in any order and without regard to case and accents; or a whole phone number.",
        examples: ["amina bel"],
      }),
    status: z.enum(["PENDING", "CONFIRMED", "BLOCKED"]).optional(),
    size: sizeOf(100),
    cursor: text(64).optional(),
  }),
  answer: z.object({ customers: z.array(Customer), cursor: z.string().optional() }),
  message: "Customers",
  renames: { pageSize: "query.size" },
  example: { as: "manager@demo.example", sandbox: true },
  run: async ({ query, call, clients }) => {
    const { agentId = "", search = "", status = "", size, cursor = "" } = query;
    const request = { agentId, search, status, pageToken: cursor, pageSize: Number(size ?? 100) };
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
  scopes: ["users:read", "customers:read", "payments:process"],
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
  scopes: ["users:read", "customers:read", "profile:read"],
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
  scopes: ["users:write"],
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
