import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { servicesWithout } from "../../deploy/local/service-table.js";
import { payInSandbox } from "../../deploy/demo/sandbox-payment.js";
import { listInvestmentProducts as investmentProducts } from "../../gateway/operations/investment-products.js";
import { createEdgeClient, demoUser, readDemo } from "../support/edge-client.js";
import { seedDemo, startBuiltCluster } from "../support/global-setup-e2e.js";
import { memoryFolder } from "../support/memory-folder.js";

jest.setTimeout(300_000);

const dataDir = mkdtempSync(join(memoryFolder(), "manilla-without-"));
let cluster: Awaited<ReturnType<typeof startBuiltCluster>>;
beforeAll(async () => {
  cluster = await startBuiltCluster({ dataDir, port: 0, quiet: true, services: servicesWithout("investment") });
  seedDemo(dataDir);
}, 300_000);
afterAll(async () => {
  await cluster?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);

const tool = (path: string, ...args: string[]) => {
  const env = { ...process.env, DATA_DIR: dataDir, NODE_OPTIONS: "" };
  return promisify(execFile)(process.execPath, [resolve("dist/deploy/cli", path), ...args], { env });
};

test("a system without investment starts, is seeded, moves money, and its tools work", async () => {
  const { processes, addresses } = readClusterFile(dataDir);
  expect(Object.keys(processes)).not.toContain("investment");
  expect(Object.keys(addresses)).not.toContain("investment");
  const demo = readDemo(dataDir);
  const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
  const { host, investmentProducts: offered } = demo.tenants[0]!;
  expect(offered).toEqual([]);

  const lines: string[] = [];
  const { email, password } = amina;
  await payInSandbox({ gatewayUrl: demo.baseUrl, host, email, password }, (line) => void lines.push(line));
  expect(lines.at(-1)).toBe("paid out");

  const client = createEdgeClient(demo.baseUrl, host);
  await client.login(amina);
  const { status, body } = await client.send("GET", investmentProducts.path);
  expect({ status, code: body.code }).toEqual({ status: 404, code: "SERVICE_NOT_INSTALLED" });

  expect((await tool("ops.js", "outbox", "list")).stdout).toContain("no rows are PARKED");
  expect((await tool("ledger.js", "verify", "--all")).stdout).toMatch(/\d+ tenants, all fit\n$/);

  // Nobody looks for it: but for the request above, no log speaks of it.
  const requested = investmentProducts.path;
  for (const [name, { log }] of Object.entries(processes)) {
    const lines = readFileSync(log, "utf8").split("\n");
    const others = lines.filter((line) => /investment/i.test(line) && !line.includes(requested));
    expect({ name, others }).toEqual({ name, others: [] });
  }
});
