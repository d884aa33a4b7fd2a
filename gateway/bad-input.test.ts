import { startEdge, type Answer, type Edge, type Sent } from "../test/gateway/edge.js";
import { answerSamples, operationNamed, operations, type Operation } from "../test/gateway/operations.js";
import { documentedPath } from "./openapi-examples.js";
import { routes } from "./operations/index.js";
import { atDepth } from "../test/support/depth.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
  answerSamples(edge);
});
afterAll(() => edge.stop());

async function sendAs(operation: Operation, changes: Partial<Sent> = {}): Promise<Answer> {
  const role = operation.roles.at(-1);
  const token: Record<string, string> = role ? { "X-Auth-Token": await edge.token({ role }) } : {};
  const { request } = operation;
  return edge.send({ ...request, ...changes, headers: { ...request.headers, ...token, ...changes.headers } });
}

function expectFailure(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.json?.code]).toEqual([status, code]);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.json).toMatchObject({ status: "FAILED", message: expect.any(String), code });
  if (status === 401 || status === 403) {
    expect(Object.keys(answer.json)).toEqual(["error", "message", "role", "status", "code"]);
  } else {
    expect(["status", "message", "code", "errors"]).toEqual(expect.arrayContaining(Object.keys(answer.json)));
  }
  expect(answer.text).not.toMatch(/at .*\.[jt]s:\d+|node_modules|127\.0\.0\.1|grpc/);
}

const contract = new Set(
  routes.filter((route) => route.contract).flatMap(({ path, aliases = [] }) => [path, ...aliases].map(documentedPath)),
);
const withBody = operations.filter(({ request }) => request.body !== undefined);
const withToken = operations.filter(({ roles }) => roles.length > 0);
const deep = (levels: number) => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;

describe.each(operations)("$name", (operation) => {
  test("answers a right request", async () => {
    expect([(await sendAs(operation)).status]).toEqual([operation.answers]);
  });

  test("refuses an unknown host", async () => {
    expectFailure(await sendAs(operation, { headers: { Host: "nobody.test" } }), 404, "TENANT_NOT_FOUND");
  });

  test("refuses another method with Allow", async () => {
    // No operation has it.
    const answer = await sendAs(operation, { method: "PATCH" });
    expectFailure(answer, 405, "METHOD_NOT_ALLOWED");
    expect(answer.headers.allow).toContain(operation.request.method);
  });

  test.each([
    ["x-fapi-interaction-id", "no spaces here"],
    ["x-fapi-interaction-id", "a".repeat(129)],
    ["x-fapi-auth-date", "yesterday"],
    ["x-fapi-auth-date", "2026-02-30T10:00:00Z"],
    ["x-fapi-auth-date", "2026-02-30T10:00:00"],
    ["x-fapi-customer-ip-address", "203.0.113.700"],
    ["ipAddress", "localhost"],
    ["x-idempotency-key", "k".repeat(256)],
    ["x-idempotency-key", "schl\u00fcssel"],
  ])("refuses header %s: %s", async (name, value) => {
    expectFailure(await sendAs(operation, { headers: { [name]: value } }), 400, "HEADER_INVALID");
  });

  test("a query parameter that it does not have is refused, and ignored by the contract's operations", async () => {
    const { path } = operation.request;
    const answer = await sendAs(operation, { path: `${path}${path.includes("?") ? "&" : "?"}nosuchparameter=1` });
    if (contract.has(operation.path)) return expect(answer.status).toBe(operation.answers);
    expectFailure(answer, 400, "INVALID_INPUT");
    expect(answer.json.errors[0]).toMatchObject({ path: "query.nosuchparameter" });
  });

  test("accepts right optional headers", async () => {
    const headers = {
      platform: "WEB",
      uuid: "device-1",
      "x-fapi-auth-date": "2026-11-21T10:15:00.123+01:00",
      "x-fapi-customer-ip-address": "2001:db8::1",
      "x-idempotency-key": "key with spaces",
    };
    expect((await sendAs(operation, { headers })).status).toBe(operation.answers);
  });
});

