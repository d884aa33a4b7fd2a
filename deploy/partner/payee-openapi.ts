import type { ZodOpenApiOperationObject } from "zod-openapi";
import { payeeAnswerShape, payeeChecksPath, payeeCheckShape } from "../../services/platform/plugins/payee-contract.js";
import { payeeHttp } from "../../services/platform/plugins/types/payee-http.js";
import { account, always, answer, body, contractOf } from "./payout-openapi.js";

const check: ZodOpenApiOperationObject = {
  operationId: "checkPayee",
  summary: "Whether an account is a payee's, before anybody sends money there",
  description:
    "Asked while a sender waits: without an answer within 3 s the order goes on, and says so. An unknown field is ignored.",
  requestParams: { header: account },
  requestBody: body(payeeCheckShape),
  responses: { "200": answer("What is said of it.", payeeAnswerShape), ...always },
};

/** What a partner of the type payee-http answers, and what it is asked, as OpenAPI 3.1. */
export const payeeContract = () =>
  contractOf(payeeHttp, {
    side: "what Manilla asks of who knows whether an account is a payee's",
    certify: "certify --kind payee-check",
    url: "https://payees.example",
    paths: { [payeeChecksPath]: { post: check } },
  });
