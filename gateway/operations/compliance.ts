import { z } from "zod";
import { ContactType } from "../../proto/gen/compliance/v1/compliance.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { requireUser, type UserPrincipal } from "../../services/kernel/grpc/context.js";
import { route } from "../route.js";
import { text } from "../schema.js";
import { filled } from "../wire.js";
import { everyRole, v6 } from "./base.js";
import { CompliancePolicy, policyFromWire } from "./compliance-shapes.js";
import { contactAnswer, policyAnswer } from "./contract-answers.js";

/** §4.2 */
export const listOrganisationCompliancePolicy = route({
  method: "get",
  path: `${v6}/compliance/list-organisation-compliance-policy`,
  operationId: "listOrganisationCompliancePolicy",
  contract: true,
  tag: "Compliance",
  summary: "Read the organisation's identity and transaction rules",
  access: everyRole,
  scopes: ["compliance:read"],
  answer: CompliancePolicy,
  message: "Organisation compliance policy",
  example: { as: "amina@demo.example", answer: policyAnswer },
  run: async ({ call, clients }) => {
    const answer = await clients.compliance.getPolicy({}, outgoing(call));
    const policy = filled(answer.policy, "policy");
    return policyFromWire(policy, isStaff(requireUser(call)));
  },
});

const ContactVerification = z
  .object({
    type: z.enum(["EMAIL", "PHONE_NUMBER"]),
    verified: z.boolean().meta({ description: "Whether the requirement was marked fulfilled." }),
    rawProviderResponse: z.string().meta({ description: "As the verification provider answered." }),
  })
  .meta({ id: "ContactVerification" });

/** §4.4 */
export const verifyContact = route({
  method: "post",
  path: `${v6}/compliance/external-provider/verify-contact`,
  operationId: "verifyContact",
  contract: true,
  tag: "Compliance",
  summary: "Have a customer's e-mail address or phone number verified by the external provider",
  access: ["AGENT"],
  scopes: ["customers:verify", "kyc:perform"],
  query: z.object({
    userId: text(128).meta({ description: "The customer's user id, from register-customer." }),
    type: z.enum(["EMAIL", "PHONE_NUMBER"]),
  }),
  answer: ContactVerification,
  message: "Contact verification",
  example: { as: "agent@demo.example", query: { userId: "somebody-unknown", type: "EMAIL" }, answer: contactAnswer },
  run: async ({ query, call, clients }) => {
    const request = { userId: query.userId, type: ContactType[`CONTACT_TYPE_${query.type}`] };
    const { verified, rawProviderResponse } = await clients.compliance.verifyContact(request, outgoing(call));
    return { type: query.type, verified, rawProviderResponse };
  },
});

function isStaff(user: UserPrincipal): boolean {
  return user.role !== "CUSTOMER";
}