describe.each(withToken)("$name with tokens", (operation) => {
  test.each([
    ["no token", async () => ({}), "UNAUTHENTICATED"],
    ["an empty token", async () => ({ "X-Auth-Token": "" }), "UNAUTHENTICATED"],
    ["a malformed token", async () => ({ "X-Auth-Token": "nonsense" }), "UNAUTHENTICATED"],
    ["another scheme", async () => ({ Authorization: "Basic YTpi" }), "UNAUTHENTICATED"],
    ["an expired token", async () => ({ "X-Auth-Token": await edge.token({ expiresInS: -60 }) }), "TOKEN_EXPIRED"],
    [
      "another tenant's token",
      async () => ({ "X-Auth-Token": await edge.token({ tenantId: "other" }) }),
      "UNAUTHENTICATED",
    ],
    [
      "two different tokens",
      async () => ({
        "X-Auth-Token": await edge.token(),
        Authorization: `Bearer ${await edge.token({ userId: "u2" })}`,
      }),
      "TOKEN_CONFLICT",
    ],
  ])("refuses %s", async (_name, headers, code) => {
    const answer = await edge.send({
      ...operation.request,
      headers: { ...operation.request.headers, ...(await headers()) },
    });
    expectFailure(answer, 401, code);
    expect(answer.json.role).toBeNull();
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
  });

  test("refuses a revoked session", async () => {
    edge.revoked.add("session-of-gone");
    const role = operation.roles[0]!;
    const answer = await sendAs(operation, { headers: { "X-Auth-Token": await edge.token({ role, userId: "gone" }) } });
    expectFailure(answer, 401, "TOKEN_REVOKED");
  });

  test.each(["MANAGER", "AGENT", "CASHIER", "CUSTOMER"] as const)("answers a %s as the table says", async (role) => {
    const answer = await sendAs(operation, { headers: { "X-Auth-Token": await edge.token({ role }) } });
    if (operation.roles.includes(role)) return expect(answer.status).toBe(operation.answers);
    expectFailure(answer, 403, "FORBIDDEN");
    const message = `${role === "AGENT" ? "an" : "a"} ${role} may not call this operation`;
    expect(answer.json).toMatchObject({ error: "Forbidden", role, message });
  });

  test("accepts Authorization: Bearer, alone and with the same X-Auth-Token", async () => {
    const token = await edge.token({ role: operation.roles.at(-1)! });
    const alone = { ...operation.request.headers, Authorization: `Bearer ${token}` };
    expect((await edge.send({ ...operation.request, headers: alone })).status).toBe(operation.answers);
    expect(
      (await sendAs(operation, { headers: { "X-Auth-Token": token, Authorization: `Bearer ${token}` } })).status,
    ).toBe(operation.answers);
  });
});

