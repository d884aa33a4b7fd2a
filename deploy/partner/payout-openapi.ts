import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi";
import {
  amendmentAnswerShape,
  amendmentShape,
  batchShape,
  callbackShape,
  faultShape,
  orderShape,
  payoutShape,
  recordedPayoutShape,
  statementShape,
  windowShape,
} from "../../services/platform/plugins/payout-contract.js";
import type { PluginManifest } from "../../services/platform/plugins/manifest.js";
import { manillaHttp } from "../../services/platform/plugins/types/manilla-http.js";

export const account = z.object({
  "x-account": z.string().meta({ description: "`account` of the configuration, or the organisation's id." }),
});
const byReference = z.object({ reference: z.string().meta({ description: "Ours." }) });
const period = z.object({
  from: z.string().optional().meta({ description: "Inclusive, by ISO 8601." }),
  to: z.string().optional().meta({ description: "Exclusive, by ISO 8601." }),
  cursor: z.string().optional().meta({ description: "Of the page before." }),
  limit: z.int().min(1).max(500).optional(),
});
const signature = z.object({
  "webhook-id": z.string().meta({ description: "The same at every try." }),
  "webhook-timestamp": z
    .string()
    .meta({ description: "Of this try, Unix time in seconds; five minutes away at most." }),
  "webhook-signature": z.string().meta({
    description: "`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body` by `callbackSecret`, by Standard Webhooks.",
  }),
});

export const answer = (description: string, schema: z.ZodType): ZodOpenApiResponseObject => ({
  description,
  content: { "application/json": { schema } },
});
export const body = (schema: z.ZodType) => ({ required: true, content: { "application/json": { schema } } });
const unknownOutcome = { description: "Says nothing about the payout, as no answer: it is asked again." };
export const always = {
  "401": answer("The key is another one.", faultShape),
  "408": unknownOutcome,
  "429": unknownOutcome,
  "5XX": unknownOutcome,
};

const callback: ZodOpenApiOperationObject = {
  summary: "A payout has changed; only a hint, since it is then asked for",
  description: "Sent again until it is taken. An order of a batch names its own callbackUrl.",
  security: [],
  requestParams: { header: signature },
  requestBody: body(callbackShape),
  responses: {
    "2XX": { description: "Taken." },
    "401": { description: "The signature is wrong or too old, or the account is another one." },
    "404": { description: "There is no such plugin." },
  },
};

const submit: ZodOpenApiOperationObject = {
  operationId: "submitPayout",
  summary: "Pay out once for each reference, however often it is asked",
  description: "Record before you answer. An unknown field is ignored.",
  requestParams: { header: account },
  requestBody: body(orderShape),
  responses: {
    "200": answer("The payout, as it is now.", payoutShape),
    "409": answer("The reference stands for another amount, recipient or originator.", faultShape),
    "422": answer("It is not paid, for good: REFUSED.", payoutShape),
    ...always,
  },
  callbacks: { changed: { "{$request.body#/callbackUrl}": { post: callback } } },
};

const find: ZodOpenApiOperationObject = {
  operationId: "findPayout",
  summary: "What became of a payout",
  requestParams: { header: account, path: byReference },
  responses: {
    "200": answer("The payout, as it is now.", recordedPayoutShape),
    "404": answer("It was never recorded, so it may be sent again.", faultShape),
    ...always,
  },
};

const recall: ZodOpenApiOperationObject = {
  operationId: "recallPayout",
  summary: "See to it that a payout is not paid, also one whose order never came",
  requestParams: { header: account, path: byReference },
  responses: {
    "200": answer("RECALLED: it is not paid, now or later.", payoutShape),
    "409": answer("What it has become instead, such as PAID.", payoutShape),
    ...always,
  },
};

const amend: ZodOpenApiOperationObject = {
  operationId: "amendPayout",
  summary: "Contract 2: put right who is paid, where that still can be",
  description: "An amendmentId is one amendment: the same again is answered as it has become.",
  requestParams: { header: account, path: byReference },
  requestBody: body(amendmentShape),
  responses: {
    "200": answer("DONE, or ACCEPTED: it is asked of those who have the money.", amendmentAnswerShape),
    "404": answer("The payout was never recorded.", faultShape),
    "409": answer("The amendmentId stands for another amendment.", faultShape),
    "422": answer("REFUSED: the payout stays as it was.", amendmentAnswerShape),
    ...always,
  },
};

const batch: ZodOpenApiOperationObject = {
  operationId: "submitPayoutBatch",
  summary: "Many orders at once; each counts as if it had come alone",
  requestParams: { header: account },
  requestBody: body(batchShape),
  responses: {
    "200": answer("Taken. What it says is not read: each payout is asked for by its reference.", z.object({})),
    ...always,
  },
};

const statement: ZodOpenApiOperationObject = {
  operationId: "readStatement",
  summary: "What was paid and what came back, in order, a line once",
  requestParams: { header: account, query: period },
  responses: { "200": answer("A page.", statementShape), ...always },
};

const window: ZodOpenApiOperationObject = {
  operationId: "nextWindow",
  summary: "When payouts that wait for a window go out next",
  requestParams: { header: account },
  responses: { "200": answer("The window.", windowShape), ...always },
};

/** What a connector of the type manilla-http answers, and what it is asked, as OpenAPI 3.1. */
export const payoutContract = () =>
  contractOf(manillaHttp, {
    side: "what Manilla asks of a payout connector; what contract 2 alone has says so",
    certify: "certify",
    url: "https://payouts.example",
    paths: {
      "/v1/payouts": { post: submit },
      "/v1/payouts/{reference}": { get: find },
      "/v1/payouts/{reference}/recall": { post: recall },
      "/v1/payouts/{reference}/amendments": { post: amend },
      "/v1/payout-batches": { post: batch },
      "/v1/statement": { get: statement },
      "/v1/window": { get: window },
    },
  });

interface ContractText {
  /** What the document is of, within a sentence. */
  side: string;
  /** How a partner is checked, as the command has it. */
  certify: string;
  url: string;
  paths: ZodOpenApiPathsObject;
}

/** What a partner of a type answers, and what it is asked, as OpenAPI 3.1. */
export function contractOf(
  { title, version }: Pick<PluginManifest, "title" | "version">,
  { side, certify, url, paths }: ContractText,
) {
  const document = createDocument({
    openapi: "3.1.0",
    info: {
      title,
      version,
      description:
        `The partner's side: ${side}. docs/plugins.md explains it, and ` +
        `\`npm run partner -- ${certify}\` checks it. Members may be added at any time, by either side.`,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "{url}", variables: { url: { default: url } } }],
    security: [{ apiKey: [] }],
    components: { securitySchemes: { apiKey: { type: "http", scheme: "bearer" } } },
    paths,
  });
  return JSON.parse(JSON.stringify(document, withoutClosing)) as typeof document;
}

/** Answers may have members beyond those that are named. */
function withoutClosing(key: string, value: unknown): unknown {
  return key === "additionalProperties" && value === false ? undefined : value;
}
