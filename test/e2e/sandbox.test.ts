import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { createEdgeClient, demoUser, readDemo, services, type EdgeClient } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";

jest.setTimeout(120_000);

const demo = readDemo();
const manager = demoUser(demo, "MANAGER");
const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
const base = `${services}/sandbox`;
const children: ChildProcess[] = [];

let staff: EdgeClient;
let customer: EdgeClient;
beforeAll(async () => {
  [staff, customer] = [
    createEdgeClient(demo.baseUrl, "localhost", "/sandbox"),
    createEdgeClient(demo.baseUrl, "localhost", "/sandbox"),
  ];
  await staff.login(manager);
  await customer.login(amina);
});
afterAll(async () => {
  await staff.send("DELETE", `${base}/outcomes`);
  for (const child of children) child.kill("SIGKILL");
});

const keyed = () => ({ "x-idempotency-key": randomUUID() });
const force = async (body: object, headers = keyed()) => {
  const answer = await staff.send("POST", `${base}/outcomes`, { headers, body });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer;
};

async function created(): Promise<{ id: string; totalAmount: string; status: string }> {
  const order = { sendAmount: "10.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
  const answer = await customer.createTransaction(amina, order);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.body.data;
}

/** Pays from the sandbox's own wallet; the demo's file names the live one. */
async function paid(): Promise<string> {
  const { id, totalAmount } = await created();
  const wallets = (await customer.send("GET", `${services}/paymentmanagement/wallet-accounts`)).body.data;
  const { accountId } = wallets.find((one: { currency: string }) => one.currency === "USD");
  const answer = await customer.pay(amina, { payAbleId: id, accountId, total: totalAmount });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return id;
}

const until = (id: string, status: string) =>
  waitFor(async () => (await customer.readTransaction(id)).body.data.status === status, {
    timeoutMs: 40_000,
    everyMs: 100,
    what: `${id} to be ${status}`,
  });

test("the root says where the documentation is, for any host", async () => {
  for (const host of ["localhost", "nobody.example"]) {
    const answer = await createEdgeClient(demo.baseUrl, host).send("GET", "/");
    expect([answer.status, answer.body.data]).toEqual([200, { documentation: "/docs", openApi: "/openapi.json" }]);
  }
});

test("a live tenant has none of it, and nobody but a manager forces outcomes", async () => {
  const live = createEdgeClient(demo.baseUrl);
  await live.login(manager);
  for (const path of ["/outcomes", "/messages"]) {
    const answer = await live.send("GET", `${base}${path}`);
    expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
  }
  const refused = await customer.send("POST", `${base}/outcomes`, {
    headers: keyed(),
    body: { of: "PAYOUT", outcome: "REFUSE" },
  });
  expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN"]);
});

test("it comes with the demo's offers, and the next payout ends as it is told: refused, then paid, then sent back", async () => {
  const headers = keyed();
  const told = { of: "PAYOUT", outcome: "REFUSE", reason: "account closed" };
  const first = await force(told, headers);
  const again = await force(told, headers);
  expect([again.text, again.headers["idempotency-replayed"]]).toEqual([first.text, "true"]);
  const other = await staff.send("POST", `${base}/outcomes`, { headers, body: { ...told, outcome: "HANG" } });
  expect([other.status, other.body.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
  await until(await paid(), "REFUNDED");

  const id = await paid();
  await until(id, "COMPLETED");
  const back = () => staff.send("POST", `${base}/payouts/${id}/return`, { body: { kept: "1.005" } });
  expect([(await back()).status, (await back()).status]).toEqual([200, 200]);
  await until(id, "REFUNDED");
});

test("a partner that loses an answer or hangs for one transaction pays all the same once it is asked again", async () => {
  const lost = await created();
  await force({ of: "PAYOUT", outcome: "LOSE_ANSWER", subject: lost.id, times: 0 });
  const { data } = (await staff.send("GET", `${base}/outcomes`)).body;
  expect(data).toMatchObject([{ of: "PAYOUT", outcome: "LOSE_ANSWER", subject: lost.id }]);
  expect(data[0]).not.toHaveProperty("times");
  const { outcomeId } = data[0];
  expect((await staff.send("DELETE", `${base}/outcomes/${outcomeId}`)).body.data).toEqual({ cleared: 1 });
  expect((await staff.send("DELETE", `${base}/outcomes/${outcomeId}`)).body.data).toEqual({ cleared: 0 });
  await force({ of: "PAYOUT", outcome: "LOSE_ANSWER" });
  await until(await paid(), "COMPLETED");
});

test("compliance decides as it is told, for the next transaction or a customer's", async () => {
  await force({ of: "COMPLIANCE_DECISION", outcome: "REVIEW" });
  expect((await created()).status).toBe("AWAITING_COMPLIANCE");
  expect((await created()).status).toBe("AWAITING_PAYMENT");
  const wrong = { of: "COMPLIANCE_DECISION", outcome: "HANG" };
  const refused = await staff.send("POST", `${base}/outcomes`, { headers: keyed(), body: wrong });
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [{ path: "outcome", message: "of COMPLIANCE_DECISION must be one of REVIEW, REJECT" }],
  ]);
});

test("messages are read by who got them, and all of them by a manager", async () => {
  const reset = { headers: keyed(), body: { email: amina.email } };
  await customer.send("POST", `${services}/securitymanagement/request-password-reset`, reset);
  const arrived = () => customer.send("GET", `${base}/messages?to=${amina.email}&limit=5`);
  const message = await waitFor(
    async () =>
      (await arrived()).body.data.messages.find(({ text }: { text: string }) => text.includes("Your reset token: ")),
    { timeoutMs: 20_000, everyMs: 100, what: "the mail" },
  );
  expect(message).toMatchObject({ channel: "EMAIL", to: amina.email, sentAt: expect.stringMatching(/Z$/) });
  const { messages } = (await staff.send("GET", `${base}/messages?limit=1`)).body.data;
  expect(messages).toHaveLength(1);
  const others = await customer.send("GET", `${base}/messages?to=kofi@demo.example`);
  expect([others.status, others.body.code]).toEqual([403, "FORBIDDEN"]);
});

test("domiciliary accounts: the demo's people are in the register, live and in the sandbox; what is missing is named", async () => {
  const item = {
    bvnCountry: "NGA",
    existingAccountBankCode: 58,
    existingAccountBvn: "22123456789",
    existingAccountCurrencyCode: "NGN",
    newAccountCurrencyCode: "USD",
  };
  const { newAccountCurrencyCode: _, ...lacking } = item;
  const live = createEdgeClient(demo.baseUrl);
  await live.login(amina);
  for (const client of [live, customer]) {
    const answer = await client.send("POST", "/gateway/create-domiciliary-bank-account-with-bvn", {
      body: { dormAccountRequestDTO: [lacking, item] },
    });
    expect(answer.body.dormAccountResponseDTO).toMatchObject([
      {
        status: "FAILED",
        msg_code: "DOM_FIELD_MISSING",
        msg_note: "dormAccountRequestDTO[0].newAccountCurrencyCode is missing",
      },
      { status: "SUCCESS", createdAccountNumber: expect.stringMatching(/^\d{10}$/) },
    ]);
  }
});

/** A second process of the cluster's kind, from its environment, with something else in it. */
function startLike(name: string, main: string, env: NodeJS.ProcessEnv, output: "pipe" | number): ChildProcess {
  const { pid } = readClusterFile(process.env["E2E_DATA_DIR"]!).processes[name]!;
  const lines = readFileSync(`/proc/${pid}/environ`, "utf8")
    .split("\0")
    .filter((line) => line.includes("="));
  const own = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const child = spawn(process.execPath, [resolve("dist", main)], {
    env: { ...own, ...env },
    stdio: ["ignore", output, output],
  });
  children.push(child);
  return child;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

const onLinux = existsSync("/dev/full") && existsSync("/proc/self/environ") ? describe : describe.skip;

onLinux("processes like the cluster's", () => {
  test.each([
    ["gateway", "gateway/main.js"],
    ["identity", "services/identity/main.js"],
    ["remittance", "services/remittance/main.js"],
    ["partner", "deploy/partner/main.js"],
  ])("%s serves although its log is on a full disk, and counts the lines it lost", async (name, main) => {
    const [port, adminPort] = [await freePort(), await freePort()];
    const ports = { PORT: String(port), ADMIN_PORT: String(adminPort) };
    const books = name === "partner" && { PARTNER_BOOKS_FILE: join(mkdtempSync(join(tmpdir(), "books-")), "books.db") };
    const child = startLike(name, main, { ...ports, ...books }, openSync("/dev/full", "w"));
    const isReady = () =>
      fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitFor(isReady, { timeoutMs: 60_000, everyMs: 100, what: `${name} to be ready` });
    if (name === "gateway") {
      const edge = createEdgeClient(`http://127.0.0.1:${port}`);
      expect((await edge.login(amina)).status).toBe(200);
    }
    const metrics = async () => (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    const isCounted = async () => name === "partner" || /^manilla_log_lines_lost_total [1-9]/m.test(await metrics());
    await waitFor(isCounted, { timeoutMs: 10_000, everyMs: 100, what: "the lost lines" });
    expect(child.exitCode).toBeNull();
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  // The driver looks for ten seconds: meanwhile the others are tried.
  let away: { child: ChildProcess; printed: string };
  beforeAll(() => {
    const env = { PORT: "0", ADMIN_PORT: "", MONGODB_URI: "mongodb://127.0.0.1:1/?directConnection=true" };
    away = { child: startLike("wallet", "services/wallet/main.js", env, "pipe"), printed: "" };
    for (const stream of [away.child.stdout!, away.child.stderr!]) {
      stream.on("data", (part: Buffer) => (away.printed += part.toString()));
    }
  });

  test("a service that starts while MongoDB is away says so in one line of JSON", async () => {
    const { child } = away;
    await waitFor(async () => child.exitCode !== null, { timeoutMs: 60_000, everyMs: 100, what: "it to end" });
    expect(child.exitCode).toBe(1);
    const { printed } = away;
    const lines = printed.trimEnd().split("\n");
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      level: "fatal",
      service: "wallet",
      msg: "wallet cannot start",
      err: { message: expect.stringContaining("127.0.0.1:1") },
    });
    expect(lines[0]!.length).toBeLessThan(1_000);
  });
});