// The quick suite sends every third of them for each operation, and each for every third operation.
const everyNth = atDepth({ quick: 3, ci: 1, long: 1 });
const brokenBodies: [string, string | Buffer][] = [
  ["cut JSON", '{"a":'],
  ["JSON followed by more", "{} {}"],
  ["NaN", '{"a":NaN}'],
  ["a trailing comma", '{"a":1,}'],
  ["a duplicate key", '{"a":1,"a":2}'],
  ["an array", "[]"],
  ["a number", "5"],
  ["a string", '"text"'],
  ["null", "null"],
  ["33 levels", deep(32)],
  ["10,000 levels", deep(10_000)],
  ["100,000 levels that never close", "[".repeat(100_000)],
  ["a lone surrogate", '{"a":"\\ud800"}'],
  ["bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
];

describe.each(withBody.map((operation, place) => ({ ...operation, place })))(
  "$name with bodies",
  ({ place, ...operation }) => {
    test.each(brokenBodies.filter((_, index) => (index + place) % everyNth === 0))(
      "refuses %s",
      async (_name, body) => {
        expectFailure(await sendAs(operation, { body }), 400, "INVALID_INPUT");
      },
    );

    test("refuses 2 MB, announced or not, before it looks at the token", async () => {
      const body = Buffer.alloc(2 * 1024 * 1024, 0x20);
      expectFailure(await sendAs(operation, { body }), 413, "BODY_TOO_LARGE");
      expectFailure(await edge.send({ ...operation.request, body }), 413, "BODY_TOO_LARGE");
      const chunked = { "Transfer-Encoding": "chunked", "Content-Length": [] as string[] };
      expectFailure(await sendAs(operation, { body, headers: chunked }), 413, "BODY_TOO_LARGE");
    });

    test.each([
      [{ "Content-Type": "text/plain" }],
      [{ "Content-Type": "application/x-www-form-urlencoded" }],
      [{ "Content-Type": "application/json; charset=utf-16" }],
      [{ "Content-Encoding": "gzip" }],
    ])("refuses %j", async (headers) => {
      expectFailure(await sendAs(operation, { headers }), 415, "MEDIA_TYPE");
    });

    test("takes application/json with parameters, and ignores unknown fields", async () => {
      const headers = { "Content-Type": 'Application/JSON; charset="UTF-8"' };
      const body = { ...(operation.request.body as object), somethingElse: { deep: [1] }, __proto__x: 1 };
      expect((await sendAs(operation, { headers, body })).status).toBe(operation.answers);
    });

    test("refuses an absent body where fields are required", async () => {
      const { body: _body, ...request } = operation.request;
      const headers = {
        ...request.headers,
        "X-Auth-Token": await edge.token({ role: operation.roles.at(-1) ?? "CUSTOMER" }),
      };
      const answer = await edge.send({ ...request, headers: { ...headers, "Content-Type": "application/json" } });
      const needsNone = [
        "logout",
        "cancelTransaction",
        "endSession",
        "invalidateApiToken",
        "deleteApiToken",
        "stopSecondFactorReset",
        "tryScreeningPolicyDraft",
        "testPlugin",
      ];
      if (needsNone.includes(operation.name)) return expect(answer.status).toBe(operation.answers);
      expectFailure(answer, 400, "INVALID_INPUT");
      expect(answer.json).toMatchObject({
        errors: [{ path: "body", message: expect.stringMatching(/^is required: /) }],
      });
    });
  },
);

/** Changes to a right body, the path that must be named, and what must be said of it. */
const wrongFields: [operation: string, change: object, path: string, message: RegExp][] = [
  ["login", { email: undefined }, "email", /is required/],
  ["login", { email: 5 }, "email", /must be a string/],
  ["login", { currentPassword: null }, "currentPassword", /must be a string/],
  ["login", { currentPassword: "" }, "currentPassword", /must not be empty/],
  ["login", { currentPassword: [] }, "currentPassword", /^must be a string$/],
  ["login", { currentpassword: "x", currentPassword: undefined }, "currentpassword", /did you mean currentPassword/],
  ["refresh", { refresh_token: undefined, refreshToken: "r" }, "refreshToken", /did you mean refresh_token/],
  ["applyForInvestment", { investmentProductId: undefined }, "investmentProductId", /is required/],
  ["applyForInvestment", { investmentProductId: "one" }, "investmentProductId", /must be a UUID/],
  ["applyForInvestment", { numberOfUnitsToPurchase: undefined }, "numberOfUnitsToPurchase", /is required/],
  ["applyForInvestment", { numberOfUnitsToPurchase: 0 }, "numberOfUnitsToPurchase", /whole number, 1 to/],
  ["applyForInvestment", { numberOfUnitsToPurchase: -1 }, "numberOfUnitsToPurchase", /whole number, 1 to/],
  ["applyForInvestment", { numberOfUnitsToPurchase: 1.5 }, "numberOfUnitsToPurchase", /whole number, 1 to/],
  ["applyForInvestment", { numberOfUnitsToPurchase: 1e300 }, "numberOfUnitsToPurchase", /whole number, 1 to/],
  ["applyForInvestment", { numberOfUnitsToPurchase: "2" }, "numberOfUnitsToPurchase", /whole number, 1 to/],
  ["applyForInvestment", { userWalletId: "" }, "userWalletId", /must be a UUID/],
  ["applyForInvestment", { customerId: 7 }, "customerId", /must be a string/],
  ["applyForInvestment", { customerName: "" }, "customerName", /must not be empty/],
  ["applyForInvestment", { customername: "Ada", customerName: undefined }, "customername", /mean customerName/],
  ["redeemInvestment", { numberOfUnits: 0 }, "numberOfUnits", /whole number, 1 to/],
  ["redeemInvestment", { numberOfUnits: 0.1 }, "numberOfUnits", /whole number, 1 to/],
  ["redeemInvestment", { numberOfUnits: -3 }, "numberOfUnits", /whole number, 1 to/],
  ["redeemInvestment", { numberOfUnits: 1e300 }, "numberOfUnits", /whole number, 1 to/],
  ["setInvestmentWallet", { userWalletId: "w" }, "userWalletId", /must be a UUID/],
  ["setInvestmentWallet", { userWalletId: undefined }, "userWalletId", /is required/],
  ["putInvestmentProduct", { name: "" }, "name", /must not be empty/],
  ["putInvestmentProduct", { unitsOffered: 1.5 }, "unitsOffered", /whole number, 1 to/],
  ["putInvestmentProduct", { unitsOffered: 1e300 }, "unitsOffered", /whole number, 1 to/],
  ["putInvestmentProduct", { minimumUnits: -1 }, "minimumUnits", /whole number, 1 to/],
  ["putInvestmentProduct", { maximumUnitsPerCustomer: 0 }, "maximumUnitsPerCustomer", /whole number, 1 to/],
  ["putInvestmentProduct", { dayCount: "ACT" }, "dayCount", /one of ACT_365/],
  ["putInvestmentProduct", { termMonths: 601 }, "termMonths", /whole number, 0 to/],
  ["putInvestmentProduct", { termDays: -1 }, "termDays", /whole number, 0 to/],
  ["putInvestmentProduct", { lockInDays: 0.5 }, "lockInDays", /whole number, 0 to/],
  ["putInvestmentProduct", { penalty: { kind: "ALL" } }, "penalty.kind", /one of NONE/],
  ["putInvestmentProduct", { penalty: { kind: "INTEREST_SHARE", bps: 10_001 } }, "penalty.bps", /whole number, 0 to/],
  ["putInvestmentProduct", { payout: "DAILY" }, "payout", /one of AT_MATURITY/],
  ["putInvestmentProduct", { reinvestment: "SOME" }, "reinvestment", /one of NONE/],
  ["putInvestmentProduct", { withholdingTaxBps: 10_001 }, "withholdingTaxBps", /whole number, 0 to/],
  ["putInvestmentProduct", { status: "SOLD" }, "status", /one of OPEN/],
  ["putInvestmentProduct", { unitPrice: "-1" }, "unitPrice", /must not be negative/],
  ["putInvestmentProduct", { unitPrice: "1.001" }, "unitPrice", /at most 2 decimals/],
  ["putInvestmentProduct", { unitsOffered: 0 }, "unitsOffered", /whole number, 1 to/],
  ["putInvestmentProduct", { tiers: [] }, "tiers", /must have at least 1 entry$/],
  ["putInvestmentProduct", { compounding: "HOUR" }, "compounding", /one of NONE, DAY/],
  ["putInvestmentProduct", { currency: "XXX" }, "currency", /ISO 4217/],
  ["declareInvestmentDividend", { from: "1 May" }, "from", /must be a date/],
  ["declareInvestmentDividend", { to: undefined }, "to", /is required/],
  ["declareInvestmentDividend", { amount: "-1.00" }, "amount", /must not be negative/],
  ["declareInvestmentDividend", { currency: "XXX" }, "currency", /ISO 4217/],
  ["declareInvestmentDividend", { amount: "1e3" }, "amount", /without an exponent/],
  ["payFromWallet", { payableType: "LOAN" }, "payableType", /one of TRANSACTION, WALLET/],
  ["payFromWallet", { payableType: undefined }, "payableType", /is required/],
  ["payFromWallet", { payAbleId: undefined, payableId: "tx-1" }, "payableId", /did you mean payAbleId/],
  ["payFromWallet", { payAbleId: 7 }, "payAbleId", /must be a string/],
  ["payFromWallet", { accountId: {} }, "accountId", /must be a string/],
  ["payFromWallet", { accountId: "a".repeat(129) }, "accountId", /at most 128 characters$/],
  ["payFromWallet", { totalCheckOutAmount: undefined }, "totalCheckOutAmount", /is required/],
  ["payFromWallet", { totalCheckOutAmount: "25.00" }, "totalCheckOutAmount", /JSON number/],
  ["payFromWallet", { totalCheckOutAmount: null }, "totalCheckOutAmount", /JSON number/],
  ["payFromWallet", { totalCheckOutAmount: -25 }, "totalCheckOutAmount", /negative/],
  ["payFromWallet", { totalCheckoutAmount: 25 }, "totalCheckoutAmount", /did you mean totalCheckOutAmount/],
  ["payFromWallet", { paymentGatewayRef: undefined }, "paymentGatewayRef", /is required/],
  [
    "payFromWallet",
    { paymentAccountNumberCurrencyCode: "USD" },
    "paymentAccountNumberCurrencyCode",
    /paymentAccountNumbeCurrencyCode/,
  ],
  ["payFromWallet", { paymentAccountNumbeCurrencyCode: "usd" }, "paymentAccountNumbeCurrencyCode", /ISO 4217/],
  ["payFromWallet", { paymentAccountNumbeCurrencyCode: "ZZZ" }, "paymentAccountNumbeCurrencyCode", /ISO 4217/],
  ["payFromWallet", { otp: 123456 }, "otp", /must be a string/],
  ["payFromWallet", { PIN: "1234" }, "PIN", /did you mean pin/],
  ["createTransaction", { type: undefined }, "type", /is required/],
  ["createTransaction", { type: "BANK" }, "type", /one of ACCOUNTPAYMENT/],
  ["createTransaction", { sendAmount: undefined }, "amount", /required/],
  ["createTransaction", { sendAmount: "1e2" }, "sendAmount", /exponent/],
  ["createTransaction", { sendAmount: "+25" }, "sendAmount", /without sign/],
  ["createTransaction", { sendAmount: "-25" }, "sendAmount", /negative/],
  ["createTransaction", { sendAmount: " 25" }, "sendAmount", /decimal/],
  ["createTransaction", { sendAmount: "025" }, "sendAmount", /decimal/],
  ["createTransaction", { sendAmount: "25." }, "sendAmount", /decimal/],
  ["createTransaction", { sendAmount: "0x19" }, "sendAmount", /decimal/],
  ["createTransaction", { sendAmount: "NaN" }, "sendAmount", /decimal/],
  ["createTransaction", { sendAmount: true }, "sendAmount", /decimal/],
  ["createTransaction", { sendAmount: [25] }, "sendAmount", /decimal/],
  ["createTransaction", { inclusive: true }, "inclusive", /did you mean inclussive/],
  ["createTransaction", { inclussive: "true" }, "inclussive", /must be a boolean/],
  ["createTransaction", { creditParty: {} }, "creditParty", /must be an array/],
  ["createTransaction", { creditParty: [{ key: "bankcode" }] }, "creditParty.0.value", /is required/],
  ["createTransaction", { creditParty: [{ Key: "bankcode", value: "1" }] }, "creditParty.0.Key", /did you mean key/],
  ["createTransaction", { creditParty: [5] }, "creditParty.0.key", /is required/],
  [
    "createTransaction",
    { internationalTransferInformation: { originCountry: "US" } },
    "internationalTransferInformation.receivingCountry",
    /is required/,
  ],
  [
    "createTransaction",
    { internationalTransferInformation: { originCountry: "XX", receivingCountry: "NG" } },
    "internationalTransferInformation.originCountry",
    /3166/,
  ],
  [
    "createTransaction",
    { internationalTransferInformation: { orginCountry: "US", receivingCountry: "NG" } },
    "internationalTransferInformation.orginCountry",
    /did you mean originCountry/,
  ],
  ["createTransaction", { transactionModule: "LENDING" }, "transactionModule", /one of REMITTANCE/],
  ["createTransaction", { transactionProcessingMode: "LATER" }, "transactionProcessingMode", /one of/],
  ["createTransaction", { dynamicFields: [] }, "dynamicFields", /must be a/],
  ["createTransaction", { eligibleDocumentList: "a" }, "eligibleDocumentList", /must be an array/],
  ["createTransaction", { preExistingSenderCustomerCodes: "C1" }, "preExistingSenderCustomerCodes", /did you mean/],
];

test.each(wrongFields)("%s refuses %j", async (name, change, path, message) => {
  const operation = operationNamed(name);
  const answer = await sendAs(operation, { body: { ...(operation.request.body as object), ...change } });
  expectFailure(answer, 400, "INVALID_INPUT");
  const fault = answer.json.errors.find((error: { path: string }) => error.path === path);
  expect(fault?.message).toMatch(message);
});

test.each([
  ["payFromWallet", "totalCheckOutAmount", "1e2"],
  ["payFromWallet", "totalCheckOutAmount", "-0"],
  ["payFromWallet", "totalCheckOutAmount", "2.5E1"],
  ["createTransaction", "sendAmount", "1e2"],
  ["createTransaction", "amount", "-1"],
])("%s refuses %s: %s as a number", async (name, field, number) => {
  const operation = operationNamed(name);
  const { [field]: _left, ...rest } = operation.request.body as Record<string, unknown>;
  const body = JSON.stringify(rest).replace(/\}$/, `,"${field}":${number}}`);
  const answer = await sendAs(operation, { body });
  expectFailure(answer, 400, "INVALID_INPUT");
  expect(answer.json.errors[0].path).toBe(field);
});

