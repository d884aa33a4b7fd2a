import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { certify } from "../../services/platform/certification/index.js";
import { listenForCallbacks } from "../../services/platform/certification/callback-listener.js";
import { fetchExchange } from "../../services/platform/partners/exchange.js";

jest.setTimeout(60_000);

const file = join(__dirname, "../../docs/examples/payout-connector.ts");
const apiKey = "the-key-that-they-gave-us";
const secret = "whsec_bWFuaWxsYSBjYWxsYmFjayBzZWNyZXQ=";

let connector: ChildProcess;
let port: number;
beforeAll(async () => {
  const env = { ...process.env, PORT: "0", API_KEY: apiKey, CALLBACK_SECRET: secret };
  connector = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(connector.stdout!, "data")) as [Buffer];
  ({ port } = JSON.parse(line.toString()) as { port: number });
});
afterAll(() => connector.kill());

test.each([1, 2] as const)("the sample connector of the guide passes every check of contract %i", async (contract) => {
  const listener = await listenForCallbacks(secret);
  const callbacks = { url: listener.url, has: (reference: string) => listener.has(reference) };
  const at = { url: `http://127.0.0.1:${port}`, apiKey, account: "acme", contract, exchange: fetchExchange, callbacks };
  const reports = await certify(at);
  await listener.stop();
  expect(reports.filter(({ result }) => result !== "PASSED")).toEqual([]);
});

test("and its two files have at most 150 lines each", () => {
  for (const one of [file, join(dirname(file), "payout-books.ts")]) {
    expect(readFileSync(one, "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  }
});
