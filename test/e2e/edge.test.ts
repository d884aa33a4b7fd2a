import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { routes } from "../../gateway/operations/index.js";
import { accessTable } from "../contract/role-table.js";
import { atDepth } from "../support/depth.js";
import { createEdgeClient, demoUser, readDemo, services, type Demo, type EdgeAnswer } from "../support/edge-client.js";
import { createExamples } from "../support/examples.js";
import { oneAtATime } from "../support/one-at-a-time.js";
import { createSnippetRunner } from "../support/snippets.js";
import { pause } from "../support/time.js";

let demo: Demo;
beforeAll(() => {
  demo = readDemo();
});

jest.setTimeout(120_000);
oneAtATime();

describe("the documentation's examples", () => {
  test.each(routes.map(({ operationId }) => operationId))("%s works against the demo tenant", async (operationId) => {
    const examples = createExamples(demo);
    const answer = await examples.send(operationId);
    const { example } = routes.find((route) => route.operationId === operationId)!;
    const status = example?.answers ?? 200;
    const code = status < 400 ? undefined : expect.any(String);
    expect([operationId, answer.status, answer.body?.code]).toEqual([operationId, status, code]);
  });

  test("another customer who sends a customer's example gets what the table says, another tenant nothing", async () => {
    const examples = createExamples(demo);
    const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
    const other = demo.tenants[0]!.users.find(({ role, email }) => role === "CUSTOMER" && email !== amina.email)!;
    const foreign = demo.tenants[1]!.users.find(({ role }) => role === "CUSTOMER")!;
    const seen: Record<string, unknown> = {};
    for (const { operationId, example } of routes) {
      if (example?.as !== amina.email || example.sandbox) continue;
      const { status, body } = await examples.send(operationId, { as: other });
      seen[operationId] = { status, ...(status !== 200 && { code: body.code }) };
      const elsewhere = await examples.send(operationId, { as: foreign, loginHost: demo.tenants[1]!.host });
      expect([operationId, elsewhere.status, elsewhere.body.code]).toEqual([operationId, 401, "UNAUTHENTICATED"]);
      const inTheirs = await examples.send(operationId, {
        as: foreign,
        loginHost: demo.tenants[1]!.host,
        host: demo.tenants[1]!.host,
      });
      // What is a list is theirs; what names a thing of ours is not found.
      if (inTheirs.status === 200) expect(inTheirs.text).not.toContain(amina.customerId!);
      else expect([operationId, inTheirs.status]).toEqual([operationId, expect.any(Number)]);
      expect(inTheirs.status).toBeLessThan(500);
    }
    const expected = Object.keys(seen).map((operationId) => [operationId, accessTable[operationId]?.otherCustomer]);
    expect(seen).toEqual(Object.fromEntries(expected));
  });
});

// What the examples above have done, and what cannot be done twice.
const again: Readonly<Record<string, number>> = {
  addBankAccount: 409,
  closePeriod: 409,
  enrolTotp: 403,
  registerAtCounter: 409,
  setPin: 403,
};

describe("the documentation's snippets of the client library", () => {
  let snippets: Awaited<ReturnType<typeof createSnippetRunner>>;
  beforeAll(async () => {
    snippets = await createSnippetRunner(demo);
  });

  test.each([...new Set(routes.map(({ tag }) => tag))])("%s: each does what its example does", async (tag) => {
    const seen: unknown[] = [];
    const expected: unknown[] = [];
    for (const { operationId, example } of routes.filter((route) => route.tag === tag)) {
      const { status, code } = await snippets.run(operationId);
      seen.push([operationId, status, code]);
      const answers = again[operationId] ?? example?.answers ?? 200;
      expected.push([operationId, answers, answers < 400 ? undefined : expect.any(String)]);
    }
    expect(seen).toEqual(expected);
  });
});