test.each([
  ["createTransaction", "x-idempotency-key"],
  ["createTransaction", "ipAddress"],
  ["ledgerHistoryByInteractionId", "x-fapi-interaction-id"],
])("%s requires the header %s", async (name, header) => {
  const operation = operationNamed(name);
  const { [header]: _left, ...headers } = operation.request.headers as Record<string, string>;
  const token = await edge.token({ role: operation.roles.at(-1)! });
  const answer = await edge.send({ ...operation.request, headers: { ...headers, "X-Auth-Token": token } });
  expectFailure(answer, 400, "HEADER_REQUIRED");
  expect(answer.json.errors).toEqual([{ path: `headers.${header}`, message: "is required" }]);
});

test("a body with thousands of faults gets a short answer", async () => {
  const operation = operationNamed("createTransaction");
  const misspelt = Array.from({ length: 4_000 }, (_, index) => [
    `preExistingSenderCustomerCode${index % 10}${index}`,
    1,
  ]);
  const body = {
    ...Object.fromEntries(misspelt),
    ...(operation.request.body as object),
    creditParty: Array(9_000).fill({}),
  };
  const answer = await sendAs(operation, { body });
  expectFailure(answer, 400, "INVALID_INPUT");
  expect(answer.json.errors.length).toBeLessThanOrEqual(20);
  expect(answer.text.length).toBeLessThan(5_000);
});

