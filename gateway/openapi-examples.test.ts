import { Ajv2020 } from "ajv/dist/2020.js";
import { formats } from "../test/support/answer-check.js";
import { shippedThreshold } from "../services/compliance/domain/screening/matcher/index.js";
import { madeExample } from "./made-example.js";
import { openApiDocument } from "./openapi.js";
import { routes } from "./routes/index.js";

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
