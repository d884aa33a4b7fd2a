import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { certify } from "../../services/platform/certification/index.js";
import { fetchExchange, type Exchange } from "../../services/platform/partners/exchange.js";
import { payeeHttp } from "../../services/platform/plugins/types/payee-http.js";
import { partnerKey, startSandboxPartner } from "../../test/support/payout-partner.js";
import { payeeContract } from "./payee-openapi.js";

const document = payeeContract();
const ajv = new Ajv2020({ strict: false });
ajv.addSchema(document, "doc");
const [requested, answered] = ["PayeeCheck", "PayeeAnswer"].map((name) =>
  ajv.compile({ $ref: `doc#/components/schemas/${name}` }),
);

let partner: Awaited<ReturnType<typeof startSandboxPartner>>;
beforeAll(async () => (partner = await startSandboxPartner()));
afterAll(async () => {
  await partner.stopPartner();
  await partner.removeBooks();
});

const account = { bankaccountno: "0000014579", bankcode: "011", country: "NGA", currency: "NGN" };
const tenant = "acme--sandbox";

async function ask(name: string, more: object = {}) {
  const response = await fetch(`${partner.url}/v1/payee-checks`, {
    method: "POST",
    headers: { authorization: `Bearer ${partnerKey}`, "x-account": tenant, "content-type": "application/json" },
    body: JSON.stringify({ checkReference: `ref ${name}`, account, name, kind: "PERSON", ...more }),
  });
  return { status: response.status, ...((await response.json()) as Record<string, unknown>) };
}

async function control(path: string, body: object): Promise<void> {
  const method = "POST";
  await fetch(`${partner.url}/control/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

test("the committed document is what the shapes give: else run `npm run openapi` and commit it", () => {
  const file = join(__dirname, "../../docs/payee-check.openapi.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(document);
  expect(document.info.version).toBe(payeeHttp.version);
});

test("the sandbox partner passes the certification, asked and answering as the document says", async () => {
  const faults: unknown[] = [];
  const watched: Exchange = async (url, request) => {
    if (!requested!(JSON.parse(request.body!))) faults.push(requested!.errors);
    const answer = await fetchExchange(url, request);
    if (answer.status === 200 && !answered!(JSON.parse(answer.text))) faults.push(answered!.errors);
    return answer;
  };
  const target = { url: partner.url, apiKey: partnerKey, account: tenant, exchange: watched };
  const reports = await certify(target, "PAYEE_CHECK");
  expect(reports.filter(({ result }) => result !== "PASSED")).toEqual([]);
  expect(reports.length).toBeGreaterThanOrEqual(12);
  expect(faults).toEqual([]);
});

/** What a partner answers who is told of each thing a bad one does. */
const bad: Record<string, (answer: Record<string, unknown>) => object> = {
  "an answer repeats the reference and the account": (answer) => ({ ...answer, checkReference: "another" }),
  "a number of mobile money is an account": (answer) => ({ ...answer, account }),
  "the name on the account is told to a close match alone": (answer) => ({ ...answer, accountName: "Chidi Eze" }),
  "one that is to be CMTC is": ({ accountName: _name, ...answer }) => answer,
  "one that is to be NMTC is": (answer) => ({ ...answer, result: "MTCH" }),
};

test.each(Object.entries(bad))("a partner fails the check: %s", async (name, change) => {
  const exchange: Exchange = async (url, request) => {
    const answer = await fetchExchange(url, request);
    if (answer.status !== 200) return answer;
    return { ...answer, text: JSON.stringify(change(JSON.parse(answer.text) as Record<string, unknown>)) };
  };
  const reports = await certify({ url: partner.url, apiKey: partnerKey, account: tenant, exchange }, "PAYEE_CHECK");
  expect(reports.find((report) => report.name === name)).toMatchObject({ result: "FAILED" });
});

test("the sandbox partner answers as it is told: by the name, by whose the account is, by a rule", async () => {
  expect(await ask("Tolu Adeyemi")).toMatchObject({ result: "MTCH", account });
  expect(await ask("Tolu Adeyemi Differs")).toMatchObject({ result: "CMTC", accountName: "Tolu Adeyemi" });
  expect(await ask("Tolu Nobody")).not.toHaveProperty("accountName");
  expect(await ask("Tolu Unknown")).toMatchObject({ result: "NOAP" });

  await control("payees", { account: tenant, accountNumber: account.bankaccountno, accountName: "Tolu Ade" });
  expect(await ask("TOLU ADE")).toMatchObject({ result: "MTCH" });
  expect(await ask("Tolu Adeyemi")).toMatchObject({ result: "CMTC", accountName: "Tolu Ade" });
  expect(await ask("Chidi Eze")).toMatchObject({ result: "NMTC" });

  await control("rules", { of: "PAYEE_CHECK", behaviour: "SERVER_ERROR", account: tenant, times: 1 });
  expect(await ask("Chidi Eze")).toMatchObject({ status: 500 });
  expect(await ask("Chidi Eze", { forced: { result: "NOAP" } })).toMatchObject({ result: "NOAP" });
});
