import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import type { Shot } from "../edge/load.js";

const services = "/api/v6/services";

/**
 * A tenant of the demo, with a customer for each client: a customer's own limits are one document.
 */
export async function seed(dataDir: string, clients: number): Promise<void> {
  const demo = parse(readFileSync("deploy/seed/demo.yaml", "utf8")) as { tenants: Record<string, unknown>[] };
  const { investmentProducts: _products, loanProducts: _loans, payoutPoints: _points, ...tenant } = demo.tenants[0]!;
  const [amina] = tenant["customers"] as Record<string, unknown>[];
  const { loans: _own, bankAccounts: _accounts, wallets: _wallets, beneficiaries, ...person } = amina!;
  const [recipient] = beneficiaries as Record<string, unknown>[];
  const customers = Array.from({ length: clients }, (_, client) => ({
    ...person,
    email: emailOf(client),
    phoneNumber: `+1202555${String(1_000 + client)}`,
    code: `C-BENCH-${client}`,
    beneficiaries: [{ ...recipient, code: `B-BENCH-${client}` }],
  }));
  const fixture = join(dataDir, "bench.json");
  writeFileSync(fixture, JSON.stringify({ tenants: [{ ...tenant, customers }] }));
  const child = fork(resolve("dist/deploy/seed/main.js"), [fixture], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await new Promise<void>((done, failed) =>
    child.once("exit", (code) => (code === 0 ? done() : failed(new Error(`the seed ended with ${code}`)))),
  );
}

const emailOf = (client: number) => `bench-${client}@demo.example`;

export async function login(baseUrl: string, client: number): Promise<string> {
  const answer = await fetch(`${baseUrl}${services}/securitymanagement/login`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: emailOf(client), currentPassword: "Demo-Amina-1" }),
  });
  if (answer.status !== 200) throw new Error(`nobody logged in: ${await answer.text()}`);
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** A create-transaction of each client's own customer. */
export function shots(baseUrl: string, tokens: readonly string[]): (client: number) => Shot {
  return (client) => ({
    url: `${baseUrl}${services}/transactionmanagement/create-transaction`,
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-Auth-Token": tokens[client]!,
      "x-idempotency-key": randomUUID(),
      ipAddress: "203.0.113.7",
    },
    body: JSON.stringify(sampleOrder(`C-BENCH-${client}`, `B-BENCH-${client}`)),
  });
}

/** A dollar to a bank account in Nigeria, as the edge takes it. */
export const sampleOrder = (senderCode: string, recipientCode: string) => ({
  sendAmount: "1.00",
  inclussive: false,
  sendCurrency: "USD",
  receivingCurrency: "NGN",
  type: "ACCOUNTPAYMENT",
  preExistingSenderCustomerCode: senderCode,
  preExistingRecipientCustomerCode: recipientCode,
  creditParty: [
    { key: "bankname", value: "First Bank of Nigeria" },
    { key: "bankaccountno", value: "3001234560" },
    { key: "accountholdername", value: "Chidi Okafor" },
    { key: "bankcode", value: "011" },
  ],
  internationalTransferInformation: {
    originCountry: "USA",
    receivingCountry: "NGA",
    remittancePurpose: "FAMILY_SUPPORT",
    sourceOfFunds: "SALARY",
  },
});
