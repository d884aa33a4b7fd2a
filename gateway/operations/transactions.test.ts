import type { CreateTransactionRequest } from "../../proto/gen/remittance/v1/remittance.js";
import { Refusal } from "../../services/kernel/refusal.js";
import { startEdge, type Edge } from "../../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../../test/gateway/operations.js";
import { sampleTransaction, transactionBody } from "../../test/gateway/samples.js";

let edge: Edge;
let seen: CreateTransactionRequest[];
beforeAll(async () => {
  edge = await startEdge();
});
beforeEach(() => {
  answerSamples(edge);
  seen = [];
  edge.fakes.remittance.createTransaction = async (request) => {
    seen.push(request);
    return { transaction: sampleTransaction };
  };
});
afterAll(() => edge.stop());

const creation = operationNamed("createTransaction").request;
const reading = operationNamed("readTransaction").request;

async function create(body: unknown, headers: Record<string, string> = {}) {
  const token = { "X-Auth-Token": await edge.token() };
  return edge.send({ ...creation, body, headers: { ...creation.headers, ...token, ...headers } });
}

const transactionText =
  '{"id":"tx-1","transactionCode":"MN-1","status":"AWAITING_PAYMENT","type":"ACCOUNTPAYMENT","sendAmount":"100.00",' +
  '"sendCurrency":"USD","amount":"160000.50","receivingCurrency":"NGN","inclussive":false,"exchangeRate":"1600.005",' +
  '"fees":[{"name":"Transfer fee","amount":"3.00","currency":"USD","taxAmount":"0.50"}],"totalFees":"3.00",' +
  '"totalTaxes":"0.50","totalAmount":"103.50","sender":{"customerId":"customer-1","customerCode":"C1","name":"Ada Obi",' +
  '"country":"USA"},"recipient":{"customerCode":"B1","name":"Bola Ade","country":"NGA"},' +
  '"creditParty":[{"key":"bankaccountno","value":"0123456789"}],"internationalTransferInformation":' +
  '{"originCountry":"USA","receivingCountry":"NGA","remittancePurpose":"FAMILY","sourceOfFunds":"SALARY"},' +
  '"transactionProcessingMode":"REAL_TIME","transactionModule":"REMITTANCE","descriptionText":"rent",' +
  '"dynamicFields":{"note":"n","nested":{"list":[1,true,null,2.5]}},' +
  '"compliance":{"decision":"APPROVED","outstandingRequirements":[]},"interactionId":"i-1",' +
  '"createdAt":"2026-11-21T10:15:00.000Z","expiresAt":"2026-11-21T11:15:00.000Z","otherFees":[],"availableOn":"2026-11-24"';

test("a transaction reaches remittance whole, and its answer has the names and order of the shapes", async () => {
  const dynamicFields = { note: "n", nested: { list: [1, true, null, 2.5] } };
  const more = {
    amount: 160_000.5,
    descriptionText: "rent",
    dynamicFields,
    eligibleDocumentList: ["doc-1", { id: 2 }],
  };
  const answer = await create({ ...transactionBody, ...more, inclussive: true }, { password: "Correct-horse-1" });
  expect(answer.text).toBe(`{"status":"SUCCESS","data":${transactionText}},"message":"Transaction created"}`);
  expect(seen).toEqual([
    {
      idempotencyKey: creation.headers!["x-idempotency-key"],
      amount: "160000.5",
      sendAmount: "100",
      inclusive: true,
      receivingCurrency: "NGN",
      sendCurrency: "USD",
      type: "DELIVERY_METHOD_ACCOUNTPAYMENT",
      senderCustomerCode: "C1",
      recipientCustomerCode: "B1",
      creditParty: transactionBody.creditParty,
      internationalTransferInformation: {
        originCountry: "USA",
        receivingCountry: "NGA",
        remittancePurpose: "FAMILY",
        sourceOfFunds: "SALARY",
      },
      processingMode: "PROCESSING_MODE_REAL_TIME",
      descriptionText: "rent",
      dynamicFields,
      eligibleDocuments: ["doc-1", { id: 2 }],
      ipAddress: creation.headers!["ipAddress"],
      password: "Correct-horse-1",
    },
  ]);
});

test("only the marked fields and one amount are needed", async () => {
  const { type, preExistingSenderCustomerCode, preExistingRecipientCustomerCode, creditParty } = transactionBody;
  const internationalTransferInformation = { originCountry: "us", receivingCountry: "NG" };
  const marked = { type, preExistingSenderCustomerCode, preExistingRecipientCustomerCode, creditParty };
  const answer = await create({ ...marked, internationalTransferInformation, amount: "5" });
  expect(answer.status).toBe(200);
  expect(seen[0]).toMatchObject({
    amount: "5",
    sendAmount: "",
    sendCurrency: "",
    processingMode: "PROCESSING_MODE_UNSPECIFIED",
    dynamicFields: undefined,
    password: "",
    internationalTransferInformation: { originCountry: "USA", receivingCountry: "NGA", remittancePurpose: "" },
  });
});

