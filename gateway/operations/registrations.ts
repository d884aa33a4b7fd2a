import { z } from "zod";
import { networkOf } from "../../services/kernel/text/client-network.js";
import { operation } from "../operation.js";
import { type EdgeCall, staffRoles, v6 } from "../route.js";
import { countryIn, instant, maybe, text } from "../schema.js";
import { Customer, detailsFields, detailsIn, DocumentIn } from "../shapes/people.js";

/** Of whoever registers, for the throttle. */
const network = ({ clientIp }: EdgeCall) => ({ ipAddress: networkOf(clientIp) });
const base = `${v6}/usermanagement`;

const registrationFields = {
  email: text(320),
  password: text(1024),
  firstName: text(200),
  lastName: text(200),
  phoneNumber: maybe(text(40, 0)),
  country: countryIn,
  ...detailsIn,
};

/** Ours, usermanagement */
export const registerCustomer = operation({
  method: "post",
  path: `${base}/register-customer`,
  tag: "People",
  summary: "Register a customer, who can then log in",
  access: staffRoles,
  scopes: ["users:write", "customers:verify", "customers:register"],
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
      dateOfBirth: "1994-02-11",
      nationality: "NGA",
      address: { lines: ["4 Awolowo Road", "Ikoyi"], city: "Lagos", postalCode: "101233", country: "NGA" },
      identityDocuments: [{ type: "PASSPORT", number: "B01234567", country: "NGA", expiresAt: "2031-03-04" }],
    },
  },
  rpc: "identity.registerCustomer",
  fields: detailsFields,
});

/** Ours: a person for themself, where the organisation allows it. */
export const registerOneself = operation({
  method: "post",
  path: `${base}/register`,
  tag: "People",
  summary:
    "Register oneself as a customer: a code goes to the e-mail address, and the answer is the same for a known one",
  access: "anyone",
  sdk: { name: "register" },
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
  rpc: "identity.beginRegistration",
  fields: detailsFields,
  adds: network,
  isWaiting: () => true,
});

export const confirmRegistration = operation({
  method: "post",
  path: `${base}/confirm-registration`,
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
  rpc: "identity.confirmRegistration",
  adds: network,
});

const counter = `${base}/counter/customers`;
const ofCustomer = z.object({ customerCode: text(64) });

/** Ours: whoever stands at the counter, with or without an e-mail address. */
export const registerAtCounter = operation({
  method: "post",
  path: counter,
  tag: "People",
  summary: "Register a customer at the counter, without a password; AGENTs where the organisation lets them sell there",
  access: ["CASHIER", "AGENT"],
  scopes: ["customers:verify", "customers:register"],
  sdk: { answer: "customer" },
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      firstName: text(200),
      lastName: text(200),
      phoneNumber: maybe(text(40, 0)).meta({ description: "International, or as the customer's country dials it." }),
      email: maybe(text(320, 0)).meta({ description: "Counts once the code that is sent there was entered." }),
      country: countryIn,
      ...detailsIn,
      identityDocuments: detailsIn.identityDocuments.meta({ description: "Those that were seen, as they say." }),
      notDuplicates: maybe(z.array(text(64)).max(50)).meta({
        description: "Customer codes that a refusal POSSIBLE_DUPLICATE named, each of whom is somebody else.",
      }),
    })
    .meta({ id: "CounterRegistration" }),
  answer: Customer,
  message: "Customer registered",
  example: {
    as: "cashier@demo.example",
    sandbox: true,
    headers: { "x-idempotency-key": "efua-1" },
    body: {
      firstName: "Efua",
      lastName: "Quartey",
      country: "GHA",
      phoneNumber: "020 123 4567",
      dateOfBirth: "1988-07-01",
      address: { lines: ["7 Ring Road"], city: "Accra", country: "GHA" },
      identityDocuments: [{ type: "PASSPORT", number: "G01234567", country: "GHA", expiresAt: "2031-03-04" }],
    },
  },
  rpc: "identity.registerAtCounter",
  fields: detailsFields,
});

export const noteSeenDocument = operation({
  method: "post",
  path: `${counter}/:customerCode/documents`,
  tag: "People",
  summary: "Keep that a customer's document was seen at the counter",
  access: ["CASHIER", "AGENT"],
  scopes: ["customers:verify", "customers:register"],
  params: ofCustomer,
  body: z.object({ document: DocumentIn }).meta({ id: "SeenDocument" }),
  answer: Customer,
  message: "Document seen",
  example: {
    as: "cashier@demo.example",
    sandbox: true,
    params: { customerCode: "no-such-customer" },
    body: { document: { type: "PASSPORT", number: "A01234567", country: "NGA", expiresAt: "2031-03-04" } },
    answers: 404,
  },
  rpc: "identity.noteSeenDocument",
});

export const confirmCounterContact = operation({
  method: "post",
  path: `${counter}/:customerCode/confirm-contact`,
  tag: "People",
  summary: "Make a contact of a customer without a log-in count by the code that they read at the counter",
  access: ["CASHIER", "AGENT"],
  peopleOnly: "contacts",
  params: ofCustomer,
  body: z
    .object({ type: z.enum(["EMAIL", "PHONE_NUMBER"]), code: text(16) })
    .meta({ id: "CounterContactConfirmation" }),
  answer: Customer,
  message: "Contact confirmed",
  example: {
    as: "cashier@demo.example",
    sandbox: true,
    params: { customerCode: "no-such-customer" },
    body: { type: "EMAIL", code: "123456" },
    answers: 404,
  },
  rpc: "identity.confirmCounterContact",
});
