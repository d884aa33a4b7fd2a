import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { ContactType } from "../../../../proto/gen/compliance/v1/compliance.js";
import { agent, createComplianceWorld, manager, on, refused } from "../../../../test/support/compliance-fixture.js";
import type { ComplianceWorld } from "../../../../test/support/compliance-fixture.js";
import { waitFor } from "../../../../test/support/index.js";
import { startSandboxPartner } from "../../../../test/support/sandbox-partner.js";

jest.setTimeout(60_000);

let world: ComplianceWorld;
let partner: Awaited<ReturnType<typeof startSandboxPartner>>;
/** How the tenant's own verifier answers, where a test puts one in the partner's place. */
let answer: (response: ServerResponse, reference: string) => void;
const own = createServer((request, response) => {
  void text(request).then((body) => answer(response, (JSON.parse(body || "{}") as { reference: string }).reference));
});
beforeAll(async () => {
  [world, partner] = await Promise.all([createComplianceWorld("contact_plugins"), startSandboxPartner()]);
  await new Promise<void>((listening) => own.listen(0, "127.0.0.1", listening));
});
beforeEach(() => world.reset());
afterAll(async () => {
  await Promise.all([world.close(), partner.stop()]);
  own.closeAllConnections();
  await new Promise((closed) => own.close(closed));
});

const ownUrl = () => `http://127.0.0.1:${(own.address() as AddressInfo).port}`;
const forwarding = { doNotForwardEmailVerification: true, doNotForwardPhoneVerification: true };
const policy = { knowYourCustomerRules: [{ name: "Phone", requirement: "PHONE_NUMBER", mandatory: true }] };
const open = () => world.openTenant(policy, { confirm: false, asSandbox: true, ...forwarding });

function install(
  tenantId: string,
  {
    url = partner.url,
    apiKey = partner.apiKey,
    status = "ENABLED",
    timeoutMs = 10_000,
    missingSecrets = [] as string[],
  } = {},
) {
  const plugin = {
    installationId: `contacts-${tenantId}`,
    type: "contact-http",
    kind: "CONTACT_VERIFICATION",
    status,
    configurationJson: JSON.stringify({ url, timeoutMs }),
    secrets: missingSecrets.includes("apiKey") ? {} : { apiKey },
    missingSecrets,
    name: "Ours",
    routes: [],
    revision: 1n,
  };
  world.state.plugins.set(tenantId, [plugin]);
  return plugin.installationId;
}
const verify = (tenantId: string) =>
  world.gateway.verifyContact({ userId: "u-c1", type: ContactType.CONTACT_TYPE_PHONE_NUMBER }, on(tenantId, agent));
const stateOf = async (tenantId: string) =>
  (await world.gateway.getCustomerCompliance({ customerId: "c1" }, on(tenantId, manager))).customer!.requirements[0]!
    .state;
async function checksOf(installationId: string, tenantId: string) {
  await world.pluginOwner.testPlugin({ installationId }, on(tenantId, manager));
  return world
    .told(tenantId)
    .pluginTests.splice(0)
    .flatMap(({ checks }) => checks);
}

test("a tenant's contacts are verified by its own partner alone; another tenant's by the operator's", async () => {
  const [tenant, other] = [await open(), await open()];
  const installationId = install(tenant);
  const verified = await verify(tenant);
  expect(verified.verified).toBe(true);
  expect(JSON.parse(verified.rawProviderResponse)).toMatchObject({
    reference: "c1:phone-number:1",
    status: "VERIFIED",
  });
  expect(await stateOf(tenant)).toBe("REQUIREMENT_STATE_FULFILLED");
  expect(world.verifiedOf(tenant)).toEqual([]);
  const noted = await waitFor(() =>
    world.told(tenant).pluginCalls.find((one) => one.installationId === installationId),
  );
  expect(noted.calls).toMatchObject([
    { operation: "verify", reference: "c1:phone-number:1", status: 200, outcome: "OK" },
  ]);
  await verify(other);
  expect(world.verifiedOf(other)).toHaveLength(1);
  expect(world.logged.join("")).not.toMatch(new RegExp(`${partner.apiKey}|2025550143`));
});

test("a contact that is nobody's stays outstanding, and so does one under a key that is refused", async () => {
  const [unknown, wrong] = [await open(), await open()];
  install(unknown);
  install(wrong, { apiKey: "another-key-of-letters" });
  world.state.phones.set("c1", "+2348012340000");
  for (const tenant of [unknown, wrong]) {
    expect((await verify(tenant)).verified).toBe(false);
    expect(await stateOf(tenant)).toBe("REQUIREMENT_STATE_OUTSTANDING");
    expect(world.verifiedOf(tenant)).toEqual([]);
  }
});

test.each([
  ["5xx", (response: ServerResponse) => void response.writeHead(502).end()],
  ["nothing", () => undefined],
  ["half an answer", (response: ServerResponse) => void response.end('{"status":"VERI')],
])("%s is no answer: nothing is kept, and the operator's is not asked in its place", async (_name, answers) => {
  answer = answers;
  const tenant = await open();
  install(tenant, { url: ownUrl(), timeoutMs: 400 });
  expect((await refused(verify(tenant))).code).toBe("UNAVAILABLE");
  expect(await stateOf(tenant)).toBe("REQUIREMENT_STATE_OUTSTANDING");
  expect(world.verifiedOf(tenant)).toEqual([]);
});

test("one that lacks its key is not asked, nor is anybody in its place", async () => {
  answer = (response) => void response.end('{"status":"VERIFIED"}');
  let received = 0;
  const count = () => (received += 1);
  own.on("request", count);
  const tenant = await open();
  install(tenant, { url: ownUrl(), missingSecrets: ["apiKey"] });
  expect((await refused(verify(tenant))).code).toBe("UNAVAILABLE");
  expect(await stateOf(tenant)).toBe("REQUIREMENT_STATE_OUTSTANDING");
  own.off("request", count);
  expect([received, world.verifiedOf(tenant)]).toEqual([0, []]);
});

test("while it is paused the operator's is asked; while identity is away nobody is", async () => {
  const [paused, unknown] = [await open(), await open()];
  install(paused, { status: "PAUSED" });
  expect((await verify(paused)).verified).toBe(true);
  expect(world.verifiedOf(paused)).toHaveLength(1);
  world.state.isPluginsAway = true;
  expect((await refused(verify(unknown))).code).toBe("UNAVAILABLE");
  world.state.isPluginsAway = false;
  expect(world.verifiedOf(unknown)).toEqual([]);
});

test("the sandbox partner passes every check; one that knows every contact, or every key, does not", async () => {
  const tenant = await open();
  const passed = await checksOf(install(tenant), tenant);
  expect(passed.map(({ name, result }) => `${result} ${name}`)).toEqual([
    "PASSED the address answers",
    "PASSED another key is refused",
    "PASSED the same reference twice is answered the same",
    "PASSED a contact that is nobody's is UNVERIFIED",
  ]);
  const failed = async (answers: typeof answer) => {
    answer = answers;
    const checks = await checksOf(install(tenant, { url: ownUrl(), timeoutMs: 400 }), tenant);
    return checks.flatMap(({ result, detail }) => (result === "FAILED" ? detail : []));
  };
  const all: typeof answer = (response, reference) =>
    void response.end(JSON.stringify({ reference, status: "VERIFIED" }));
  expect(await failed(all)).toEqual([
    "a request with another key was answered 200 and not 401",
    "it is VERIFIED and not UNVERIFIED",
  ]);
  expect(await failed(() => undefined)).toHaveLength(4);
});
