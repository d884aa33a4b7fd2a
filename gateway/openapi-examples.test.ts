import { z } from "zod";
import { Ajv2020 } from "ajv/dist/2020.js";
import { formats } from "../test/support/answer-check.js";
import { shippedThreshold } from "../services/compliance/lists/domain/matcher/index.js";
import { exampleOf, withOwn } from "./examples.js";
import { exampleAnswer } from "./openapi-examples.js";
import { openApiDocument } from "./openapi.js";
import { routes } from "./operations/index.js";
import { decimalText, instant, shown } from "./schema.js";
import { date } from "../services/platform/events/shapes/schema.js";

// oxlint-disable-next-line typescript/no-explicit-any -- a JSON document
const document: any = JSON.parse(JSON.stringify(openApiDocument(routes)));
const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
ajv.addSchema(document, "doc");

interface Shown {
  name: string;
  pointer: readonly string[];
  examples: unknown[];
}

/** Every answer with a JSON body, where its schema stands and what is shown of it. */
const answers: Shown[] = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations as object).flatMap(([method, operation]) =>
    Object.entries(operation.responses as Record<string, any>)
      .filter(([, response]) => response.content?.["application/json"] !== undefined)
      .map(([status, { content }]) => ({
        name: `${operation.operationId} ${status}`,
        pointer: ["paths", path, method, "responses", status, "content", "application/json", "schema"],
        examples: [content["application/json"].example],
      })),
  ),
);
const failures: Shown[] = Object.entries(document.components.responses as Record<string, any>).map(
  ([name, { content }]) => ({
    name,
    pointer: ["components", "responses", name, "content", "application/json", "schema"],
    examples: Object.values(content["application/json"].examples as Record<string, { value: unknown }>).map(
      ({ value }) => value,
    ),
  }),
);

function faultsOf({ name, pointer, examples }: Shown): string[] {
  const escaped = pointer.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
  const isValid = ajv.compile({ $ref: `doc#/${encodeURI(escaped)}` });
  return examples.flatMap((example) => {
    if (example === undefined) return [`${name} has no example`];
    if (isValid(example)) return [];
    return isValid.errors!.map(({ instancePath, message }) => `${name} ${instancePath} ${message}`);
  });
}

test("every answer with a JSON body has an example of its schema", () => {
  const successes = answers.filter(({ name }) => / 20[02]$/.test(name));
  expect(successes.length).toBeGreaterThan(routes.filter(({ file }) => file === undefined).length);
  expect([...answers, ...failures].flatMap(faultsOf)).toEqual([]);
});

/** Every parameter and body of a request that shows an example of its own. */
const asked: Shown[] = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations as object).flatMap(([method, { operationId, parameters, requestBody }]) => [
    ...(parameters as any[]).map(({ name, example, schema }, at) => ({
      name: `${operationId} ${name}`,
      pointer: ["paths", path, method, "parameters", String(at), "schema"],
      examples: [...(example === undefined ? [] : [example]), ...(schema.examples ?? [])],
    })),
    ...Object.entries((requestBody?.content ?? {}) as Record<string, any>).map(([type, { example }]) => ({
      name: `${operationId} body`,
      pointer: ["paths", path, method, "requestBody", "content", type, "schema"],
      examples: example === undefined ? [] : [example],
    })),
  ]),
);

test("what an example asks with agrees with its schemas", () => {
  expect(asked.flatMap(({ examples }) => examples).length).toBeGreaterThan(routes.length);
  expect(asked.flatMap(faultsOf)).toEqual([]);
});

test("headers are plain text with an example, a pattern where they have a form, and no other format", () => {
  const named = (parameter: any) => parameter.in === "header";
  const requested = Object.values(document.paths as Record<string, object>)
    .flatMap((item) => Object.values(item))
    .flatMap(({ parameters }) => parameters.filter(named));
  const sent = Object.values(document.webhooks as Record<string, any>).flatMap(({ post }) => post.parameters);
  const answered = Object.entries(document.components.headers as Record<string, any>).map(([name, header]) => ({
    name,
    ...header,
  }));
  expect(requested.length).toBeGreaterThan(routes.length);
  for (const { name, schema, example } of [...requested, ...sent, ...answered]) {
    expect([name, schema.type, schema.format, schema.$ref, schema.anyOf]).toEqual([
      name,
      "string",
      undefined,
      undefined,
      undefined,
    ]);
    const shown = [example, ...(schema.examples ?? [])].filter((each) => each !== undefined);
    expect([name, shown.length > 0]).toEqual([name, true]);
    for (const each of shown) expect([name, each]).toEqual([name, expect.stringMatching(schema.pattern ?? "")]);
  }
});

