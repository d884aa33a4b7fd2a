import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClusterFile } from "../../deploy/local/cluster-file.js";
import { createOperatorClients, type OperatorClients } from "../../deploy/local/operator-clients.js";
import { routes } from "../../gateway/operations/index.js";
import { CustomerStatus } from "../../proto/gen/compliance/v1/compliance.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { atDepth } from "../support/depth.js";
import { createEdgeClient, readDemo } from "../support/edge-client.js";
import { roles, sessionsInSandbox } from "../fuzz/in-sandbox.js";
import { isThere } from "../support/outside-tools.js";
import { findSchemathesis, runSchemathesis } from "../support/schemathesis.js";

const program = findSchemathesis();
const howToGetIt = "schemathesis: on PATH, or Python 3 with venv and a package index that pip reaches";
const withSchemathesis = isThere(program, howToGetIt) ? describe : describe.skip;
const maxTimeS = atDepth({ quick: 12, ci: 20, long: 600 }, "SCHEMATHESIS_S");
const maxExamples = atDepth({ quick: 5, ci: 5, long: 200 });

// Of a time that is one for all phases nothing is left for the last one, which follows the links.
const shareOfLinks = 0.4;

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

  describe("in a sandbox, with ids that exist", () => {
    let sessions: Awaited<ReturnType<typeof sessionsInSandbox>>;
    beforeAll(async () => {
      // What is made up changes and removes things: those of the first tenant are other tests'.
      sessions = await sessionsInSandbox(readDemo(), 1);
    });

    test.each(roles)("nor does a %s", async (role) => {
      const { passed, requests, findings } = await runSchemathesis({
        ...sessions.get(role)!,
        program: program!,
        phases: "fuzzing,stateful",
        maxExamples,
        maxTimeS,
        seed: 1,
        name: `sandbox-${role}`,
      });
      if (!passed) throw new Error(findings);
      // How many come in its time is the machine's; none would prove nothing.
      expect(requests).toBeGreaterThan(0);
    });
  });

  async function tokenOf(host: string, email: string): Promise<string> {
    const client = createEdgeClient(baseUrl, host);
    const { body, text } = await client.login({ email, password });
    if (!body?.access_token) throw new Error(text);
    return body.access_token as string;
  }

  async function expectCleanRuns(token: string, host: string): Promise<void> {
    const [itself, links] = [1 - shareOfLinks, shareOfLinks];
    expect(await requestsOf(token, host, "examples,coverage,fuzzing", itself)).toBeGreaterThan(0);
    expect(await requestsOf(token, host, "stateful", links)).toBeGreaterThan(0);
  }

  /** How many requests were sent. Throws with what schemathesis found. */
  async function requestsOf(token: string, host: string, phases: string, share: number): Promise<number> {
    const { passed, requests, findings } = await runSchemathesis({
      program: program!,
      baseUrl,
      host,
      token,
      operationIds: routes.map(({ operationId }) => operationId),
      phases,
      maxExamples,
      // Reading the document takes some seconds of it.
      maxTimeS: Math.max(10, Math.ceil(maxTimeS * share)),
      // Found again by who comes next, save where somebody asks to look for what is new.
      seed: process.env["TEST_DEPTH"] === "long" ? Date.now() % 1_000_000 : 1,
      name: `${host}-${phases}`,
    });
    if (!passed) throw new Error(findings);
    return requests;
  }
});
