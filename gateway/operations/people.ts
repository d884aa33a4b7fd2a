import { z } from "zod";
import { operation } from "../operation.js";
import { countryIn, dateIn, maybe, text, sizeOf } from "../schema.js";
import { everyRole, staffRoles, v6 } from "../route.js";
import { detailsFields, detailsIn, Customer, messageChannels, Profile } from "../shapes/people.js";
import { FoundCustomer, SoughtDocument } from "../shapes/found-customers.js";
import { proofFields, proofIn } from "../shapes/second-factors.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";

const base = `${v6}/usermanagement`;

export const readProfile = operation({
  method: "get",
  path: `${base}/profile`,
  tag: "People",
  summary: "Read one's own profile",
  access: everyRole,
  scopes: ["profile:read"],
  answer: Profile,
  message: "Profile",
  example: { as: "amina@demo.example" },
  rpc: "identity.getProfile",
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

export const updateProfile = operation({
  method: "put",
  path: `${base}/update-profile`,
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
  rpc: "identity.updateProfile",
  fields: { ...detailsFields, ...proofIn },
});

export const confirmContactChange = operation({
  method: "post",
  path: `${base}/confirm-contact-change`,
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
  rpc: "identity.confirmContactChange",
  fields: proofIn,
});

export const updateUser = operation({
  method: "put",
  path: `${base}/users/:userId`,
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
    // Without a phone number: it would wait for its owner's code, and the example of that
    // is of one whom nobody changes.
    body: {
      placeOfBirth: { city: "Lagos", country: "NGA" },
      address: { lines: ["12 Marina"], city: "Lagos", region: "Lagos", postalCode: "101241", country: "NGA" },
    },
    from: { "params.userId": "listCustomers data.customers.0.userId" },
  },
  rpc: "identity.updateProfile",
  fields: detailsFields,
});

export const listCustomers = operation({
  method: "get",
  path: `${base}/customers`,
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
  answer: z.object({ customers: z.array(Customer), cursor: leaf.nextCursor.optional() }),
  message: "Customers",
  renames: { pageSize: "query.size" },
  example: { as: "manager@demo.example", sandbox: true },
  rpc: "identity.listManagedCustomers",
  fields: { size: { field: "pageSize", absent: "100" }, cursor: "pageToken" },
  answerFields: { cursor: "nextPageToken" },
});

/** Ours: who stands at the desk. One customer by what they say of themselves, never a list. */
export const findCustomer = operation({
  method: "post",
  path: `${base}/find-customer`,
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
  rpc: "identity.getCustomer",
  fields: {
    customerCode: { field: "customerCode", absent: "" },
    phoneNumber: { field: "phoneNumber", absent: "" },
  },
});

/** Ours: who stands at the desk, by what they say of themselves, of which no address tells. */
export const findCustomers = operation({
  method: "post",
  path: `${base}/customers/find`,
  tag: "People",
  summary: "Find customers by a name that may be misspelt, phone number, document or code, the likeliest first",
  access: staffRoles,
  scopes: ["users:read", "customers:read", "payments:process"],
  body: z
    .object({
      name: maybe(text(70)).meta({
        description: "Whole or a part, in any order and script, misspelt too.",
        examples: ["Amina Belo"],
      }),
      phone: maybe(text(40)).meta({
        description: 'International, with "00", or as one of the organisation\'s countries dials it.',
      }),
      document: maybe(SoughtDocument),
      customerCode: maybe(text(64)),
      dateOfBirth: maybe(dateIn),
      country: maybe(countryIn),
    })
    .meta({
      id: "CustomersSought",
      description: "A name, phone, document or customerCode is required; dateOfBirth and country rank what is found.",
    }),
  answer: z.object({
    customers: z.array(FoundCustomer).max(20),
    cut: z.boolean().meta({ description: "There may be more who are as likely: ask for a day of birth or a number." }),
  }),
  message: "Customers found",
  example: { as: "cashier@demo.example", body: { name: "Amina Belo", dateOfBirth: "1990-05-17" } },
  rpc: "identity.findCustomers",
  answerFields: { cut: "isCut" },
});

export const readCustomer = operation({
  method: "get",
  path: `${base}/customers/:customerId`,
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
  rpc: "identity.getCustomer",
});

export const assignCustomer = operation({
  method: "post",
  path: `${base}/customers/:customerId/assign`,
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
  rpc: "identity.assignCustomer",
});
