import { z } from "zod";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from "zod-openapi";
import { addAnswerExamples, addParameterExamples, documentedPath } from "./openapi-examples.js";
import { addSnippets } from "./openapi-snippets.js";
import { webhooksOf } from "./openapi-webhooks.js";
import { tagDescriptions } from "./openapi-tags.js";
import { waitingMessage, type Route } from "./route.js";
import { headers, headerRefs, everyAnswer } from "./openapi-headers.js";
import { failuresOf, failureResponses } from "./openapi-failures.js";

/** Where the document is served, the page at /docs puts its own origin in place of it. */
export const ownHost = "https://{host}";
const host = { default: "bank.example", description: "A host name of the tenant." };
const onlyInSandbox = {
  url: `${ownHost}/sandbox`,
  description: "The tenant's sandbox, and nowhere else",
  variables: { host },
};

/** The OpenAPI 3.1 document of the routes. */
export function openApiDocument(routes: readonly Route[]) {
  const { webhooks, components: sent } = webhooksOf();
  const document = createDocument({
    openapi: "3.1.0",
    info: {
      title: "Manilla",
      version: "6",
      description:
        "Remittance, wallets and the compliance around them. Amounts are exact decimals: where a field is a number, " +
        "read it as decimal text, not as a floating-point number. Unknown fields are ignored, save near misses of " +
        "known names, which are refused with the right spelling; an unknown query parameter is refused. Every answer carries x-fapi-interaction-id.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      { url: ownHost, description: "The tenant's own host", variables: { host } },
      {
        url: `${ownHost}/sandbox`,
        description: "The tenant's sandbox, with users, tokens and data of its own",
        variables: { host },
      },
    ],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({
      name,
      description: tagDescriptions[name],
    })),
    components: {
      headers,
      responses: failureResponses(),
      securitySchemes: {
        authToken: { type: "apiKey", in: "header", name: "X-Auth-Token" },
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      },
    },
    paths: pathsOf(routes),
    webhooks,
  });
  // What answers name, too, is theirs.
  document.components = { ...document.components, schemas: { ...sent, ...document.components?.schemas } };
  addParameterExamples(document, routes);
  addAnswerExamples(document, routes);
  addSnippets(document, routes);
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
    ...(route.sandboxOnly && { servers: [onlyInSandbox] }),
    requestParams: { header: offeredHeaders(route), ...(params && { path: params }), ...(query && { query }) },
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
      ...(route.waits !== undefined && {
        "202": {
          description: waitingMessage(route) ?? "The outcome waits for somebody",
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
  const others = Object.fromEntries(files.map((type) => [type, binary]));
  if (file !== undefined) return { [file]: binary, ...others };
  return { "application/json": { schema: bare ? answer : envelope(answer) }, ...others };
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

function isReplayable({ isKeyed, method }: Route): boolean {
  return method !== "get" && isKeyed;
}

/** A key is offered where a repeat under it gets the same answer. */
function offeredHeaders({ headers: all, isKeyed }: Route): Route["headers"] {
  return isKeyed ? all : all.omit({ "x-idempotency-key": true });
}