test("the checks run in the order host, size, token, role, headers, body", async () => {
  const operation = operationNamed("createTransaction");
  const wrong = {
    host: { Host: "nobody.test" },
    size: Buffer.alloc(300_000, 0x20),
    role: { "X-Auth-Token": await edge.token({ role: "MANAGER" }) },
    headers: { ipAddress: "x" },
    body: "{",
  };
  const all = { ...operation.request.headers, ...wrong.headers };
  const answerOf = async (headers: Record<string, string>, body: string | Buffer) =>
    (await edge.send({ ...operation.request, headers: { ...all, ...headers }, body })).json.code;
  expect(await answerOf(wrong.host, wrong.size)).toBe("TENANT_NOT_FOUND");
  expect(await answerOf({}, wrong.size)).toBe("BODY_TOO_LARGE");
  expect(await answerOf({}, wrong.body)).toBe("UNAUTHENTICATED");
  expect(await answerOf(wrong.role, wrong.body)).toBe("FORBIDDEN");
  const token = { "X-Auth-Token": await edge.token() };
  expect(await answerOf(token, wrong.body)).toBe("HEADER_INVALID");
  expect(await answerOf({ ...token, ipAddress: "203.0.113.7" }, wrong.body)).toBe("INVALID_INPUT");
});

test("an unknown path is 404 in the one shape, also for near paths", async () => {
  for (const path of ["/nowhere", "/api/v6/services", "/api/v6/services/securitymanagement/LOGIN", "/%", "/a//b"]) {
    expectFailure(await edge.send({ path }), 404, "NOT_FOUND");
  }
});
