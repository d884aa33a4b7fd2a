import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ComplianceServiceDefinition } from "../../proto/gen/compliance/v1/compliance.js";
import { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { collections } from "../../services/compliance/common/store/collections.js";
import { rowKinds } from "../../services/compliance/common/store/outbox-rows.js";
import type { Client } from "../../services/kernel/grpc/client.js";
import { sandboxIdOf } from "../../services/platform/sandbox/sandbox.js";
import { manager, on } from "../support/compliance-fixture.js";
import { declaredCrashPoints, isIdentityCheckPoint } from "../support/crash-points.js";
import { testTenant, waitFor } from "../support/index.js";
import { createInsistence } from "../support/insist.js";
import { startKillableCompliance, type KillableCompliance } from "../support/killable-compliance.js";
import { startOwnServers, type OwnServers } from "../support/own-servers.js";
import { useSandboxLists } from "../support/screening-lists.js";
import { createServiceNetwork, type ServiceNetwork } from "../support/service-network.js";
import { createStandInPlugins } from "../support/stand-in-plugins.js";

jest.setTimeout(120_000);

interface Requested {
  method: string;
  /** The reference that it was asked under. */
  reference: string;
}

const plugins = createStandInPlugins();
/** What the partner was asked, and what it says. */
let requested: Requested[] = [];
let says = (_method: string): string => "PENDING";
const partner = createServer((request, response) => void answer(request, response));
let network: ServiceNetwork;
let servers: OwnServers;
let compliance: KillableCompliance;
let clients: Record<"operator" | "identity" | "gateway", Client<typeof ComplianceServiceDefinition>>;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = "", url = "" } = request;
  const body = Buffer.concat(chunks).toString();
  const reference =
    body === ""
      ? decodeURIComponent(url.split("/").at(-1)!)
      : (JSON.parse(body) as Pick<Requested, "reference">).reference;
  requested.push({ method, reference });
  response.end(JSON.stringify({ reference, status: says(method), reason: "as it was told" }));
}

beforeAll(async () => {
  network = await createServiceNetwork();
  servers = await startOwnServers("identity_check_kills");
  await useSandboxLists(servers.db);
  await new Promise<void>((listening) => partner.listen(0, "127.0.0.1", listening));
  const details = {
    dateOfBirth: "1990-12-10",
    nationality: "NGA",
    identityDocuments: [{ type: "PASSPORT", number: "A01234567", country: "NGA", expiresAt: "2031-01-01" }],
  };
  const customer = {
    customerId: "c1",
    userId: "u-c1",
    firstName: "Ngozi",
    lastName: "Okafor",
    country: "USA",
    details,
    createdAt: new Date("2020-01-01T00:00:00Z"),
  };
  const people = {
    getCustomer: async () => ({ customer }),
    noteCustomerStatus: async () => ({}),
    getTenantClock: async () => ({ clock: { timeZone: "UTC" } }),
    getOrganisationPreference: async (_request: unknown, { tenantId }: { tenantId: string }) => ({
      tenant: { tenantId, hosts: ["a.test"] },
    }),
  };
  compliance = await startKillableCompliance(network, servers, {
    IDENTITY_ADDRESS: await network.standIn("identity", IdentityServiceDefinition, people, [plugins.served]),
    REMITTANCE_ADDRESS: await network.standIn("remittance", RemittanceServiceDefinition, {}),
    PLUGIN_SANDBOX_ORIGINS: "http://127.0.0.1:*",
  });
  const as = (name: keyof typeof clients) =>
    network.client(ComplianceServiceDefinition, "compliance", compliance.port, name);
  clients = { operator: as("operator"), identity: as("identity"), gateway: as("gateway") };
});
beforeEach(() => void (requested = []));
afterAll(async () => {
  compliance.stop();
  await network.close();
  await servers.close();
  partner.closeAllConnections();
  await new Promise((closed) => partner.close(closed));
});

const insist = createInsistence({ passing: ["UNAVAILABLE", "DEADLINE_EXCEEDED"], timeoutMs: 60_000 });
const patience = { timeoutMs: 60_000 };
const policy = { knowYourCustomerRules: [{ name: "Passport", requirement: "IDENTITY_DOCUMENT", mandatory: true }] };

