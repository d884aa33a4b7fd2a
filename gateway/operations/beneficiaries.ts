import { z } from "zod";
import * as counterWire from "../../proto/gen/remittance/v1/counter.js";
import type { Role } from "../../services/kernel/grpc/context.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import { shape } from "../codec.js";
import { operation } from "../operation.js";
import { v6 } from "../route.js";
import { cursorQuery, instant, text } from "../schema.js";
import { Beneficiary, BeneficiaryChange, detailsFields, NewBeneficiary } from "../shapes/beneficiaries.js";

const readers: readonly Role[] = ["MANAGER", "AGENT", "CUSTOMER"];

/** §4.14 */
export const findAllBeneficiaries = operation({
  method: "get",
  path: `${v6}/usermanagement/find-all-beneficiery`,
  contract: true,
  tag: "Beneficiaries",
  summary: "List saved recipients: one's own, those of managed customers, or all of the tenant",
  access: readers,
  scopes: ["beneficiaries:manage", "beneficiaries:read"],
  answer: z.array(Beneficiary),
  message: "Beneficiaries",
  example: {
    as: "amina@demo.example",
    answer: [
      {
        swiftBic: undefined,
        mobileOperator: undefined,
        mobileNumber: undefined,
        address: undefined,
        id: "0199d0c2-de95-75e2-a768-79a590c3a237",
        creditParty: [
          { key: "bankname", value: "First Bank of Nigeria" },
          {},
          { key: "accountholdername", value: "Chidi Okafor" },
          { key: "bankcode", value: "011" },
        ],
        dateOfBirth: "1988-09-02",
      },
    ],
  },
  rpc: "remittance.listBeneficiaries",
});

const ownerRoles: readonly Role[] = ["MANAGER", "CUSTOMER"];
const base = `${v6}/usermanagement/beneficiaries`;

const codePath = z.object({ code: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, "is not a code") });
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
export const createBeneficiary = operation({
  method: "post",
  path: base,
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
  rpc: "remittance.createBeneficiary",
  fields: detailsFields,
});

/** Ours. */
export const changeBeneficiary = operation({
  method: "put",
  path: `${base}/:code`,
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
  rpc: "remittance.changeBeneficiary",
  fields: detailsFields,
});

/** Ours. */
export const removeBeneficiary = operation({
  method: "post",
  path: `${base}/:code/remove`,
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
  rpc: "remittance.removeBeneficiary",
});

const desk = `${v6}/transactionmanagement/counter/customers/:customerCode/recipients`;
const senderPath = z.object({ customerCode: text(128) });
const sender = { customerCode: "C-AMINA" };

const deskRoles: readonly Role[] = ["CASHIER", "AGENT"];

/** Ours: at a desk. */
const listRecipientsAtDesk = operation({
  method: "get",
  path: desk,
  tag: "Beneficiaries",
  summary: "List the saved recipients of a sender at the desk; who looked at whose is kept",
  access: deskRoles,
  scopes: ["cash:handle"],
  inPerson: ["AGENT"],
  params: senderPath,
  answer: z.array(Beneficiary),
  message: "Recipients of the sender",
  example: { as: "cashier@demo.example", params: sender },
  rpc: "remittance.listBeneficiaries",
});

const saveRecipientAtDesk = operation({
  method: "post",
  path: desk,
  tag: "Beneficiaries",
  summary: "Save a recipient of a sender at the desk; who saved whose is kept",
  access: deskRoles,
  peopleOnly: "destinations",
  headers: { idempotencyKey: "required" },
  params: senderPath,
  body: NewBeneficiary.omit({ customerId: true }).meta({ id: "NewRecipientAtDesk" }),
  answer: Beneficiary,
  message: "Recipient saved",
  example: {
    as: "cashier@demo.example",
    headers: { "x-idempotency-key": "recipient-2026-0042" },
    params: sender,
    body: exampleContent,
  },
  rpc: "remittance.createBeneficiary",
  fields: detailsFields,
});

const listRecipientLooks = operation({
  method: "get",
  path: `${desk}/looks`,
  tag: "Beneficiaries",
  summary: "List who read or saved a sender's recipients at a desk, the newest first",
  access: ["MANAGER"],
  scopes: ["reports:read"],
  params: senderPath,
  query: cursorQuery,
  answer: z.object({
    looks: z.array(
      shape(
        counterWire.RecipientLook,
        z
          .object({
            lookId: z.string(),
            by: z.string().meta({ description: "User id." }),
            role: z.enum(["CASHIER", "AGENT"]),
            what: z.enum(["READ", "SAVED"]),
            code: z.string().optional().meta({ description: "Of the recipient that was saved." }),
            at: instant,
            interactionId: leaf.interactionId,
          })
          .meta({ id: "RecipientLook" }),
      ),
    ),
    nextCursor: leaf.nextCursor.optional(),
  }),
  message: "Looks at recipients",
  example: { as: "manager@demo.example", params: sender },
  rpc: "remittance.listRecipientLooks",
});

export const beneficiaryRoutes = {
  findAllBeneficiaries,
  createBeneficiary,
  changeBeneficiary,
  removeBeneficiary,
  listRecipientsAtDesk,
  saveRecipientAtDesk,
  listRecipientLooks,
};
