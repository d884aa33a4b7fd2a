import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { createEdgeClient, demoUser, readDemo, type EdgeClient } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";

// Each command is a process of its own, which takes seconds on a busy machine.
jest.setTimeout(120_000);

const demo = readDemo();
const tenant = demo.tenants[0]!.id;
const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
const dataDir = process.env["E2E_DATA_DIR"]!;

let client: EdgeClient;
beforeAll(async () => {
  client = createEdgeClient(demo.baseUrl);
  await client.login(amina);
});

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** A tool as a person runs it, against the cluster of this run. */
async function run(path: string, args: readonly string[]): Promise<Outcome> {
  const env = { ...process.env, DATA_DIR: dataDir, NODE_OPTIONS: "" };
  return promisify(execFile)(process.execPath, [resolve("dist/deploy", path), ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Outcome) => error,
  );
}
const ops = (...args: string[]) => run("cli/ops.js", args);
const partner = (...args: string[]) => run("partner/cli.js", args);

/** A transaction that waits for its payment. */
async function created(): Promise<{ id: string; totalAmount: string }> {
  const order = { sendAmount: "10.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };
  return (await client.createTransaction(amina, order)).body.data;
}

async function pay({ id, totalAmount }: { id: string; totalAmount: string }): Promise<void> {
  const accountId = amina.wallets!.find(({ currency }) => currency === "USD")!.accountId;
  expect((await client.pay(amina, { payAbleId: id, accountId, total: totalAmount })).status).toBe(200);
}

const until = (id: string, status: string) =>
  waitFor(async () => (await client.readTransaction(id)).body.data.status === status, {
    timeoutMs: 20_000,
    everyMs: 100,
    what: `${id} to be ${status}`,
  });

/**
 * Takes what the partner has of a reference out of one of its books; gives back what puts it there
 * again.
 */
function forget(book: "payouts" | "statement", reference: string): (change?: Record<string, string>) => void {
  const file = new DatabaseSync(join(dataDir, "partner", "books.db"), { timeout: 5_000 });
  const row = file.prepare(`SELECT * FROM ${book} WHERE reference = ?`).get(reference);
  file.prepare(`DELETE FROM ${book} WHERE reference = ?`).run(reference);
  return (change = {}) => {
    const all = { ...row, ...change };
    const names = Object.keys(all);
    const marks = names.map(() => "?").join(", ");
    file.prepare(`INSERT INTO ${book} (${names.join(", ")}) VALUES (${marks})`).run(...Object.values(all));
    file.close();
  };
}

describe("npm run partner", () => {
  test("forces how one payout ends, shows it, and has it in its statement", async () => {
    const refused = await created();
    const forced = await partner("force", "REFUSE_LATER", "--reference", refused.id, "--reason", "account closed");
    expect(forced).toMatchObject({ code: 0, stdout: expect.stringContaining(refused.id) });
    expect((await partner("rules")).stdout).toContain("REFUSE_LATER");
    await pay(refused);
    await until(refused.id, "REFUNDED");
    const shown = await partner("show", "--tenant", tenant, "--reference", refused.id);
    expect(JSON.parse(shown.stdout)).toMatchObject({ status: "REFUSED", reason: "account closed" });

    const returned = await created();
    await pay(returned);
    await until(returned.id, "COMPLETED");
    const at = ["--tenant", tenant, "--reference", returned.id];
    expect(await partner("return", ...at, "--kept", "10.00")).toMatchObject({ code: 0 });
    await until(returned.id, "REFUNDED");
    const { lines } = JSON.parse((await partner("statement", "--tenant", tenant)).stdout) as { lines: any[] };
    const own = lines.filter(({ reference }) => reference === returned.id);
    expect(own.map(({ kind, amount }) => [kind, amount])).toEqual([
      ["PAYOUT", "15257.50"],
      ["RETURN", "15247.50"],
    ]);
  });

  test("says what it does not understand, and ends with 2", async () => {
    expect(await partner("force", "DANCE")).toMatchObject({ code: 2, stderr: expect.stringContaining("DANCE") });
    expect(await partner("show", "--tenant", tenant)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--reference is required"),
    });
  });
});

