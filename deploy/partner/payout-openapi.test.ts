import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { createHttpConnector } from "../../services/remittance/clients/http-connector.js";
import { money } from "../../services/kernel/money.js";
import { certify } from "../../services/platform/certification/index.js";
import { fetchExchange, type Exchange } from "../../services/platform/partners/exchange.js";
import { manillaHttp } from "../../services/platform/plugins/types/manilla-http.js";
import { callbackSecret, partnerKey, startSandboxPartner } from "../../test/support/payout-partner.js";
import { payoutContract } from "./payout-openapi.js";

jest.setTimeout(60_000);

const root = join(__dirname, "../..");
const file = join(root, "docs/payout-connector.openapi.json");
const account = "acme--sandbox";
const document = payoutContract();
const ajv = new Ajv2020({ strict: false, formats: { date: isDay, "date-time": isMoment, uri: URL.canParse } });
ajv.addSchema(document, "doc");

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(text);
}

function validatorOf(...path: string[]): ValidateFunction {
  const pointer = path.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
  return ajv.getSchema(`doc#/${encodeURI(pointer)}`) ?? ajv.compile({ $ref: `doc#/${encodeURI(pointer)}` });
}

/** The path of the document that a request is of. */
function documented({ pathname }: URL): string {
  const [, version, noun, reference, action] = pathname.split("/");
  return [``, version, noun, ...(reference ? ["{reference}"] : []), ...(action ? [action] : [])].join("/");
}

interface Seen {
  operation: string;
  status: number;
  faults: unknown;
}

/** Holds what is asked and what is answered against the document. */
function watched(seen: Seen[]): Exchange {
  return async (url, request) => {
    const at = ["paths", documented(url), request.method.toLowerCase()];
    if (request.body !== null) {
      const requested = validatorOf(...at, "requestBody", "content", "application/json", "schema");
      const sent = JSON.parse(request.body) as unknown;
      if (!requested(sent)) seen.push({ operation: at.join(" "), status: 0, faults: requested.errors });
    }
    const answer = await fetchExchange(url, request);
    const operation = `${request.method} ${documented(url)}`;
    if (answer.status >= 500) return answer;
    const says = validatorOf(...at, "responses", String(answer.status), "content", "application/json", "schema");
    const isAsDocumented = says(JSON.parse(answer.text));
    seen.push({ operation, status: answer.status, faults: isAsDocumented ? null : says.errors });
    return answer;
  };
}

/** Takes callbacks as somebody who believes them all. */
async function listener() {
  const published: { headers: IncomingMessage["headers"]; body: any }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      published.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const has = (reference: string) => published.some(({ body }) => body.payout.reference === reference);
  return {
    published,
    has,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => server.close(),
  };
}

const sandboxPartner = async () => {
  const partner = await startSandboxPartner();
  return {
    url: partner.url,
    apiKey: partnerKey,
    async stop() {
      await partner.stopPartner();
      await partner.removeBooks();
    },
  };
};

const sampleConnector = async () => {
  const apiKey = "the-key-that-they-gave-us";
  const env = { ...process.env, PORT: "0", API_KEY: apiKey, CALLBACK_SECRET: callbackSecret };
  const sample = join(root, "docs/examples/payout-connector.ts");
  const child = spawn(process.execPath, [sample], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const { port } = JSON.parse(line.toString()) as { port: number };
  return { url: `http://127.0.0.1:${port}`, apiKey, stop: async () => void child.kill() };
};

test("the committed document is what the shapes give: else run `npm run openapi` and commit it", () => {
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(document);
});

test("it has the version of the type", () => {
  expect(document.info.version).toBe(manillaHttp.version);
});

test("it is OpenAPI 3.1, and a document that is none is found out", async () => {
  // Of what the client library's types are generated by.
  const { createConfig, lintFromString } = createRequire(join(root, "node_modules/openapi-typescript/package.json"))(
    "@redocly/openapi-core",
  );
  const config = await createConfig({ extends: ["recommended-strict"] });
  const faultsOf = async (source: string): Promise<string[]> => {
    const problems: any[] = await lintFromString({ source, config });
    return problems.map(({ message, location: [at] }) => `${at.pointer}: ${message}`);
  };
  const text = readFileSync(file, "utf8");
  expect(await faultsOf(text)).toEqual([]);
  expect(await faultsOf(text.replace('"responses": {', '"answers": {'))).not.toEqual([]);
});

test.each([
  ["the sandbox partner", sandboxPartner],
  ["the sample connector of the guide", sampleConnector],
])("%s answers, calls back and is asked as it says", async (_name, start) => {
  const partner = await start();
  const callbacks = await listener();
  const seen: Seen[] = [];
  const { url, apiKey } = partner;
  await certify({ url, apiKey, account, contract: 2, exchange: watched(seen), callbacks });
  const connector = createHttpConnector({
    accessOf: () => ({ url, apiKey }),
    exchange: watched(seen),
    contractOf: () => 2,
  });
  const creditParty = [{ key: "bankaccountno", value: "3001234567" }];
  const callbackUrl = "https://api.example/callbacks/payouts/demo";
  const order = { amount: money(100_50n, "NGN"), method: "ACCOUNTPAYMENT", creditParty, callbackUrl } as const;
  const forced = { behaviour: "REFUSE", reason: "account closed" };
  const call = { tenantId: account };
  await connector.submit({ ...order, reference: "by-the-connector", forced }, call);
  await connector.submitBatch("batch", [{ ...order, reference: "in-a-batch" }], call);
  callbacks.stop();
  await partner.stop();

  expect(seen.filter(({ faults }) => faults !== null)).toEqual([]);
  const answered = new Set(seen.map(({ operation, status }) => `${operation} ${status}`));
  expect([...answered].toSorted()).toEqual([
    "GET /v1/payouts/{reference} 200",
    "GET /v1/payouts/{reference} 404",
    "GET /v1/statement 200",
    "GET /v1/window 200",
    "POST /v1/payout-batches 200",
    "POST /v1/payouts 200",
    "POST /v1/payouts 401",
    "POST /v1/payouts 409",
    "POST /v1/payouts 422",
    "POST /v1/payouts/{reference}/amendments 200",
    "POST /v1/payouts/{reference}/amendments 404",
    "POST /v1/payouts/{reference}/amendments 409",
    "POST /v1/payouts/{reference}/recall 200",
    "POST /v1/payouts/{reference}/recall 409",
  ]);
  const at = ["paths", "/v1/payouts", "post", "callbacks", "changed", "{$request.body#/callbackUrl}", "post"];
  const published = validatorOf(...at, "requestBody", "content", "application/json", "schema");
  expect(callbacks.published.length).toBeGreaterThan(0);
  for (const { headers, body } of callbacks.published) {
    expect([published(body), published.errors]).toEqual([true, null]);
    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(["webhook-id", "webhook-timestamp", "webhook-signature"]),
    );
  }
});
