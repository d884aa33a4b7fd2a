import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { createEdgeClient, demoUser, readDemo } from "../support/edge-client.js";

const demo = readDemo();
const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
const { host } = demo.tenants[0]!;

jest.setTimeout(120_000);

/** The program of `helm test`, as its pod runs it. */
function helmTest(env: Record<string, string>): Promise<{ code: number; stdout: string; stderr: string }> {
  const own = { PATH: process.env["PATH"] ?? "", ...env };
  return promisify(execFile)(process.execPath, [resolve("dist/deploy/demo/helm-test.js")], { env: own }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

const payer = {
  GATEWAY_URL: demo.baseUrl,
  TENANT_HOST: host,
  CUSTOMER_EMAIL: amina.email,
  CUSTOMER_PASSWORD: amina.password,
};

test("one payment is made and paid out in the sandbox, the live books and other sessions are as they were", async () => {
  const [live, sandbox] = [createEdgeClient(demo.baseUrl, host), createEdgeClient(demo.baseUrl, host, "/sandbox")];
  await Promise.all([live.login(amina), sandbox.login(amina)]);
  const balances = async (client: typeof live) => {
    const { body } = await client.send("GET", "/api/v6/services/paymentmanagement/wallet-accounts");
    return Object.fromEntries(
      (body.data as { currency: string; availableBalance: string }[]).map((one) => [
        one.currency,
        one.availableBalance,
      ]),
    );
  };
  const before = [await balances(live), await balances(sandbox)];
  const { code, stdout, stderr } = await helmTest(payer);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/transaction \S+: [\d.]+ \w+ with fees\n.*paid from the wallet\n.*paid out\n$/);
  expect(stdout).not.toContain(amina.password);
  // Both still read: the program ended its own session and no other.
  const after = [await balances(live), await balances(sandbox)];
  expect(after[0]).toEqual(before[0]);
  const moved = Object.keys(before[1]!).filter((currency) => before[1]![currency] !== after[1]![currency]);
  expect(moved).toHaveLength(1);
});

test.each([
  ["a wrong password", { CUSTOMER_PASSWORD: "Wrong-Password-1" }, /login was answered 401/],
  ["a host of nobody", { TENANT_HOST: "nobody.example" }, /404 TENANT_NOT_FOUND/],
  ["no gateway", { GATEWAY_URL: "http://127.0.0.1:1" }, /ECONNREFUSED/],
])("%s ends it with status 1 and the reason", async (_what, change, reason) => {
  const { code, stderr } = await helmTest({ ...payer, ...change });
  expect(code).toBe(1);
  expect(stderr).toMatch(reason);
});

test("what is not set is named", async () => {
  const { code, stderr } = await helmTest({ GATEWAY_URL: demo.baseUrl });
  expect([code, stderr.trim()]).toEqual([2, "helm test: TENANT_HOST, CUSTOMER_EMAIL, CUSTOMER_PASSWORD must be set"]);
});