/** A sandbox with a partner of its own, whose customer gives a document. */
async function given(): Promise<string> {
  const tenantId = sandboxIdOf(testTenant());
  const url = `http://127.0.0.1:${(partner.address() as AddressInfo).port}`;
  plugins.install(tenantId, {
    installationId: `identity-${tenantId}`,
    type: "identity-http",
    configuration: { url, timeoutMs: 10_000 },
    secrets: { apiKey: "the-key-that-they-gave-us" },
  });
  await insist(() => clients.operator.putPolicy(policy, on(tenantId)));
  const change = { customerId: "c1", revision: 1, changed: ["DETAILS"], proven: [] };
  await insist(() => clients.identity.notePersonChange(change, on(tenantId)));
  return tenantId;
}

/** Until there was a look, and nothing more is to be looked for. */
const settled = (tenantId: string) =>
  waitFor(
    async () => {
      const ofTenant = { tenantId, kind: { $in: [rowKinds.checkIdentity, rowKinds.caseJoin] } };
      const rows = await servers.db.collection("outbox").find(ofTenant).toArray();
      return rows.length > 0 && rows.every((row) => row["state"] === "DONE");
    },
    { ...patience, what: "every look to be over" },
  );

async function expectStoredOnce(tenantId: string, { isVerified }: { isVerified: boolean }): Promise<void> {
  const read = () => clients.gateway.getCustomerCompliance({ customerId: "c1" }, on(tenantId, manager));
  const { requirements } = (await insist(read)).customer!;
  expect(requirements.map(({ state, reason }) => [state, reason])).toEqual([
    isVerified
      ? ["REQUIREMENT_STATE_FULFILLED", "verified by the external provider"]
      : ["REQUIREMENT_STATE_OUTSTANDING", expect.any(String)],
  ]);
  const audit = await servers.db.collection(collections.audit).find({ tenantId, action: "identity.verify" }).toArray();
  expect(audit).toHaveLength(isVerified ? 1 : 0);
  expect(await servers.db.collection(collections.cases).countDocuments({ tenantId })).toBe(isVerified ? 0 : 1);
  // Their texts lie sealed, and the keys are the processes'.
  const inOrder = { sort: { sequence: 1 } } as const;
  const events = await servers.db.collection(collections.caseEvents).find({ tenantId }, inOrder).toArray();
  expect(events.map((one) => one["kind"] as string)).toEqual(isVerified ? [] : ["OPENED", "IDENTITY_CHECKED"]);
}

const declared = declaredCrashPoints("compliance").filter(isIdentityCheckPoint);
const answered = "compliance.identity.answered";

test("each of the points is killed at below", () => {
  expect(declared.toSorted()).toEqual([answered, "compliance.identity.kept"]);
});

test.each(declared.flatMap((point) => ["VERIFIED", "NOT_VERIFIED", "REFER"].map((status) => [point, status] as const)))(
  "killed with -9 at %s, what the partner said is kept once: %s",
  async (point, status) => {
    says = () => status;
    await throughDeath(point, { isVerified: status === "VERIFIED" });
    expect(new Set(requested.map(({ method }) => method))).toEqual(new Set(["POST"]));
    if (point === answered) expect(requested.length).toBeGreaterThan(1);
  },
);

// Its second answer is that to the later look.
test.each([...declared, `${answered}:2`])(
  "killed with -9 at %s, what is PENDING is looked for later",
  async (point) => {
    says = (method) => (method === "POST" ? "PENDING" : "VERIFIED");
    await throughDeath(point, { isVerified: true });
    const methods = requested.map(({ method }) => method);
    // Asked in full until it was written down that the partner knows of it;
    // by the reference from then on.
    expect(methods).toEqual(methods.toSorted().toReversed());
    expect(new Set(methods)).toEqual(new Set(["POST", "GET"]));
    if (point === `${answered}:2`) expect(methods.filter((one) => one === "GET").length).toBeGreaterThan(1);
  },
);

async function throughDeath(point: string, expected: { isVerified: boolean }): Promise<void> {
  const before = compliance.kills();
  compliance.killAt(point);
  const tenantId = await given();
  await settled(tenantId);
  // A point that nobody passed would prove nothing.
  expect(compliance.isToBeKilled()).toBe(false);
  expect(compliance.kills()).toBe(before + 1);
  await expectStoredOnce(tenantId, expected);
  expect(new Set(requested.map(({ reference }) => reference))).toEqual(new Set(["c1:identity-document:1:1"]));
}
