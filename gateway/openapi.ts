import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi";
import { Refusal, refusalTable, type RefusalCode } from "../services/shared/refusal.js";
import { failureOf } from "./failure.js";
import { addAnswerExamples, addParameterExamples, documentedPath } from "./openapi-examples.js";
import type { Route } from "./route.js";

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
      "of a limit, minimum and maximum of an amount that is out of them.",
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
  404: { description: "Unknown, or another tenant's", codes: ["NOT_FOUND", "TENANT_NOT_FOUND"] },
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
  503: { description: "A service is away (with Retry-After)", codes: ["UNAVAILABLE"] },
  504: { description: "The deadline of 10 seconds passed", codes: ["DEADLINE_EXCEEDED"] },
};

// What Node answers before there is a request has none of our headers.
const beforeHeaders = new Set([400, 408, 431]);

const headers = {
  InteractionId: {
    description: "The caller's, or the one that was made for this request.",
    schema: { type: "string" },
  },
  Replayed: { description: "true when this answer was given before.", schema: { type: "string", pattern: "^true$" } },
  RateLimitLimit: {
    description: "Requests a minute of the limit that is nearest to its end.",
    schema: { type: "string", pattern: "^[0-9]+$" },
  },
  RateLimitRemaining: { description: "What is left of it.", schema: { type: "string", pattern: "^[0-9]+$" } },
  RateLimitReset: { description: "Seconds until it begins anew.", schema: { type: "string", pattern: "^[0-9]+$" } },
  RetryAfter: { description: "Seconds after which to try again.", schema: { type: "string", pattern: "^[0-9]+$" } },
  WwwAuthenticate: { description: "Bearer", schema: { type: "string" } },
  Allow: { description: "Methods of this path.", schema: { type: "string" } },
} as const;

function headerRefs(names: Partial<Record<string, keyof typeof headers>>) {
  return Object.fromEntries(
    Object.entries(names).map(([name, key]) => [name, { $ref: `#/components/headers/${key}` }]),
  );
}

const everyAnswer = {
  "x-fapi-interaction-id": "InteractionId",
  "RateLimit-Limit": "RateLimitLimit",
  "RateLimit-Remaining": "RateLimitRemaining",
  "RateLimit-Reset": "RateLimitReset",
} as const;

/** The OpenAPI 3.1 document of the routes. */
export function openApiDocument(routes: readonly Route[]) {
  const document = createDocument({
    openapi: "3.1.0",
    info: {
      title: "Manilla",
      version: "6",
      description:
        "Remittance, wallets and the compliance around them. Amounts are exact decimals: where a field is a number, " +
        "read it as decimal text, not as a floating-point number. Unknown fields are ignored, save near misses of " +
        "known names, which are refused with the right spelling. Every answer carries x-fapi-interaction-id.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      { url: "/", description: "The tenant's own host" },
      { url: "/sandbox", description: "The tenant's sandbox, with users, tokens and data of its own" },
    ],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    components: {
      headers,
      responses: failureResponses(),
      securitySchemes: {
        authToken: { type: "apiKey", in: "header", name: "X-Auth-Token" },
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      },
    },
    paths: pathsOf(routes),
  });
  addParameterExamples(document, routes);
  addAnswerExamples(document, routes);
  return document;
}

function pathsOf(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    for (const [index, path] of [route.path, ...(route.aliases ?? [])].entries()) {
      const documented = documentedPath(path);
      const operationId = index === 0 ? route.operationId : `${route.operationId}Alias${index}`;
      paths[documented] = {
        ...paths[documented],
        [route.method]: { ...operationOf(route, index === 0 ? linksFrom(routes, route) : {}), operationId },
      };
    }
  }
  return paths;
}

