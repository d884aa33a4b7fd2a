import { ComplianceServiceDefinition, Decision } from "../../../proto/gen/compliance/v1/compliance.js";
import { IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
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
