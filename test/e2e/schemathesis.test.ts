import { randomUUID } from "node:crypto";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ClusterFile } from "../../deploy/local/cluster-file.js";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { routes } from "../../gateway/routes/index.js";
import { CustomerStatus } from "../../proto/gen/compliance/v1/compliance.js";
import { outgoing } from "../../services/shared/grpc/client.js";
import { atDepth } from "../support/depth.js";
import { createEdgeClient, readDemo } from "../support/edge-client.js";
import { findSchemathesis } from "../support/schemathesis.js";

const program = findSchemathesis();
const withSchemathesis = program === undefined ? describe.skip : describe;
const maxTimeS = atDepth({ quick: 12, ci: 22, long: 600 }, "SCHEMATHESIS_S");
const maxExamples = atDepth({ quick: 5, ci: 5, long: 200 });

// They end the very session or password that the others are called with.
const selfEnding = ["logout", "changePassword", "endSession", "resetPassword", "disableUser"];

// Log-ins that fail are throttled by address: those of the other tests must not be.
const ownAddress = "198.51.100.9";

interface Ended {
  status: number;
  output: string;
}

const isOperation = (id: string) => routes.some(({ operationId }) => operationId === id);

// Of a time that is one for all phases nothing is left for the last one, which follows the links.
const shareOfLinks = 0.3;

jest.setTimeout((maxTimeS + 120) * 1_000);

withSchemathesis("schemathesis, all checks and stateful", () => {
  const { baseUrl } = readDemo();
  const password = "A-Long-Password-1";
  let operator: OperatorClients;

  beforeAll(async () => {
    const file = JSON.parse(readFileSync(join(process.env["E2E_DATA_DIR"]!, "cluster.json"), "utf8")) as ClusterFile;
    const {
      identity = "",
      compliance = "",
      remittance = "",
      wallet = "",
      ledger = "",
      investment = "",
      lending = "",
    } = file.addresses;
    const { operatorKeyFile } = file.keys;
    operator = await createOperatorClients({
      identity,
      compliance,
      remittance,
      wallet,
      ledger,
      investment,
      lending,
      operatorKeyFile,
    });
  });
  afterAll(() => operator?.close());

  test("a customer of the demo tenant meets no 5xx and no answer that is not documented", async () => {
    const call = outgoing({ tenantId: "demo", interactionId: randomUUID() });
    const email = `fuzz-${randomUUID()}@demo.example`;
    const names = { firstName: "Fuzz", lastName: "Person" };
    const { customer } = await operator.identity.registerCustomer(
      { idempotencyKey: email, email, password, ...names, country: "USA" },
      call,
    );
    const { customerId = "" } = customer ?? {};
    const status = CustomerStatus.CUSTOMER_STATUS_CONFIRMED;
    await operator.compliance.setCustomerStatus({ customerId, status, reason: "test" }, call);
    const opening = { idempotencyKey: email, customerId, currency: "USD" };
    const { account } = await operator.wallet.openWalletAccount(opening, call);
    await operator.wallet.recordDeposit(
      {
        idempotencyKey: email,
        accountId: account?.accountId ?? "",
        amount: { amountMinor: 100_000n, currency: "USD" },
        reference: "test",
      },
      call,
    );
    await expectCleanRuns(await tokenOf("localhost", email), "localhost");
  });

  test("nor does a manager of a tenant with nothing in it", async () => {
    const tenantId = `fuzz-${randomUUID().slice(0, 8)}`;
    const host = `${tenantId}.example`;
    const call = outgoing({ tenantId, interactionId: randomUUID() });
    const basics = { baseCurrency: "USD", currencies: ["USD"], countries: ["USA"], timeZone: "UTC", locale: "en" };
    const preference = { ...basics, agentScope: "MANAGED" };
    await operator.identity.putTenant({ tenant: { tenantId, name: "Fuzz", hosts: [host], preference } }, call);
    const email = "manager@fuzz.example";
    await operator.identity.createStaffUser(
      { idempotencyKey: email, email, password, role: "ROLE_MANAGER", name: "Fuzz Manager" },
      call,
    );
    await expectCleanRuns(await tokenOf(host, email), host);
  });

  async function tokenOf(host: string, email: string): Promise<string> {
    const client = createEdgeClient(baseUrl, host);
    const { body, text } = await client.login({ email, password });
    if (!body?.access_token) throw new Error(text);
    return body.access_token as string;
  }

  async function expectCleanRuns(token: string, host: string): Promise<void> {
    const byItself = await run(token, host, "examples,coverage,fuzzing", Math.ceil(maxTimeS * (1 - shareOfLinks)));
    expect(generatedIn(byItself)).toBeGreaterThan(100);
    expect(generatedIn(await run(token, host, "stateful", Math.ceil(maxTimeS * shareOfLinks)))).toBeGreaterThan(0);
  }

  function run(token: string, host: string, phases: string, seconds: number): Promise<Ended> {
    const headers = { "X-Forwarded-For": ownAddress, "X-Auth-Token": token, Host: host };
    const settings = {
      "--url": baseUrl,
      "--checks": "all",
      "--max-examples": String(maxExamples),
      "--phases": phases,
      "--max-time": String(seconds),
      "--request-timeout": "15",
      "--workers": "1",
      // Found again by who comes next, save where somebody asks to look for what is new.
      "--seed": process.env["TEST_DEPTH"] === "long" ? String(Date.now() % 1_000_000) : "1",
    };
    const options = Object.entries(settings).flat().concat("--no-color");
    for (const [name, value] of Object.entries(headers)) options.push("--header", `${name}: ${value}`);
    for (const id of selfEnding.filter(isOperation)) options.push("--exclude-operation-id", id);
    const config = ["--config-file", resolve("test/contract/schemathesis.toml")];
    return new Promise((done, reject) => {
      const child = spawn(program!, [...config, "run", `${baseUrl}/openapi.json`, ...options], {
        cwd: resolve(".cache"),
        env: { ...process.env, NODE_OPTIONS: "" },
      });
      let output = "";
      child.stdout.on("data", (text) => (output += text));
      child.stderr.on("data", (text) => (output += text));
      child.on("error", reject);
      child.on("close", (status) => {
        writeFileSync(resolve(".cache", `schemathesis-${host}-${phases}.txt`), output);
        done({ status: status ?? 1, output });
      });
    });
  }

  /** How many cases there were. Throws with what schemathesis found. */
  function generatedIn({ status, output }: Ended): number {
    const failures = output.split("= FAILURES =")[1] ?? output;
    if (status !== 0) throw new Error(failures.slice(0, 8_000));
    return Number(/(\d+) generated/.exec(output)?.[1] ?? 0);
  }
});
