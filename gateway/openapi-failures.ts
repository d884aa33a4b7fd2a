import { z } from "zod";
import { type ZodOpenApiResponseObject } from "zod-openapi";
import { Refusal, refusalTable, type RefusalCode } from "../services/kernel/refusal.js";
import { failureOf } from "./failure.js";
import type { Route } from "./route.js";
import { everyAnswer, headerRefs } from "./openapi-headers.js";

const code = z.string().meta({
  id: "Code",
  description: `Stable; says more than the status. One of ${Object.keys(refusalTable).join(", ")}; more may be added.`,
});

const figures = z
  .record(z.string(), z.string())
  .optional()
  .meta({
    description:
      "Figures that explain the refusal, amounts as decimal text: available and asked of INSUFFICIENT_FUNDS, limit and spent " +
      "of a limit, minimum and maximum of an amount that is out of them; payeeCheckId, validUntil and, of a close match, " +
      "accountName of a payee check.",
    examples: [{ available: "12.00", asked: "20.00", currency: "USD" }],
  });

const AccessFailure = z
  .object({
    error: z.string(),
    message: z.string(),
    role: z
      .enum(["MANAGER", "AGENT", "CASHIER", "CUSTOMER"])
      .nullable()
      .meta({ description: "The caller's, or null." }),
    status: z.literal("FAILED"),
    code,
    figures,
  })
  .meta({ id: "AccessFailure" });

const Failure = z
  .object({
    status: z.literal("FAILED"),
    message: z.string(),
    code,
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    figures,
  })
  .meta({ id: "Failure" });

const failures: Record<number, { description: string; codes: readonly RefusalCode[] }> = {
  400: { description: "Bad input, or a required header is missing", codes: ["INVALID_INPUT", "HEADER_REQUIRED"] },
  401: { description: "No valid token", codes: ["UNAUTHENTICATED", "TOKEN_EXPIRED", "TOKEN_REVOKED"] },
  403: {
    description: "Not allowed, another user's data, or a wrong or missing password, OTP or PIN",
    codes: ["FORBIDDEN"],
  },
  404: {
    description: "Unknown, another tenant's, or of a service that this system runs without",
    codes: ["NOT_FOUND", "TENANT_NOT_FOUND", "SERVICE_NOT_INSTALLED"],
  },
  405: { description: "The path does not answer this method (with Allow)", codes: ["METHOD_NOT_ALLOWED"] },
  408: { description: "The request did not arrive in time", codes: ["REQUEST_TIMEOUT"] },
  409: {
    description: "Conflict with the state, or a request with this key is still running (with Retry-After)",
    codes: ["STATE_CONFLICT", "IDEMPOTENCY_IN_FLIGHT"],
  },
  413: { description: "The body is larger than 256 kB", codes: ["BODY_TOO_LARGE"] },
  414: { description: "The URL is too long", codes: ["URI_TOO_LONG"] },
  415: { description: "The body is not application/json", codes: ["MEDIA_TYPE"] },
  422: {
    description: "A rule refuses it, or the key was used for another request",
    codes: ["IDEMPOTENCY_KEY_REUSED", "INSUFFICIENT_FUNDS"],
  },
  429: { description: "Too many requests (with Retry-After)", codes: ["RATE_LIMITED"] },
  431: { description: "URL and headers together are too large", codes: ["HEADERS_TOO_LARGE"] },
  500: { description: "A fault on our side", codes: ["INTERNAL"] },
  503: {
    description: "A service is away, more is asked than can be done in time, or a disk is full (with Retry-After)",
    codes: ["UNAVAILABLE", "OVERLOADED", "STORAGE_FULL"],
  },
  504: { description: "The deadline of 10 seconds passed", codes: ["DEADLINE_EXCEEDED"] },
};

// An answer that Node gives before there is a request has none of our headers.
const beforeHeaders = new Set([400, 408, 431]);

export function failuresOf(route: Route): Record<`${4 | 5}${string}`, object> {
  const without = new Set<number>();
  if (!route.body) for (const status of [413, 415]) without.add(status);
  if (route.method === "get") {
    // A read conflicts with nothing, unless its example shows that a rule may refuse it.
    for (const status of [409, 422] as const) if (route.example?.answers !== status) without.add(status);
    if (route.refusable) for (const status of [409, 422]) without.delete(status);
  }
  const described = Object.keys(failures).filter((status) => !without.has(Number(status)));
  return Object.fromEntries(described.map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]));
}

/** One for each status: no operation fails in a way of its own. */
export function failureResponses(): Record<string, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    Object.keys(failures).map((status) => [`Failure${status}`, failureResponse(Number(status))]),
  );
}

function failureResponse(status: number): ZodOpenApiResponseObject {
  const { description, codes } = failures[status]!;
  return {
    description,
    headers: headerRefs({
      ...(!beforeHeaders.has(status) && everyAnswer),
      ...((status === 409 || status === 422) && { "Idempotency-Replayed": "Replayed" }),
      ...([429, 503].includes(status) && { "Retry-After": "RetryAfter" }),
      ...(status === 401 && { "WWW-Authenticate": "WwwAuthenticate" }),
      ...(status === 405 && { Allow: "Allow" }),
    }),
    content: {
      "application/json": {
        schema: status === 401 || status === 403 ? AccessFailure : Failure,
        examples: Object.fromEntries(codes.map((each) => [each, { value: exampleOf(each) }])),
      },
    },
  };
}

/** As the edge answers it. */
function exampleOf(refused: RefusalCode): unknown {
  const messages: Partial<Record<RefusalCode, string>> = {
    INVALID_INPUT: "sendAmount must be a decimal string or a number, such as 25 or 25.00, without sign and exponent",
    HEADER_REQUIRED: "header x-idempotency-key is required",
    FORBIDDEN: "a MANAGER may not call this operation",
    IDEMPOTENCY_IN_FLIGHT: "a request with this key is still running",
    IDEMPOTENCY_KEY_REUSED: "this key was used for another request",
    INSUFFICIENT_FUNDS: "the wallet's balance is too low",
    RATE_LIMITED: "there are too many requests by this user: at most 1200 a minute",
  };
  const path = refused === "INVALID_INPUT" ? "sendAmount" : "headers.x-idempotency-key";
  const faulty = refused === "INVALID_INPUT" || refused === "HEADER_REQUIRED";
  const message = messages[refused] ?? refused.toLowerCase().replaceAll("_", " ");
  const explained = refused === "INSUFFICIENT_FUNDS" && { available: "12.00", asked: "20.00", currency: "USD" };
  const details = { ...(faulty && { errors: [{ path, message }] }), ...(explained && { figures: explained }) };
  const { body } = failureOf(new Refusal(refused, message, details));
  return JSON.parse(body) as unknown;
}
