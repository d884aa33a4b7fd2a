import { z } from "zod";
import type { Beneficiary as WireBeneficiary } from "../../proto/gen/remittance/v1/remittance.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import type { Role } from "../../services/kernel/grpc/context.js";
import { route } from "../route.js";
import { countryIn, currencyCode, instant, maybe, text } from "../schema.js";
import { absentIfEmpty, enumName, filled, timeText } from "../wire.js";
import { answerNothing, v6 } from "./base.js";
import { beneficiariesAnswer } from "./contract-answers.js";
import {
  recipientDetailsFromWire,
  recipientDetailsIn,
  recipientDetailsOut,
  recipientDetailsToWire,
} from "./recipient-details.js";
import { deliveryMethods } from "../../services/platform/events/shapes/transaction-shape.js";

const readers: readonly Role[] = ["MANAGER", "AGENT", "CUSTOMER"];

const Beneficiary = z
  .object({
    name: z.string(),
    country: z.string(),
    accountNumber: z.string(),
    id: z.string(),
    customerId: z.string().meta({ description: "Whose recipient it is." }),
    code: z.string().meta({ description: "Used as preExistingRecipientCustomerCode." }),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    bankName: z.string().optional(),
    bankCode: z.string().optional(),
    swiftBic: z.string().optional(),
    mobileOperator: z.string().optional(),
    mobileNumber: z.string().optional(),
    currency: z.string(),
    deliveryMethods: z.array(z.string()),
    creditParty: z.array(z.object({ key: z.string(), value: z.string() })),
    relationship: z.string().optional(),
    ...recipientDetailsOut,
    createdAt: instant,
  })
  .meta({ id: "Beneficiary" });

/** §4.14 */
export const findAllBeneficiaries = route({
  method: "get",
  path: `${v6}/usermanagement/find-all-beneficiery`,
  operationId: "findAllBeneficiaries",
  contract: true,
  tag: "Beneficiaries",
  summary: "List saved recipients: one's own, those of managed customers, or all of the tenant",
  access: readers,
  scopes: ["beneficiaries:manage", "beneficiaries:read"],
  answer: z.array(Beneficiary),
  message: "Beneficiaries",
  example: { as: "amina@demo.example", answer: beneficiariesAnswer },
  run: async ({ call, clients }) => {
    const { beneficiaries } = await clients.remittance.listBeneficiaries({}, outgoing(call));
    return beneficiaries.map(beneficiaryFromWire);
  },
});

const ownerRoles: readonly Role[] = ["MANAGER", "CUSTOMER"];
const base = `${v6}/usermanagement/beneficiaries`;

const content = {
  firstName: maybe(text(100, 0)),
  lastName: maybe(text(100, 0)).meta({ description: "A first or a last name is required." }),
  country: countryIn,
  currency: currencyCode,
  deliveryMethods: z.array(z.enum(deliveryMethods)).min(1).max(4),
  creditParty: z
    .array(z.object({ key: text(64), value: text(256, 0) }))
    .max(50)
    .meta({ description: "Account details as in create-transaction, checked by the rules of the country." }),
  relationship: maybe(text(100, 0)),
  ...recipientDetailsIn,
};

const NewBeneficiary = z
  .object({
    ...content,
    code: maybe(text(40)).meta({ description: "Made when absent; unique in the organisation." }),
    customerId: maybe(text(128)).meta({ description: "Whose recipient it is; a manager names them." }),
  })
  .meta({ id: "NewBeneficiary" });

const BeneficiaryChange = z.object(content).meta({
  id: "BeneficiaryChange",
  description:
    "All of it is replaced; personal data may be repeated as it was shown. Where none of kind, dateOfBirth, nationality and " +
    "address is given, these four stay as they are; one that is given replaces them all.",
});

const codePath = z.object({ code: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, "is not a code") });
const renames = { idempotencyKey: "headers.x-idempotency-key" };
const exampleContent = {
  firstName: "Tolu",
  lastName: "Adeyemi",
  country: "NGA",
  currency: "NGN",
  deliveryMethods: ["ACCOUNTPAYMENT"],
  creditParty: [
    { key: "bankname", value: "First Bank of Nigeria" },
    { key: "bankaccountno", value: "0000014579" },
    { key: "accountholdername", value: "Tolu Adeyemi" },
    { key: "bankcode", value: "011" },
  ],
  kind: "PERSON",
  dateOfBirth: "1988-03-14",
  nationality: "NGA",
};