test.each([
  ["25", "25"],
  ["25.0", "25"],
  ['"25.00"', "25"],
  ['"25.001"', "25.001"],
  ["25.001", "25.001"],
  ["9007199254740993.01", "9007199254740993.01"],
  ['"9007199254740993.01"', "9007199254740993.01"],
  ['"0"', "0"],
])("sendAmount %s goes on as %s", async (sent, passed) => {
  const body = JSON.stringify(transactionBody).replace('"100.00"', sent);
  expect((await create(body)).status).toBe(200);
  expect(seen[0]?.sendAmount).toBe(passed);
});

test.each([
  ["Pässword", "Pässword"],
  [Buffer.from("Pässwörd€").toString("latin1"), "Pässwörd€"],
])("the password header %j is read as UTF-8 where it is that", async (sent, passed) => {
  await create(transactionBody, { password: sent });
  expect(seen[0]?.password).toBe(passed);
});

test("numbers in dynamicFields that would not be kept exactly are refused", async () => {
  const body = JSON.stringify({ ...transactionBody, dynamicFields: { a: [0] } }).replace("[0]", "[9007199254740993]");
  const answer = await create(body);
  expect([answer.status, answer.json.errors[0].path]).toEqual([400, "dynamicFields.a.0"]);
});

test("a member named __proto__ in free JSON does no harm", async () => {
  const body = JSON.stringify({ ...transactionBody, dynamicFields: { a: 1 } }).replace('"a":1', '"__proto__":{"x":1}');
  expect((await create(body)).status).toBe(200);
  expect(seen[0]?.dynamicFields).toEqual({});
});

test("faults that remittance finds come back in the contract's spelling", async () => {
  edge.fakes.remittance.createTransaction = async () => {
    throw new Refusal("INVALID_INPUT", "sender_customer_code: is odd", {
      errors: [
        { path: "sender_customer_code", message: "is odd" },
        { path: "send_amount", message: "must have at most 2 decimals in USD" },
        { path: "internationalTransferInformation.originCountry", message: "is odd" },
        { path: "creditParty[1].value", message: "is odd" },
      ],
    });
  };
  const { message, errors } = (await create(transactionBody)).json;
  expect(message).toBe("preExistingSenderCustomerCode: is odd");
  expect(errors.map(({ path }: { path: string }) => path)).toEqual([
    "preExistingSenderCustomerCode",
    "sendAmount",
    "internationalTransferInformation.originCountry",
    "creditParty.1.value",
  ]);
});

test("a read adds the timeline", async () => {
  const answer = await edge.send({ ...reading, headers: { "X-Auth-Token": await edge.token({ role: "MANAGER" }) } });
  expect(answer.text).toBe(
    `{"status":"SUCCESS","data":${transactionText},"timeline":[{"status":"AWAITING_PAYMENT",` +
      '"at":"2026-11-21T10:15:00.000Z","actor":"user-1"}]},"message":"Transaction"}',
  );
});

test("what compliance has blocked is for remittance to show or not, who hears whose token it is and its scopes", async () => {
  const heard: unknown[] = [];
  edge.fakes.remittance.getTransaction = async (_request, { user }) => {
    heard.push([user?.role, user?.scopes]);
    const at = new Date("2026-11-21T10:15:00Z");
    const timeline = [{ status: "BLOCKED", at, actor: "compliance", reason: "block s.h" }];
    return { transaction: { ...sampleTransaction, status: "BLOCKED", timeline } };
  };
  const read = async (claims: Parameters<typeof edge.token>[0]) =>
    edge.send({ ...reading, headers: { "X-Auth-Token": await edge.token(claims) } });
  const scopes = ["transactions:read", "compliance:read"];
  const { status, json } = await read({ role: "MANAGER" });
  expect([status, json.data.status, json.data.timeline]).toEqual([
    200,
    "BLOCKED",
    [{ status: "BLOCKED", at: "2026-11-21T10:15:00.000Z", actor: "compliance", reason: "block s.h" }],
  ]);
  await read({ role: "MANAGER", scopes });
  await read({ role: "MANAGER", scopes: ["transactions:read"] });
  expect(heard).toEqual([
    ["MANAGER", undefined],
    ["MANAGER", scopes],
    ["MANAGER", ["transactions:read"]],
  ]);
});

test("a hidden transaction is 404 with its code", async () => {
  edge.fakes.remittance.getTransaction = async () => {
    throw new Refusal("TRANSACTION_NOT_FOUND", "there is no such transaction");
  };
  const answer = await edge.send({ ...reading, headers: { "X-Auth-Token": await edge.token() } });
  expect([answer.status, answer.json]).toEqual([
    404,
    { status: "FAILED", message: "there is no such transaction", code: "TRANSACTION_NOT_FOUND" },
  ]);
});