function operationOf(route: Route, links: Links): ZodOpenApiOperationObject {
  const { params, query, body, example } = route;
  const replayable = isReplayable(route) && ({ "Idempotency-Replayed": "Replayed" } as const);
  return {
    tags: [route.tag],
    summary: route.summary,
    description: descriptionOf(route),
    security: securityOf(route),
    ...(route.sandboxOnly && { servers: [{ url: "/sandbox", description: "The tenant's sandbox, and nowhere else" }] }),
    requestParams: { header: route.headers, ...(params && { path: params }), ...(query && { query }) },
    ...(body && {
      requestBody: {
        required: !route.bodyOptional,
        content: { "application/json": { schema: body, ...(example?.body && { example: example.body }) } },
      },
    }),
    responses: {
      "200": {
        description: route.message,
        headers: headerRefs({ ...everyAnswer, ...replayable }),
        content: contentOf(route),
        ...(Object.keys(links).length > 0 && { links }),
      },
      ...(route.waits === true && {
        "202": {
          description: "The outcome waits for somebody",
          headers: headerRefs({ ...everyAnswer, ...replayable }),
          content: { "application/json": { schema: route.bare ? route.answer : envelope(route.answer) } },
        },
      }),
      ...failuresOf(route),
    },
  };
}

function contentOf({ file, files = [], bare, answer }: Route): NonNullable<ZodOpenApiResponseObject["content"]> {
  const binary = { schema: { type: "string", format: "binary" } as const };
  if (file !== undefined) return { [file]: binary };
  return {
    "application/json": { schema: bare ? answer : envelope(answer) },
    ...Object.fromEntries(files.map((type) => [type, binary])),
  };
}

function descriptionOf({ access, example }: Route): string {
  const roles = typeof access === "string" ? "No token is needed." : `Roles: ${access.join(", ")}.`;
  const taken = Object.entries(example?.from ?? {}).map(([member, source]) => {
    const [operationId = "", path = ""] = source.split(" ");
    return `${member} is ${path} of what ${operationId} answers`;
  });
  const where = example?.sandbox ? " below /sandbox" : "";
  const sender = example?.as === undefined ? "" : ` The example is sent by ${example.as}${where}`;
  if (!sender && taken.length === 0) return roles;
  return `${roles}${sender || " In the example"}${taken.length > 0 ? `${sender ? "; " : " "}${taken.join("; ")}` : ""}.`;
}

type Links = NonNullable<ZodOpenApiResponseObject["links"]>;

/** Where members of other operations' examples come from this one's answer. */
function linksFrom(routes: readonly Route[], source: Route): Links {
  const links: Links = {};
  for (const { operationId, example } of routes) {
    const members = Object.entries(example?.from ?? {}).filter(([, from]) => from.startsWith(`${source.operationId} `));
    if (members.length === 0) continue;
    const parameters: Record<string, string> = {};
    const requestBody: Record<string, string> = {};
    for (const [member, from] of members) {
      const [place = "", name = ""] = member.split(/\.(.*)/s);
      const expression = `$response.body#/${from.slice(source.operationId.length + 1).replaceAll(".", "/")}`;
      if (place === "body") requestBody[name] = expression;
      else parameters[`${place === "params" ? "path" : place === "headers" ? "header" : place}.${name}`] = expression;
    }
    links[operationId] = {
      operationId,
      ...(Object.keys(parameters).length > 0 && { parameters }),
      ...(Object.keys(requestBody).length > 0 && { requestBody }),
    };
  }
  return links;
}

function securityOf({ access }: Route): Record<string, string[]>[] {
  if (access === "anyone") return [];
  const either = [{ authToken: [] }, { bearer: [] }];
  return access === "expired-token" ? [...either, {}] : either;
}

function envelope(answer: z.ZodType): z.ZodType {
  return z.object({ status: z.literal("SUCCESS"), data: answer, message: z.string() });
}

function isReplayable({ headers: { shape }, method }: Route): boolean {
  return method !== "get" && "x-idempotency-key" in shape;
}

function failuresOf(route: Route): Record<`${4 | 5}${string}`, object> {
  const without = new Set<number>();
  if (!route.body) for (const status of [413, 415]) without.add(status);
  if (route.method === "get") {
    // Nothing to conflict with, save where the example itself shows that a rule may refuse.
    for (const status of [409, 422] as const) if (route.example?.answers !== status) without.add(status);
    if (route.refusable) for (const status of [409, 422]) without.delete(status);
  }
  const described = Object.keys(failures).filter((status) => !without.has(Number(status)));
  return Object.fromEntries(described.map((status) => [status, { $ref: `#/components/responses/Failure${status}` }]));
}

/** One for each status: no operation fails in a way of its own. */
function failureResponses(): Record<string, ZodOpenApiResponseObject> {
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
