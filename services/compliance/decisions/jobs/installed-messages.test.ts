import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ada, createComplianceWorld, on, type ComplianceWorld } from "../../../../test/support/compliance-fixture.js";
import { waitFor } from "../../../../test/support/index.js";

const secret = "a-key-of-the-bank";
let world: ComplianceWorld;
const received: { key: string | undefined; body: string }[] = [];
const service = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    received.push({ key: request.headers.authorization, body: Buffer.concat(chunks).toString() });
    response.writeHead(202).end();
  });
});
beforeAll(async () => {
  world = await createComplianceWorld("installed");
  await new Promise<void>((listening) => service.listen(0, "127.0.0.1", listening));
});
afterAll(async () => {
  await world.close();
  await new Promise((closed) => service.close(closed));
});

const phone = { name: "Phone", requirement: "PHONE_NUMBER", mandatory: true };
const openSandbox = () => world.openTenant({ knowYourCustomerRules: [phone] }, { confirm: false, asSandbox: true });
const askCode = (tenantId: string) => world.gateway.initiateComplianceAction({ customerId: "c1" }, on(tenantId, ada));

test("a code goes by the tenant's own service alone; another tenant's goes by the operator's connector", async () => {
  const [own, other] = [await openSandbox(), await openSandbox()];
  const configuration = {
    url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/`,
    method: "POST",
    contentType: "application/json",
    headers: { Authorization: "Bearer {{secret}}" },
    body: '{"to":"{{to}}","text":"{{text}}"}',
  };
  const plugin = {
    installationId: "sms-1",
    type: "http-sms",
    kind: "SMS",
    status: "ENABLED",
    name: "Ours",
    missingSecrets: [],
    routes: [],
    revision: 1n,
  };
  world.state.plugins.set(own, [{ ...plugin, configurationJson: JSON.stringify(configuration), secrets: { secret } }]);

  await askCode(own);
  await waitFor(() => received.length === 1);
  expect(received[0]!.key).toBe(`Bearer ${secret}`);
  expect(JSON.parse(received[0]!.body)).toMatchObject({ to: "+12025550143", text: expect.stringMatching(/^\d{6}/) });
  expect(world.sentOf(own)).toEqual([]);
  const noted = await waitFor(() => world.told(own).pluginCalls[0]);
  expect(noted.calls).toMatchObject([{ operation: "send", status: 202, outcome: "OK" }]);

  await askCode(other);
  await waitFor(() => world.sentOf(other).length === 1);
  expect(received).toHaveLength(1);
  expect(world.logged.join("")).not.toContain(secret);
});