describe("/sandbox", () => {
  test("has people and a clock of its own; tokens of one side are refused on the other", async () => {
    const manager = demoUser(demo, "MANAGER");
    const live = createEdgeClient(demo.baseUrl);
    const sandbox = createEdgeClient(demo.baseUrl, "localhost", "/sandbox");
    await live.login(manager);
    expect((await sandbox.login(manager)).status).toBe(200);
    const clockPath = `${services}/admin/business-clock`;
    const [liveClock, sandboxClock] = [await live.send("GET", clockPath), await sandbox.send("GET", clockPath)];
    expect([liveClock.body.data.sandbox, sandboxClock.body.data.sandbox]).toEqual([false, true]);
    const [liveToken, sandboxToken] = [live.token(), sandbox.token()];
    live.useToken(sandboxToken);
    sandbox.useToken(liveToken);
    expect((await live.send("GET", clockPath)).body).toMatchObject({ code: "UNAUTHENTICATED" });
    expect((await sandbox.send("GET", clockPath)).body).toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("its business date moves once per key, the live one's not at all", async () => {
    const manager = demoUser(demo, "MANAGER");
    const sandbox = createEdgeClient(demo.baseUrl, "localhost", "/sandbox");
    await sandbox.login(manager);
    const clockPath = `${services}/admin/business-clock`;
    const key = randomUUID();
    const advance = { headers: { "x-idempotency-key": key }, body: { days: 3 } };
    const before = Date.parse((await sandbox.send("GET", clockPath)).body.data.businessTime);
    const moved = await Promise.all(
      Array.from({ length: 5 }, () => sandbox.send("POST", `${clockPath}/advance`, advance)),
    );
    const final = moved.find(({ status }) => status === 200)!;
    expect((await sandbox.send("POST", `${clockPath}/advance`, advance)).text).toBe(final.text);
    const after = Date.parse((await sandbox.send("GET", clockPath)).body.data.businessTime);
    expect(Math.round((after - before) / 86_400_000)).toBe(3);
    const live = createEdgeClient(demo.baseUrl);
    await live.login(manager);
    expect((await live.send("POST", `${clockPath}/advance`, advance)).status).toBe(403);
  });
});

describe("idempotency keys", () => {
  const keys = atDepth({ quick: 10, ci: 100, long: 100 });
  const parallel = 50;

  test(`${keys} keys × ${parallel} parallel identical requests: one effect and one answer each`, async () => {
    const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
    const client = createEdgeClient(demo.baseUrl);
    await client.login(amina);
    const order = { sendAmount: "1.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
    const ids = new Set<string>();
    const insist = async (key: string, sendAmount: string): Promise<EdgeAnswer> => {
      for (;;) {
        const answer = await client.createTransaction(amina, { ...order, sendAmount }, { "x-idempotency-key": key });
        if (answer.body?.code !== "IDEMPOTENCY_IN_FLIGHT") return answer;
        expect([answer.status, answer.headers["retry-after"]]).toEqual([409, "1"]);
        await pause(100 + Math.random() * 200);
      }
    };
    for (let each = 0; each < keys; each++) {
      const key = `many-${randomUUID()}`;
      const answers = await Promise.all(Array.from({ length: parallel }, () => insist(key, "1.00")));
      const bytes = new Set(answers.map(({ status, text }) => `${status} ${text}`));
      expect(bytes.size).toBe(1);
      expect(answers.filter(({ headers }) => headers["idempotency-replayed"] === undefined)).toHaveLength(1);
      ids.add(answers[0]!.body.data.id);
      const changed = await insist(key, "2.00");
      expect([changed.status, changed.body.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    }
    expect(ids.size).toBe(keys);
  });

  test("the same key in another tenant is another request", async () => {
    const key = `shared-${randomUUID()}`;
    const answers: EdgeAnswer[] = [];
    for (const tenant of demo.tenants) {
      const customer = tenant.users.find(({ role }) => role === "CUSTOMER")!;
      const client = createEdgeClient(demo.baseUrl, tenant.host);
      await client.login(customer);
      const [corridor] = tenant.corridors.filter(
        ({ originCountry, receivingCountry }) =>
          originCountry === customer.country &&
          customer.beneficiaries?.some(({ country }) => country === receivingCountry),
      );
      const order = {
        sendAmount: "100.00",
        sendCurrency: corridor!.sendCurrency,
        originCountry: corridor!.originCountry,
        to: corridor!.receivingCountry,
      };
      const headers = { "x-idempotency-key": key, password: customer.password };
      answers.push(await client.createTransaction(customer, order, headers));
    }
    expect(answers.map(({ status, text }) => (status === 200 ? 200 : text))).toEqual([200, 200]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(2);
    for (const { headers } of answers) expect(headers["idempotency-replayed"]).toBeUndefined();
  });
});

// Named so that Jest, which runs a file's tests in order, comes to it last here; other files' lines
// are looked at too.
describe("secrets", () => {
  test("no log of any process holds a password, token or whole account number", async () => {
    const client = createEdgeClient(demo.baseUrl);
    const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
    const session = (await client.login(amina)).body;
    await client.login({ ...amina, password: `Wrong-${randomUUID()}` });
    await client.send("GET", `${services}/nowhere?password=${amina.password}&token=${session.access_token}`);
    await client.send("PUT", `${services}/securitymanagement/login`, {
      rawBody: `{"currentPassword":"${amina.password}`,
    });
    await client.send("POST", `${services}/securitymanagement/refresh`, {
      body: { refresh_token: session.refresh_token },
    });
    const secrets = new Set<string>([session.access_token, session.refresh_token]);
    for (const user of demo.tenants.flatMap(({ users }) => users)) {
      secrets.add(user.password);
      for (const { accountNumber } of user.wallets ?? []) secrets.add(accountNumber);
      for (const { creditParty } of user.beneficiaries ?? []) {
        for (const { key, value } of creditParty) if (key.endsWith("accountno")) secrets.add(value);
      }
    }
    const found: string[] = [];
    let lines = 0;
    for (const { name, text } of logsOf(process.env["E2E_DATA_DIR"]!)) {
      lines += text.split("\n").length;
      for (const secret of secrets) {
        if (text.includes(secret))
          found.push(`${name}: ${createHash("sha256").update(secret).digest("hex").slice(0, 8)}`);
      }
      if (/eyJ[\w-]{10,}\.[\w-]{10,}\./.test(text)) found.push(`${name}: a token`);
      if (
        /"(?:currentPassword|password|otp|pin|refresh_token|access_token|refreshToken|accessToken)":"(?!\[redacted\])[^"]/.test(
          text,
        )
      ) {
        found.push(`${name}: a secret's member`);
      }
    }
    expect(found).toEqual([]);
    expect(lines).toBeGreaterThan(100);
  });
});

function logsOf(dataDir: string): { name: string; text: string }[] {
  const folder = join(dataDir, "logs");
  return readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}
