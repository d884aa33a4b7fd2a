import { z } from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { refusalTable } from "../services/shared/refusal.js";
import type { Route } from "./route.js";

const code = z.string().meta({
  description: "Stable; says more than the status.",
  examples: Object.keys(refusalTable).slice(0, 3),
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
  })
  .meta({ id: "AccessFailure" });

const Failure = z
  .object({
    status: z.literal("FAILED"),
    message: z.string(),
    code,
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: "Failure" });

const failures: Record<number, string> = {
  400: "Bad input, or a required header is missing",
  401: "No valid token",
  403: "Not allowed, another user's data, or a wrong or missing password, OTP or PIN",
  404: "Unknown, or another tenant's",
  409: "Conflict with the state, or a request with this key is still running (with Retry-After)",
  413: "The body is larger than 256 kB",
  414: "The URL is too long",
  415: "The body is not application/json",
  422: "A rule refuses it, or the key was used for another request",
  500: "A fault on our side",
  503: "A service is away (with Retry-After)",
  504: "The deadline of 10 seconds passed",
};

/** The OpenAPI 3.1 document of the routes. */
export function openApiDocument(routes: readonly Route[]) {
  return createDocument({
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
    servers: [{ url: "/", description: "The tenant's own host" }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    components: {
      securitySchemes: {
        authToken: { type: "apiKey", in: "header", name: "X-Auth-Token" },
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      },
    },
    paths: pathsOf(routes),
  });
}

function pathsOf(routes: readonly Route[]): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    for (const [index, path] of [route.path, ...(route.aliases ?? [])].entries()) {
      const documented = path.replaceAll(/:(\w+)/g, "{$1}");
      const operationId = index === 0 ? route.operationId : `${route.operationId}Alias${index}`;
      paths[documented] = { ...paths[documented], [route.method]: { ...operationOf(route), operationId } };
    }
  }
  return paths;
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const { params, query, body } = route;
  return {
    tags: [route.tag],
    summary: route.summary,
    ...(Array.isArray(route.access) && { description: `Roles: ${route.access.join(", ")}.` }),
    security: securityOf(route),
    requestParams: { header: route.headers, ...(params && { path: params }), ...(query && { query }) },
    ...(body && {
      requestBody: { required: !route.bodyOptional, content: { "application/json": { schema: body } } },
    }),
    responses: {
      "200": {
        description: route.message,
        headers: answerHeaders(route),
        content: { "application/json": { schema: route.bare ? route.answer : envelope(route.answer) } },
      },
      ...failuresOf(route),
    },
  };
}

function securityOf({ access }: Route): Record<string, string[]>[] {
  if (access === "anyone") return [];
  const either = [{ authToken: [] }, { bearer: [] }];
  return access === "expired-token" ? [...either, {}] : either;
}

function envelope(answer: z.ZodType): z.ZodType {
  return z.object({ status: z.literal("SUCCESS"), data: answer, message: z.string() });
}

function answerHeaders({ headers, method }: Route): z.ZodObject {
  const replayable = method !== "get" && "x-idempotency-key" in headers.shape;
  return z.object({
    "x-fapi-interaction-id": z.string(),
    ...(replayable && {
      "Idempotency-Replayed": z.string().optional().meta({ description: "true when this answer was given before." }),
    }),
  });
}

function failuresOf(route: Route): Record<`${4 | 5}${string}`, object> {
  const without = new Set<number>();
  if (!route.body) for (const status of [415]) without.add(status);
  if (route.method === "get") for (const status of [409, 422]) without.add(status);
  const described = Object.entries(failures).filter(([status]) => !without.has(Number(status)));
  return Object.fromEntries(
    described.map(([status, description]) => [
      status,
      {
        description,
        content: { "application/json": { schema: status === "401" || status === "403" ? AccessFailure : Failure } },
      },
    ]),
  );
}