describe("npm run ops -- outbox", () => {
  /** A payout that the partner had and does not know any more: its row parks. */
  async function parked() {
    const transaction = await created();
    await partner("force", "STALL", "--reference", transaction.id);
    await pay(transaction);
    await waitFor(async () => (await partner("show", "--tenant", tenant, "--reference", transaction.id)).code === 0);
    await until(transaction.id, "PROCESSING");
    // It is asked for again after a second.
    const restore = forget("payouts", transaction.id);
    const line = await waitFor(
      async () => {
        const { stdout } = await ops("outbox", "list", "--tenant", tenant);
        return stdout.split("\n").find((text) => text.includes(`payout:${transaction.id}`));
      },
      { timeoutMs: 20_000, everyMs: 300, what: "a parked row" },
    );
    return { transaction, restore, row: line.split(" ")[0]! };
  }

  test("lists parked work with its reason, shows it, and tries it again when its cause is gone", async () => {
    const { transaction, restore, row } = await parked();
    const listed = await ops("outbox", "list", "--service", "remittance");
    expect(listed.stdout).toContain(`the partner does not know ${transaction.id} any more`);
    const shown = JSON.parse((await ops("outbox", "show", row)).stdout) as Record<string, unknown>;
    expect(shown).toMatchObject({ service: "remittance", kind: "payout.drive", state: "PARKED" });
    expect(shown["payload"]).toEqual({ transactionId: transaction.id });

    expect(await ops("outbox", "retry", row)).toMatchObject({ code: 2, stderr: expect.stringContaining("--why") });
    restore({ status: "REFUSED", next: "" });
    const retried = await ops(
      "outbox",
      "retry",
      row,
      "--why",
      "the partner has it again",
      "--who",
      "ops@manilla.example",
    );
    expect(retried).toMatchObject({ code: 0, stdout: expect.stringContaining("DUE") });
    await until(transaction.id, "REFUNDED");
    const notes = [{ action: "retry", who: "ops@manilla.example", why: "the partner has it again" }];
    const after = await ops("outbox", "show", row, "--service", "remittance", "--tenant", tenant);
    expect(JSON.parse(after.stdout)).toMatchObject({ notes });
    expect(await ops("outbox", "retry", row, "--why", "again")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no parked row"),
    });
  });

  test("gives a row up for good, with who and why, and never without", async () => {
    const { transaction, restore, row } = await parked();
    const dropped = await ops("outbox", "drop", row, "--why", "settled by hand");
    expect(dropped).toMatchObject({ code: 0, stdout: expect.stringContaining("DROPPED") });
    expect((await ops("outbox", "list", "--tenant", tenant, "--state", "dropped")).stdout).toContain(row);
    restore();
    // Dropped is not lost: a cancellation drives it on.
    expect((await client.cancel(transaction.id)).status).toBe(200);
    await until(transaction.id, "REFUNDED");
  });
});

test.each([["cli/ops.js"], ["cli/admin.js"], ["cli/ledger.js"], ["partner/cli.js"], ["seed/main.js"]])(
  "%s --help says how it is used",
  async (path) => {
    expect(await run(path, ["--help"])).toEqual({ code: 0, stdout: expect.stringContaining("npm run "), stderr: "" });
  },
);

test("npm run ops -- reconcile payouts names what partner and platform do not agree on, and ends with 1", async () => {
  const from = new Date().toISOString();
  const transaction = await created();
  await pay(transaction);
  await until(transaction.id, "COMPLETED");
  const reconcile = () => ops("reconcile", "payouts", "--tenant", tenant, "--from", from);
  const agreed = await reconcile();
  expect(agreed).toMatchObject({ code: 0, stdout: expect.stringMatching(/1 transactions, 0 differences\n$/) });
  const restore = forget("statement", transaction.id);
  const { code, stdout } = await reconcile();
  restore();
  expect(code).toBe(1);
  expect(stdout).toContain("COMPLETED_NOT_AT_PARTNER\n");
  expect(stdout).toContain(`${transaction.id} COMPLETED`);
  expect((await reconcile()).code).toBe(0);
});
