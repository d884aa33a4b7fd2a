import { z } from "zod";
import { networkOf } from "../../services/kernel/text/client-network.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { countryIn, instant, maybe, text } from "../schema.js";
import { filled, timeText } from "../wire.js";
import { staffRoles, v6 } from "./base.js";
import { Customer, customerFromWire } from "./people-wire.js";
import { detailsIn, detailsToWire } from "./personal-details.js";

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
export const registerCustomer = route({
  method: "post",
  path: `${base}/register-customer`,
  operationId: "registerCustomer",
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
  run: async ({ body, headers, call, clients }) => {
    const request = { ...body, details: detailsToWire(body), idempotencyKey: headers["x-idempotency-key"] ?? "" };
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
  run: async ({ body, headers, call, clients }) => {
    const idempotencyKey = headers["x-idempotency-key"] ?? "";
    const request = { ...body, details: detailsToWire(body), idempotencyKey, ipAddress: networkOf(call.clientIp) };
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
