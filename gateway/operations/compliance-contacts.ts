import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { text } from "../schema.js";
import { requirementStates, stateOf } from "../../services/platform/events/shapes/customer-compliance-shape.js";
import { base } from "./compliance-customers.js";

const Confirmed = z
  .object({ requirement: z.string(), status: z.enum(requirementStates) })
  .meta({ id: "ConfirmedContact" });

/** Ours: where the link of the mail leads. */
export const confirmEmail = route({
  method: "get",
  path: `${base}/confirm-email`,
  operationId: "confirmEmail",
  tag: "Compliance",
  summary: "Confirm an e-mail address by the link that was sent to it",
  access: "anyone",
  sdk: { isUsedUp: true },
  query: z.object({ token: text(256) }),
  answer: Confirmed,
  message: "E-mail address confirmed",
  example: { query: { token: "of-the-link" }, answers: 422 },
  run: async ({ query, call, clients }) => confirmedFrom(clients.compliance.confirmContact(query, outgoing(call))),
});

/** Ours */
export const confirmPhone = route({
  method: "post",
  path: `${base}/confirm-phone`,
  operationId: "confirmPhone",
  tag: "Compliance",
  summary: "Confirm one's phone number by the code that was sent to it: five tries, ten minutes",
  access: ["CUSTOMER"],
  peopleOnly: "codes",
  body: z.object({ code: text(16) }).meta({ id: "ConfirmPhoneRequest" }),
  answer: Confirmed,
  message: "Phone number confirmed",
  example: { as: "kofi@demo.example", body: { code: "123456" }, answers: 422 },
  run: async ({ body, call, clients }) => confirmedFrom(clients.compliance.confirmContact(body, outgoing(call))),
});

async function confirmedFrom(work: Promise<{ requirement: string; state: string }>) {
  const { requirement, state } = await work;
  return { requirement, status: stateOf(state) };
}
