import {
  ComplianceServiceDefinition,
  Decision,
  type CheckTransactionRequest,
} from "../../../proto/gen/compliance/v1/compliance.js";
import { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { asReleaseBefore } from "../../../test/support/release-before.js";
import { createServiceNetwork, type ServiceNetwork } from "../../../test/support/service-network.js";
import { batchTransactionChecks } from "../clients/compliance-batches.js";
import { batchCredentialChecks } from "../clients/credential-batches.js";

let network: ServiceNetwork;
beforeAll(async () => void (network = await createServiceNetwork()));
afterAll(() => network.close());

const call = { tenantId: "t", interactionId: "i" };
const portOf = (address: string) => Number(address.split(":")[1]);

/** A service as the release before had it. */
function without<Def extends { methods: object }>(definition: Def, rpc: keyof Def["methods"]): Def {
  const methods = Object.fromEntries(Object.entries(definition.methods).filter(([name]) => name !== rpc));
  return { ...definition, methods } as Def;
}

test("a compliance of the release before is asked one by one", async () => {
  const asked: string[] = [];
  const before = without(ComplianceServiceDefinition, "checkBatchedTransactions");
  const address = await network.standIn("compliance", before, {
    checkTransaction: async ({ transactionId }) => {
      asked.push(transactionId);
      return { decision: Decision.DECISION_APPROVED };
    },
  });
  const client = network.client(ComplianceServiceDefinition, "compliance", portOf(address), "remittance");
  const { checkTransaction } = batchTransactionChecks(client);
  const ids = ["a", "b", "c"];
  const answers = await Promise.all(ids.map((transactionId) => checkTransaction({ transactionId }, call)));
  expect(answers.map(({ decision }) => decision)).toEqual(ids.map(() => Decision.DECISION_APPROVED));
  expect(asked.toSorted()).toEqual(ids);
});

test("credentials are looked at once by an identity of the release before", async () => {
  const asked: string[] = [];
  const before = without(IdentityServiceDefinition, "verifyBatchedCredentials");
  const address = await network.standIn("identity", before, {
    verifyCredentials: async ({ userId }) => (asked.push(userId), {}),
  });
  const client = network.client(IdentityServiceDefinition, "identity", portOf(address), "wallet");
  const { verifyCredentials } = batchCredentialChecks(client);
  const ids = ["a", "b", "c"];
  await Promise.all(ids.map((userId) => verifyCredentials({ userId }, call)));
  expect(asked.toSorted()).toEqual(ids);
});

describe("a compliance of the release before, which compares nobody with lists", () => {
  const before = asReleaseBefore(
    ComplianceServiceDefinition,
    {
      checkTransaction: "compliance.v1.CheckTransactionRequest",
      checkBatchedTransactions: "compliance.v1.CheckBatchedTransactionsRequest",
    },
    { "compliance.v1.CheckTransactionRequest": [10] },
  );
  const parties = [{ role: "SENDER", name: "Ada Obi", kind: "PERSON", dateOfBirth: "1990-04-30", countries: ["USA"] }];

  test("decides on what it knows of the question, asked alone and with others", async () => {
    const read: unknown[] = [];
    const decide = (request: CheckTransactionRequest) => {
      read.push([request.transactionId, request.receivingCountry, request.parties]);
      return { decision: Decision.DECISION_APPROVED };
    };
    const address = await network.standIn("compliance", before, {
      checkTransaction: async (request) => decide(request),
      checkBatchedTransactions: async ({ checks }) => ({
        answers: checks.map(({ request }) => ({ response: decide(request!) })),
      }),
    });
    const client = network.client(ComplianceServiceDefinition, "compliance", portOf(address), "remittance");
    const { checkTransaction } = batchTransactionChecks(client);
    const question = (transactionId: string) => ({ transactionId, receivingCountry: "NGA", parties });
    const answers = await Promise.all(["a", "b", "c"].map((id) => checkTransaction(question(id), call)));
    expect(answers.map(({ decision }) => decision)).toEqual(answers.map(() => Decision.DECISION_APPROVED));
    await client.checkTransaction(question("d"), call);
    expect(read.toSorted()).toEqual(["a", "b", "c", "d"].map((id) => [id, "NGA", []]));
  });

  test("would be told more by the release that it is asked by", async () => {
    let read: unknown;
    const address = await network.standIn("compliance", ComplianceServiceDefinition, {
      checkTransaction: async (request) => ((read = request.parties), {}),
    });
    const client = network.client(ComplianceServiceDefinition, "compliance", portOf(address), "remittance");
    await client.checkTransaction({ transactionId: "a", parties }, call);
    expect(read).toEqual(parties);
  });
});
