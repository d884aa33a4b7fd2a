import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { freePort } from "../../deploy/local/ports.js";
import { Manilla, webhooks } from "../../sdk/src/index.js";
import { buildLibrary } from "../../sdk/test/build.js";
import { oldNode } from "../../sdk/test/old-node.js";
import { demoUser, readDemo, type Demo } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";
import { oneAtATime } from "../support/one-at-a-time.js";
import { blocksBelow, runText } from "../support/snippets.js";

jest.setTimeout(180_000);
oneAtATime();

const library = join(__dirname, "../../sdk");
let demo: Demo;
beforeAll(() => {
  demo = readDemo();
});

describe("the guide in sdk/README.md", () => {
  const page = readFileSync(join(library, "README.md"), "utf8");
  const here = (text: string) => text.replaceAll('"http://localhost:8080"', JSON.stringify(demo.baseUrl));

  test("its ten minutes work, from the first call to the money that comes back", async () => {
    const requested: unknown[][] = [];
    const printed = { log: (...words: unknown[]) => void requested.push(words) };
    await runText(here(blocksBelow(page, "The first ten minutes").join("\n")), { console: printed });
    const words = requested.map((line) => line.join(" "));
    expect(words[0]).toMatch(/^[\d.]+ USD gives [\d.]+ NGN$/);
    expect(words[1]).toMatch(/^\S+ costs [\d.]+ by the quote: true$/);
    expect(words[2]).toBe("true true");
    expect(words).toContain("transaction.refunded");
    expect(words.filter((line) => line.startsWith("PAYABLE_ALREADY_PAID"))).toHaveLength(1);
    expect(words.at(-1)).toMatch(/^\S+ [A-Z_]+ [\d.]+$/);
  });

  test("it runs as written on Node 20.11, in a folder from npm init -y that has the package as it is published", async () => {
    const folder = mkdtempSync(join(tmpdir(), "manilla-guide-"));
    const built = buildLibrary();
    try {
      const run = promisify(execFile);
      const env = { ...process.env, NODE_OPTIONS: "" };
      await run("npm", ["init", "-y"], { cwd: folder, env });
      const installed = join(folder, "node_modules/@manilla/client");
      cpSync(built.folder, join(installed, "dist"), { recursive: true });
      for (const name of ["package.json", "README.md"]) cpSync(join(library, name), join(installed, name));
      rmSync(join(installed, "dist/package.json"));
      writeFileSync(join(folder, "guide.mjs"), here(blocksBelow(page, "The first ten minutes").join("\n")));
      const { stdout } = await run(await oldNode("20.11.1"), ["guide.mjs"], { cwd: folder, env });
      expect(stdout).toContain("\ntransaction.refunded\n");
      expect(stdout).toContain("\nPAYABLE_ALREADY_PAID ");
    } finally {
      built.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("its receiver reads a delivery, and its client of two groups is made", async () => {
    const secret = `whsec_${Buffer.from(randomUUID()).toString("base64")}`;
    const rawBody = JSON.stringify({ id: "e", type: "transaction.completed", data: { transactionCode: "MN1" } });
    const headers = await webhooks.sign(rawBody, secret, "e");
    const requested: unknown[] = [];
    const values = { rawBody, request: { headers }, process: { env: { WEBHOOK_SECRET: secret } } };
    const printed = { log: (word: unknown) => void requested.push(word) };
    for (const block of blocksBelow(page, "Webhooks")) await runText(block, { ...values, console: printed });
    expect(requested).toEqual(["MN1"]);
    const credentials = { apiToken: "mnl_of.the.user" };
    const [block] = blocksBelow(page, "Small bundles");
    const small = await runText(block!, { baseUrl: demo.baseUrl, credentials }, "manilla");
    expect(Object.keys(small as object)).toEqual(["quotes", "transactions"]);
  });
});

describe("sdk/examples/shop", () => {
  let folder: string;
  let shop: ChildProcess | undefined;
  let url: string;
  const clientOf = ({ email, password }: { email: string; password: string }) =>
    new Manilla({ baseUrl: demo.baseUrl, sandbox: true, credentials: { email, password } });
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(url + path, { method, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: (await response.json().catch(() => undefined)) as any };
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "manilla-shop-"));
    const outfile = join(folder, "shop.mjs");
    await build({
      entryPoints: [join(library, "examples/shop/main.ts")],
      alias: { "@manilla/client": join(library, "src/index.ts") },
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
      bundle: true,
      format: "esm",
      platform: "node",
      outfile,
    });
    const port = await freePort();
    url = `http://localhost:${port}`;
    const { email, password } = demoUser(demo, "MANAGER");
    const env = { PATH: process.env["PATH"], SHOP_PORT: String(port), MANILLA_URL: demo.baseUrl };
    shop = spawn(process.execPath, [outfile], {
      env: { ...env, MANILLA_EMAIL: email, MANILLA_PASSWORD: password },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await Promise.race([
      once(shop.stdout!, "data"),
      once(shop, "exit").then(([code]) => [`ended ${code}`]),
    ]);
    expect(String(line)).toMatch(/^the shop is open/);
  });

  afterAll(async () => {
    if (shop && shop.exitCode === null) {
      shop.kill("SIGKILL");
      await once(shop, "exit");
    }
    const manager = clientOf(demoUser(demo, "MANAGER"));
    const { endpoints } = await manager.webhooks.listEndpoints();
    for (const endpoint of endpoints) {
      if (endpoint.url === `${url}/events`) await manager.webhooks.removeEndpoint(endpoint.endpointId);
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test("a customer buys from the wallet, and the shop learns of it by its webhook", async () => {
    const orderId = randomUUID();
    const ordered = await ask("POST", `/orders/${orderId}`, { item: "tea" });
    expect(ordered).toMatchObject({ status: 200, body: { orderId, item: "tea", total: "3.50", isPaid: false } });
    expect(await ask("POST", `/orders/${orderId}`, { item: "tea" })).toEqual(ordered);
    expect((await ask("POST", `/orders/${orderId}`, { item: "teapot" })).status).toBe(409);
    expect((await ask("POST", `/orders/${randomUUID()}`, { item: "gold" })).status).toBe(400);

    const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
    const customer = clientOf(amina);
    const wallets = await customer.payments.listWalletAccounts();
    await customer.payments.payFromWallet({
      payableType: "MERCHANT",
      payableId: ordered.body.payableId,
      accountId: wallets.find(({ currency }) => currency === "USD")!.accountId,
      totalCheckOutAmount: ordered.body.total,
      paymentGatewayRef: orderId,
      password: amina.password,
    });
    const isPaid = async () => (await ask("GET", `/orders/${orderId}`)).body.isPaid as boolean;
    await waitFor(isPaid, { timeoutMs: 60_000, everyMs: 200, what: "the shop to be told of the payment" });
  });

  test("an event that Manilla did not sign changes nothing", async () => {
    const orderId = randomUUID();
    const { payableId } = (await ask("POST", `/orders/${orderId}`, { item: "teapot" })).body;
    const event = JSON.stringify({ id: "e", type: "payment.succeeded", data: { payAbleId: payableId } });
    const headers = await webhooks.sign(event, `whsec_${btoa("another secret")}`, "e");
    expect((await fetch(`${url}/events`, { method: "POST", headers, body: event })).status).toBe(400);
    expect((await ask("GET", `/orders/${orderId}`)).body.isPaid).toBe(false);
  });
});
