import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { demoUser, readDemo } from "../support/edge-client.js";

const demo = readDemo();
const wallet = demoUser(demo, "CUSTOMER", { email: "amina" }).wallets?.[0];

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** The rpc tool as a person runs it, against the cluster of this run. */
async function rpc(...args: string[]): Promise<Outcome> {
  const env = { ...process.env, DATA_DIR: process.env["E2E_DATA_DIR"], NODE_OPTIONS: "" };
  const tool = [resolve("dist/deploy/cli/rpc.js"), ...args];
  return promisify(execFile)(process.execPath, tool, { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Outcome) => error,
  );
}

test("lists every rpc of the cluster", async () => {
  const { stdout } = await rpc("--list");
  expect(stdout.split("\n")).toContain("ledger.v1.LedgerService/GetAccount");
});

test("calls a service with the operator's credential and prints its answer as JSON", async () => {
  const request = JSON.stringify({ accountId: wallet?.accountId });
  const { stdout, code } = await rpc(
    "ledger.v1.LedgerService/GetAccount",
    request,
    "--tenant",
    demo.tenants[0]?.id ?? "",
  );
  expect(code).toBe(0);
  const { account } = JSON.parse(stdout) as { account: Record<string, unknown> };
  expect(account).toMatchObject({ accountId: wallet?.accountId, code: "customer_wallet", currency: wallet?.currency });
  expect(account["creditsPostedMinor"]).toMatch(/^\d+$/);
});

test("prints a refusal and ends with status 1", async () => {
  const { code, stderr } = await rpc("GetAccount", '{"accountId":"nobody"}', "--tenant", demo.tenants[0]?.id ?? "");
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/^refused: ACCOUNT_NOT_FOUND: /) });
});

test("is refused what the operator may not do", async () => {
  const { code, stderr } = await rpc("MakePayment", "{}", "--tenant", demo.tenants[0]?.id ?? "");
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/^refused: CALLER_NOT_ALLOWED: /) });
});