/** Ours. */
export const createBeneficiary = route({
  method: "post",
  path: base,
  operationId: "createBeneficiary",
  tag: "Beneficiaries",
  summary: "Save a recipient",
  access: ownerRoles,
  scopes: ["beneficiaries:manage", "settings:write"],
  headers: { idempotencyKey: "required" },
  body: NewBeneficiary,
  answer: Beneficiary,
  message: "Beneficiary saved",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "beneficiary-2026-0042" },
    body: exampleContent,
  },
  renames,
  run: async ({ body, headers, call, clients }) => {
    const { code = "", customerId = "" } = body;
    const request = { ...contentToWire(body), code, customerId };
    const idempotencyKey = headers["x-idempotency-key"] ?? "";
    const answer = await clients.remittance.createBeneficiary(
      { ...request, idempotencyKey },
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    return beneficiaryFromWire(filled(answer.beneficiary, "beneficiary"));
  },
});

/** Ours. */
export const changeBeneficiary = route({
  method: "put",
  path: `${base}/:code`,
  operationId: "changeBeneficiary",
  tag: "Beneficiaries",
  summary: "Change a recipient",
  access: ownerRoles,
  scopes: ["beneficiaries:manage", "settings:write"],
  headers: { idempotencyKey: "required" },
  params: codePath,
  body: BeneficiaryChange,
  answer: Beneficiary,
  message: "Beneficiary changed",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "beneficiary-2026-0043" },
    params: { code: "B-AMINA-TOLU" },
    body: { ...exampleContent, relationship: "COUSIN" },
    from: { "params.code": "createBeneficiary data.code" },
  },
  renames,
  run: async ({ params, body, headers, call, clients }) => {
    const request = { ...contentToWire(body), code: params.code };
    const idempotencyKey = headers["x-idempotency-key"] ?? "";
    const answer = await clients.remittance.changeBeneficiary(
      { ...request, idempotencyKey },
      outgoing(call, { onReplayed: call.markReplayed }),
    );
    return beneficiaryFromWire(filled(answer.beneficiary, "beneficiary"));
  },
});

/** Ours. */
export const removeBeneficiary = route({
  method: "post",
  path: `${base}/:code/remove`,
  operationId: "removeBeneficiary",
  tag: "Beneficiaries",
  summary: "Remove a recipient; nothing is sent to it any more, and its code stays taken",
  access: ownerRoles,
  scopes: ["beneficiaries:manage", "settings:write"],
  headers: { idempotencyKey: "required" },
  params: codePath,
  answer: z.object({}),
  message: "Beneficiary removed",
  example: {
    as: "amina@demo.example",
    headers: { "x-idempotency-key": "beneficiary-2026-0044" },
    params: { code: "B-AMINA-TOLU" },
    from: { "params.code": "createBeneficiary data.code" },
  },
  renames,
  run: async ({ params, headers, call, clients }) =>
    answerNothing(
      clients.remittance.removeBeneficiary(
        { code: params.code, idempotencyKey: headers["x-idempotency-key"] ?? "" },
        outgoing(call, { onReplayed: call.markReplayed }),
      ),
    ),
});

export const beneficiaryRoutes = [findAllBeneficiaries, createBeneficiary, changeBeneficiary, removeBeneficiary];

function contentToWire(body: z.output<typeof BeneficiaryChange>) {
  const { firstName = "", lastName = "", country, currency, creditParty, relationship = "" } = body;
  const methods = body.deliveryMethods.map((method) => `DELIVERY_METHOD_${method}` as const);
  const details = recipientDetailsToWire(body);
  return { firstName, lastName, country, currency, creditParty, relationship, deliveryMethods: methods, details };
}

function beneficiaryFromWire(beneficiary: WireBeneficiary): z.output<typeof Beneficiary> {
  return {
    name: beneficiary.name,
    country: beneficiary.country,
    accountNumber: beneficiary.accountNumber,
    id: beneficiary.beneficiaryId,
    customerId: beneficiary.customerId,
    code: beneficiary.code,
    firstName: absentIfEmpty(beneficiary.firstName),
    lastName: absentIfEmpty(beneficiary.lastName),
    bankName: absentIfEmpty(beneficiary.bankName),
    bankCode: absentIfEmpty(beneficiary.bankCode),
    swiftBic: absentIfEmpty(beneficiary.swiftBic),
    mobileOperator: absentIfEmpty(beneficiary.mobileOperator),
    mobileNumber: absentIfEmpty(beneficiary.mobileNumber),
    currency: beneficiary.currency,
    deliveryMethods: beneficiary.deliveryMethods.map((method) => enumName(method, "DELIVERY_METHOD_")),
    creditParty: beneficiary.creditParty.map(({ key, value }) => ({ key, value })),
    relationship: absentIfEmpty(beneficiary.relationship),
    ...recipientDetailsFromWire(beneficiary.details),
    createdAt: timeText(beneficiary.createdAt, "beneficiary.created_at"),
  };
}
