import { z } from "zod";
import type { Beneficiary as WireBeneficiary } from "../../proto/gen/remittance/v1/remittance.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import type { Role } from "../../services/shared/grpc/context.js";
import { route } from "../route.js";
import { instant } from "../schema.js";
import { absentIfEmpty, enumName, timeText } from "../wire.js";
import { v6 } from "./base.js";

const readers: readonly Role[] = ["MANAGER", "AGENT", "CUSTOMER"];

const Beneficiary = z
  .object({
    name: z.string(),
    country: z.string(),
    accountNumber: z.string(),
    id: z.string(),
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
    createdAt: instant,
  })
  .meta({ id: "Beneficiary" });

/** §4.14 */
export const findAllBeneficiaries = route({
  method: "get",
  path: `${v6}/usermanagement/find-all-beneficiery`,
  operationId: "findAllBeneficiaries",
  tag: "Beneficiaries",
  summary: "List saved recipients: one's own, those of managed customers, or all of the tenant",
  access: readers,
  answer: z.array(Beneficiary),
  message: "Beneficiaries",
  example: { as: "amina@demo.example" },
  run: async ({ call, clients }) => {
    const { beneficiaries } = await clients.remittance.listBeneficiaries({}, outgoing(call));
    return beneficiaries.map(beneficiaryFromWire);
  },
});

function beneficiaryFromWire(beneficiary: WireBeneficiary): z.output<typeof Beneficiary> {
  return {
    name: beneficiary.name,
    country: beneficiary.country,
    accountNumber: beneficiary.accountNumber,
    id: beneficiary.beneficiaryId,
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
    createdAt: timeText(beneficiary.createdAt, "beneficiary.created_at"),
  };
}
