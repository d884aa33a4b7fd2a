import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { readerOf } from "../codec.js";
import { FileAnswer } from "../file-answer.js";
import { operation } from "../operation.js";
import { everyRole, route } from "../route.js";
import { isToApprove } from "../schema.js";
import {
  ChangedDisclosureTemplate,
  Disclosure,
  disclosurePath,
  DisclosurePreviewRequest,
  disclosureQuery,
  DisclosureTemplate,
  DisclosureTemplateRequest,
  draftOf,
} from "../shapes/disclosures.js";
import { base, quotePath, quotingRoles, transactionPath } from "./transactions.js";

const disclosureOf = readerOf(Disclosure);
const files = ["application/pdf"];
const tag = "Disclosures";
const manager = "manager@demo.example";

interface Made {
  disclosure?: object | undefined;
  pdf: Uint8Array;
}

function answerOf({ disclosure, pdf }: Made, asPdf: boolean, name: string): z.output<typeof Disclosure> | FileAnswer {
  return asPdf ? new FileAnswer(`${name}.pdf`, Buffer.from(pdf), "application/pdf") : disclosureOf(disclosure);
}

/** Ours. */
const readQuoteDisclosure = route({
  method: "get",
  path: `${base}/quotes/:quoteId/disclosure`,
  tag,
  summary: "Read what the sender is told of a quote before the payment, as JSON or as a PDF",
  access: quotingRoles,
  scopes: ["quotes:request", "transactions:create"],
  sdk: { name: "readQuote" },
  params: quotePath,
  query: disclosureQuery,
  files,
  answer: Disclosure,
  message: "Disclosure",
  example: {
    as: "amina@demo.example",
    params: { quoteId: "the-id-of-a-quote" },
    from: { "params.quoteId": "createQuote data.id" },
  },
  renames: { quoteId: "path.quoteId", language: "query.language" },
  run: async ({ params, query, call, clients }) => {
    const [asPdf, { language = "" }] = [query.format === "pdf", query];
    const made = await clients.remittance.getQuoteDisclosure({ ...params, language, asPdf }, outgoing(call));
    return answerOf(made, asPdf, "disclosure");
  },
});

/** Ours. */
const readTransactionDisclosure = route({
  method: "get",
  path: `${base}/transactions/:transactionId/disclosure`,
  tag,
  summary: "Read what the sender is told of a transaction before the payment, as JSON or as a PDF",
  access: everyRole,
  scopes: ["transactions:read", "transactions:read:own", "receipts:print"],
  sdk: { name: "readTransaction" },
  params: transactionPath,
  query: disclosureQuery,
  files,
  answer: Disclosure,
  message: "Disclosure",
  example: {
    as: "amina@demo.example",
    params: { transactionId: "the-id-of-a-transaction" },
    from: { "params.transactionId": "createTransaction data.id" },
  },
  renames: { transactionId: "path.transactionId", language: "query.language" },
  run: async ({ params, query, call, clients }) => {
    const [asPdf, { language = "" }] = [query.format === "pdf", query];
    const made = await clients.remittance.getTransactionDisclosure({ ...params, language, asPdf }, outgoing(call));
    return answerOf(made, asPdf, `disclosure-${made.transactionCode}`);
  },
});

const listDisclosureTemplates = operation({
  method: "get",
  path: `${base}/disclosure-templates`,
  tag,
  summary: "List what the organisation says on disclosures, profile by profile, with the shipped texts",
  access: ["MANAGER"],
  scopes: ["reports:read", "settings:write"],
  sdk: { name: "listTemplates" },
  answer: z.array(DisclosureTemplate),
  message: "Disclosure templates",
  example: { as: manager },
  rpc: "remittance.listDisclosureTemplates",
  gives: "templates",
});

const putDisclosureTemplate = operation({
  method: "put",
  path: `${base}/disclosure-templates/:profile`,
  tag,
  summary: "Replace what the organisation says on disclosures; another manager approves it",
  access: ["MANAGER"],
  peopleOnly: "words",
  sdk: { name: "putTemplate" },
  params: disclosurePath,
  body: DisclosureTemplateRequest,
  answer: ChangedDisclosureTemplate,
  message: "Disclosure template",
  waits: "Change waits for another manager",
  example: {
    as: manager,
    answers: 202,
    params: { profile: "UK_FTR" },
    body: { version: 0, operator: { phone: "+1 800 555 0100", website: "bank.example" } },
  },
  renames: { template: "body" },
  rpc: "remittance.putDisclosureTemplate",
  asks: ({ params: { profile }, body: { reason = "", ...draft } }) => ({
    template: { ...draftOf(draft), profile },
    reason,
  }),
  isWaiting: isToApprove,
});

const previewDisclosureTemplate = route({
  method: "post",
  path: `${base}/disclosure-templates/:profile/preview`,
  tag,
  summary: "See a draft of a template with the figures of an example, as JSON or as a PDF",
  access: ["MANAGER"],
  scopes: ["settings:write"],
  sdk: { name: "previewTemplate" },
  params: disclosurePath,
  query: disclosureQuery.pick({ format: true }),
  body: DisclosurePreviewRequest,
  files,
  answer: Disclosure,
  message: "Preview",
  example: {
    as: manager,
    params: { profile: "US_BSA" },
    body: { version: 0, operator: { phone: "+1 800 555 0100" }, language: "en" },
  },
  renames: { template: "body" },
  run: async ({ params: { profile }, query, body, call, clients }) => {
    const asPdf = query.format === "pdf";
    const { kind = "PREPAYMENT", language = "", ...draft } = body;
    const template = { ...draftOf(draft), profile };
    const made = await clients.remittance.previewDisclosureTemplate(
      { template, kind, language, asPdf },
      outgoing(call),
    );
    return answerOf(made, asPdf, `disclosure-${profile}`);
  },
});

export const disclosureRoutes = {
  readQuoteDisclosure,
  readTransactionDisclosure,
  listDisclosureTemplates,
  putDisclosureTemplate,
  previewDisclosureTemplate,
};