test("every tag and webhook is described, and the servers have the tenant's host as a variable", () => {
  expect(document.tags.filter(({ description }: { description: string }) => !description)).toEqual([]);
  for (const [type, { post }] of Object.entries(document.webhooks as Record<string, any>)) {
    expect([type, post.description, post.operationId]).toEqual([
      type,
      expect.stringContaining(`\`${type}\``),
      expect.stringMatching(/^on[A-Z]\w+$/),
    ]);
  }
  const everywhere = [document, ...Object.values(document.paths).flatMap((item) => Object.values(item as object))];
  for (const server of everywhere.flatMap(({ servers = [] }) => servers)) {
    expect(server).toMatchObject({
      url: expect.stringMatching(/^https:\/\/\{host\}(\/sandbox)?$/),
      variables: { host: { default: expect.any(String) } },
    });
  }
});

const routeOf = (id: string) => routes.find(({ operationId }) => operationId === id)!;

test("what an operation says of its answer is what the answer's leaves do not show", () => {
  const said = routes.flatMap(({ operationId, answer, example }) => [
    { operationId, own: example?.answer, made: exampleOf(answer) },
    { operationId, own: example?.waitingAnswer, made: exampleOf(answer, true) },
  ]);
  const whole = said.filter(({ own, made }) => own !== undefined && isSame(withOwn(made, own), made));
  expect(whole.map(({ operationId }) => operationId)).toEqual([]);
});

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

test("an answer's example fits its request's", () => {
  const { body: asked } = routeOf("payFromWallet").example!;
  expect(exampleAnswer(routeOf("payFromWallet"), "200")).toMatchObject({
    payAbleId: asked!["payAbleId"],
    accountId: asked!["accountId"],
    totalCheckOutAmount: asked!["totalCheckOutAmount"],
  });
  expect(exampleAnswer(routeOf("createTransaction"), "200")).toMatchObject({
    id: asked!["payAbleId"],
    totalAmount: String(asked!["totalCheckOutAmount"]),
  });
});

test("the examples are the same each time", () => {
  expect(JSON.parse(JSON.stringify(openApiDocument(routes)))).toEqual(document);
});

test("an example has every member, what leaves show, the first choice and one item, and ends where a schema holds itself", () => {
  const line = z.object({ text: shown(z.string(), "boots").optional(), until: instant });
  const order: z.ZodType = z.object({
    orderId: z.string(),
    state: z.enum(["NEW", "SENT"]),
    price: decimalText,
    count: z.number().meta({ minimum: 3 }),
    dueDate: date,
    lines: z.array(line),
    parts: z.array(z.lazy(() => order)),
    currencies: z.array(z.string()),
    sentBy: z.string().nullable(),
  });
  expect(exampleOf(order)).toEqual({
    orderId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    state: "NEW",
    price: "25.50",
    count: 3,
    dueDate: "2026-12-21",
    lines: [{ text: "boots", until: "2026-11-21T10:45:00.000Z" }],
    parts: [],
    currencies: ["currencies"],
    sentBy: "sent by",
  });
  expect(exampleOf(z.union([line, order.meta({}), z.object({ approvalId: shown(z.string(), "a1") })]), true)).toEqual({
    approvalId: "a1",
  });
});

test("what is said beside an example is said in its place, left out, or of each item", () => {
  const made = { id: "1", name: "Ada", tags: ["a"], lines: [{ at: 1, of: "x" }] };
  expect(withOwn(made, { name: undefined, tags: [], lines: [{}, { at: 2 }] })).toEqual({
    id: "1",
    tags: [],
    lines: [
      { at: 1, of: "x" },
      { at: 2, of: "x" },
    ],
  });
  const turned = withOwn(made, { lines: undefined, tags: undefined, name: "Bea", id: "2" });
  expect(JSON.stringify(turned)).toBe('{"name":"Bea","id":"2"}');
});

test("a screening policy is shown, and asked for, with the threshold that is shipped", () => {
  const shown = new Set<unknown>();
  const follow = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { threshold, staleAfterHours } = value as Record<string, unknown>;
    if (typeof staleAfterHours === "number") shown.add(threshold);
    Object.values(value).forEach(follow);
  };
  const ofPolicy = Object.entries(document.paths).filter(([path]) => path.includes("/compliance/screening-policy"));
  expect(ofPolicy.length).toBeGreaterThan(3);
  follow(ofPolicy);
  expect([...shown]).toEqual([shippedThreshold]);
});
