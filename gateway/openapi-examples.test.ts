import { Ajv2020 } from "ajv/dist/2020.js";
import { formats } from "../test/support/answer-check.js";
import { shippedThreshold } from "../services/compliance/lists/domain/matcher/index.js";
import { madeExample } from "./made-example.js";
import { openApiDocument } from "./openapi.js";
import { routes } from "./operations/index.js";

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

test("what the contract describes shows an answer of its own", () => {
  const contract =
    "login refresh logout listOrganisationCompliancePolicy fetchOrganisationPreference verifyContact createDomiciliaryAccounts " +
    "applyForInvestment getTotalInvestments listAllocatedPayoutPoints repayLoan payoffLoan loanHistory repaidTransactions " +
    "payFromWallet findAllBeneficiaries ledgerHistoryByInteractionId createTransaction";
  const declared = routes.filter(({ example }) => example?.answer !== undefined).map(({ operationId }) => operationId);
  expect(declared).toEqual(expect.arrayContaining(contract.split(" ")));
});

test("an answer's example fits its request's", () => {
  const { body: asked, answer } = routes.find(({ operationId }) => operationId === "payFromWallet")!.example!;
  expect(answer).toMatchObject({ payAbleId: asked!["payAbleId"], accountId: asked!["accountId"] });
  const { answer: transaction } = routes.find(({ operationId }) => operationId === "createTransaction")!.example!;
  expect(transaction).toMatchObject({ id: asked!["payAbleId"], totalAmount: String(asked!["totalCheckOutAmount"]) });
});

test("the examples are the same each time", () => {
  expect(JSON.parse(JSON.stringify(openApiDocument(routes)))).toEqual(document);
});

test("a made example has every member, the first choice and one item, and ends where a schema holds itself", () => {
  const schemas = {
    Order: {
      type: "object",
      properties: {
        orderId: { type: "string" },
        state: { enum: ["NEW", "SENT"] },
        kind: { type: "string", description: "URGENT or LATER." },
        price: { type: "string", pattern: "^\\d+\\.\\d\\d$", examples: ["25.50"] },
        count: { type: "integer", minimum: 3 },
        dueDate: { type: "string", format: "date" },
        parts: { type: "array", items: { $ref: "#/components/schemas/Order" } },
        currencies: { type: "array", items: { type: "string" } },
      },
    },
  };
  expect(madeExample({ $ref: "#/components/schemas/Order" }, schemas)).toEqual({
    orderId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    state: "NEW",
    kind: "URGENT",
    price: "25.50",
    count: 3,
    dueDate: "2026-12-21",
    parts: [],
    currencies: ["USD"],
  });
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
