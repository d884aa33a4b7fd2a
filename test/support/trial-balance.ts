import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { clusterFilePath, readClusterFile } from "../../deploy/local/cluster-file.js";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { readDemo } from "./edge-client.js";
import { waitFor } from "./index.js";

// After every end-to-end test the books of every demo tenant and of its sandbox balance, in each
// currency.
let operator: OperatorClients;
let tenantIds: string[] = [];

const dataDir = () => process.env["E2E_DATA_DIR"] ?? "";

beforeAll(async () => {
  // Beside a cluster that somebody else has started nobody tells where its services are.
  if (!existsSync(clusterFilePath(dataDir()))) return;
  const { addresses, keys } = readClusterFile(dataDir());
  operator = await createOperatorClients({ ...addresses, operatorKeyFile: keys.operatorKeyFile } as never);
  const call = () => outgoing({ tenantId: "", interactionId: randomUUID() });
  const hosts = readDemo(dataDir()).tenants.map(({ host }) => host);
  const found = await Promise.all(hosts.map((host) => operator.identity.resolveHost({ host }, call())));
  tenantIds = found.flatMap(({ tenantId, sandboxTenantId }) => [tenantId, sandboxTenantId]).filter((id) => id !== "");
});

afterEach(async () => {
  for (const tenantId of tenantIds) {
    // It adds accounts up while others post: what is off stays off.
    const isBalanced = async () => Object.values(await offsOf(tenantId)).every((off) => off === 0n);
    await waitFor(isBalanced, { timeoutMs: 15_000, everyMs: 300, what: `the books of ${tenantId} to balance` });
  }
}, 60_000);

afterAll(() => operator?.close());

async function offsOf(tenantId: string): Promise<Record<string, bigint>> {
  const { lines } = await operator.ledger.getTrialBalance({}, outgoing({ tenantId, interactionId: randomUUID() }));
  const offs: Record<string, bigint> = {};
  for (const { currency, debitsMinor, creditsMinor } of lines) {
    offs[currency] = (offs[currency] ?? 0n) + BigInt(debitsMinor) - BigInt(creditsMinor);
  }
  return offs;
}
