import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AccountFlag, TransferMode } from "../../../proto/gen/ledger/v1/ledger.js";
import { parseDay } from "../../../services/ledger/domain/days.js";
import { closeDays } from "../../../test/support/close-days.js";
import { createLedgerFixture, tenantCalls, transfer } from "../../../test/support/ledger-fixture.js";
import type { LedgerReplica, WireTransfer } from "../../../test/support/ledger-fixture.js";
import { waitFor } from "../../../test/support/index.js";
import { readLedgerArguments } from "./arguments.js";
import { remoteJournal, type RemoteLedger } from "./journal.js";
import { createProgress } from "./progress.js";
import { readPublishedHeads, verifyJournal } from "./rules.js";
import { exportJournal, importJournal, linesOf, writerTo } from "./transport.js";
import { trialBalanceOf } from "./trial-balance.js";

let here: Awaited<ReturnType<typeof createLedgerFixture>>;
let there: Awaited<ReturnType<typeof createLedgerFixture>>;
let ledger: LedgerReplica;
let elsewhere: LedgerReplica;
let folder: string;
const bank = "bank_settlement:USD";
const noProgress = { at: () => undefined, end: () => undefined };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "manilla-ledger-cli-"));
  [here, there] = await Promise.all([createLedgerFixture("ledger_cli_here"), createLedgerFixture("ledger_cli_there")]);
  const env = { HEADS_FILE: join(folder, "heads.jsonl"), HEADS_EVERY_MS: "100", LEASE_TTL_MS: "300" };
  [ledger, elsewhere] = await Promise.all([here.start(env), there.start()]);
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
  await rm(folder, { recursive: true });
});

const remote = (replica: LedgerReplica, { tenantId, call }: ReturnType<typeof tenantCalls>): RemoteLedger => ({
  client: replica.as("operator"),
  tenantId,
  call: () => call(),
});
const faultsOf = async (replica: LedgerReplica, tenant: ReturnType<typeof tenantCalls>) =>
  (await verifyJournal(remoteJournal(remote(replica, tenant)))).faults;

async function exported(tenant: ReturnType<typeof tenantCalls>): Promise<string[]> {
  const lines: string[] = [];
  await exportJournal(remote(ledger, tenant), async (text) => void lines.push(text), noProgress);
  return lines;
}
async function* each(lines: readonly string[]) {
  for (const line of lines) yield line.trimEnd();
}
const imported = (tenant: ReturnType<typeof tenantCalls>, lines: readonly string[]) =>
  importJournal(remote(elsewhere, tenant), each(lines), noProgress);

/** A journal with a bit of everything. */
async function lived() {
  const tenant = tenantCalls();
  await tenant.open(ledger, ["w1", "w2", "closed"]);
  const pending = { mode: TransferMode.TRANSFER_MODE_PENDING };
  const named = (key: string, pendingKey: string, mode: TransferMode): WireTransfer => ({
    key,
    pendingKey,
    kind: "t",
    mode,
  });
  const effectiveAt = new Date("2026-01-02T03:04:05.678Z");
  await tenant.post(
    ledger,
    transfer("fund", bank, "w1", 1_000n, { metadata: { hash: "of mine", b: "" }, effectiveAt }),
  );
  await tenant.post(
    ledger,
    transfer("a", "w1", "w2", 10n),
    transfer("b", "w1", "closed", 5n, { description: "Überweisung" }),
  );
  await tenant.post(ledger, transfer("back", "closed", "w1", 5n));
  await tenant.post(ledger, transfer("refused", "w2", bank, 10_000n));
  await tenant.post(ledger, transfer("most", "w2", "w1", 10_000n, { mode: TransferMode.TRANSFER_MODE_POSTED_UP_TO }));
  await tenant.post(ledger, transfer("p1", "w1", "w2", 60n, pending), transfer("p2", "w1", "w2", 7n, pending));
  const timeout = { pendingTimeout: { seconds: 0n, nanos: 100_000_000 } };
  await tenant.post(ledger, transfer("p3", "w1", "w2", 8n, { ...pending, ...timeout }));
  await tenant.post(ledger, transfer("p4", "w1", "w2", 9n, pending));
  const post = named("post", "p1", TransferMode.TRANSFER_MODE_POST_PENDING);
  await tenant.post(ledger, { ...post, amount: { amountMinor: 25n, currency: "USD" } });
  await tenant.post(ledger, named("void", "p2", TransferMode.TRANSFER_MODE_VOID_PENDING));
  await tenant.post(ledger, { key: "rev", reversesKey: "post", kind: "t", mode: TransferMode.TRANSFER_MODE_REVERSAL });
  const state = async () => (await ledger.wallet.getTransfer({ key: "p3" }, tenant.call())).transfer!.state;
  await waitFor(async () => (await state()) === "EXPIRED");
  await ledger.wallet.closeAccount({ accountId: "closed" }, tenant.call());
  await closeDays(here.database.db, tenant.tenantId, parseDay("2026-02-01")!);
  return tenant;
}

describe("export and import", () => {
  test("carry everything: chain, balances, days, pendings, reversals, refusals, what is closed", async () => {
    const tenant = await lived();
    const lines = await exported(tenant);
    expect(await imported(tenant, lines)).toEqual({ accounts: 4, transfers: 13, refusals: 1, records: 5 });
    expect(await faultsOf(elsewhere, tenant)).toEqual([]);
    const operators = [ledger.as("operator"), elsewhere.as("operator")];
    const same = async <T>(ask: (client: (typeof operators)[number]) => Promise<T>) => {
      const [first, second] = await Promise.all(operators.map(ask));
      expect(second).toEqual(first);
      return first!;
    };
    await same((client) => client.getJournalHead({}, tenant.call()));
    await same((client) => client.listAccounts({}, tenant.call()));
    await same((client) => client.getTrialBalance({}, tenant.call()));
    await same((client) => client.getVolumes({ fromDate: "2026-01-01", toDate: "2026-12-31" }, tenant.call()));
    for (const key of ["fund", "p1", "p2", "p3", "p4", "post", "rev"]) {
      await same((client) => client.getTransfer({ key }, tenant.call()));
    }
    await same((client) => client.getBalance({ accountId: "w1", effectiveDate: "2026-01-02" }, tenant.call()));
    // Keys decide once, there as here.
    const replayed = await tenant.post(elsewhere, transfer("refused", "w2", bank, 10_000n));
    expect(replayed.refused).toMatchObject({ code: "INSUFFICIENT_FUNDS", replayed: true });
    const most = transfer("most", "w2", "w1", 10_000n, { mode: TransferMode.TRANSFER_MODE_POSTED_UP_TO });
    expect((await tenant.post(elsewhere, most)).posted).toMatchObject({ replayed: true });
    expect((await tenant.post(elsewhere, transfer("late", bank, "closed", 1n))).refused).toMatchObject({
      code: "ACCOUNT_CLOSED",
    });
    expect((await tenant.post(elsewhere, transfer("next", bank, "w1", 1n))).posted).toMatchObject({
      transfers: [{ sequence: 14n }],
    });
    expect(await faultsOf(elsewhere, tenant)).toEqual([]);
  });

  test("an import that was cut off goes on when it is run again", async () => {
    const tenant = await lived();
    const lines = await exported(tenant);
    await expect(imported(tenant, lines.slice(0, 9))).rejects.toThrow("cut off");
    await imported(tenant, lines);
    await imported(tenant, lines);
    expect(await faultsOf(elsewhere, tenant)).toEqual([]);
  });

  test("more than one page", async () => {
    const tenant = tenantCalls();
    await tenant.open(ledger, ["w1"]);
    for (let n = 0; n < 3; n++) {
      const transfers = Array.from({ length: 700 }, () => transfer(randomUUID(), bank, "w1", 1n));
      await tenant.post(ledger, ...transfers);
    }
    await imported(tenant, await exported(tenant));
    expect(await faultsOf(elsewhere, tenant)).toEqual([]);
    expect(await tenant.balance(elsewhere, "w1")).toBe(2_100n);
  });

  test.each<[string, (lines: string[]) => string[], string]>([
    [
      "an amount that was changed",
      (lines) => swapped(lines, '"amountMinor":"10"', '"amountMinor":"11"'),
      "does not fit",
    ],
    [
      "a text that was changed",
      (lines) => swapped(lines, "Überweisung", "Uberweisung"),
      "its content does not fit its hash",
    ],
    ["a hash that was changed", (lines) => lines.map((line) => line.replace(/"hash":"(\w)/, '"hash":"0')), "fit"],
    ["a transfer that is missing", (lines) => lines.filter((line) => !line.includes('"key":"back"')), "is missing"],
    ["half a linked group", (lines) => lines.filter((line) => !line.includes('"key":"b"')), "linked group"],
    [
      "an account that is missing",
      (lines) => lines.filter((line) => !line.includes('"accountId":"w2"')),
      "ACCOUNT_NOT_FOUND",
    ],
    ["no end", (lines) => lines.slice(0, -1), "cut off"],
    ["a line that is no JSON", (lines) => [lines[0]!, "{", ...lines.slice(1)], "line 2: is not JSON"],
    [
      "a line of something else",
      (lines) => [lines[0]!, '{"a":1}', ...lines.slice(1)],
      "line 2: is no line of an export",
    ],
    ["another order", (lines) => lines.slice(1), "what journal it is"],
    [
      "a name of an account that was changed",
      (lines) => swapped(lines, "USD wallet w2", "USD wallet w3"),
      "another one",
    ],
    [
      "a refusal that was changed",
      (lines) => swapped(lines, '"askedMinor":"10000"', '"askedMinor":"1"'),
      "another one",
    ],
    ["a record that is missing", (lines) => lines.filter((line) => !line.includes('"number":"2"')), "is missing"],
    ["a closing that was changed", (lines) => swapped(lines, '"2026-02-01"', '"2026-01-01"'), "does not fit its hash"],
  ])("%s is refused, and named", async (_what, edit, message) => {
    const tenant = await lived();
    await expect(imported(tenant, edit(await exported(tenant)))).rejects.toThrow(message);
  });

  test("another tenant's journal is refused, and one that differs from what is there", async () => {
    const tenant = await lived();
    const lines = await exported(tenant);
    await expect(imported(tenantCalls(), lines)).rejects.toThrow("its chain fits no other");
    await tenant.open(elsewhere, ["w1"]);
    await tenant.post(elsewhere, transfer("first", bank, "w1", 1n));
    await expect(imported(tenant, lines)).rejects.toThrow("the journal holds another transfer there");
  });
});

test("verify names what was changed in the database, over rpc", async () => {
  const tenant = await lived();
  expect(await faultsOf(ledger, tenant)).toEqual([]);
  const { tenantId } = tenant;
  await here.database.db.collection("transfers").updateOne({ tenantId, key: "a" }, { $set: { amountMinor: 3n } });
  expect(await faultsOf(ledger, tenant)).toEqual([{ seq: 2n, key: "a", what: "its content does not fit its hash" }]);
});

test("heads are published to the file that the operator names, and verify holds the journal against them", async () => {
  const tenant = await lived();
  const file = join(folder, "heads.jsonl");
  const published = async () => {
    const heads = await readPublishedHeads(file).catch(() => []);
    return heads.filter(({ tenantId, seq }) => tenantId === tenant.tenantId && seq === 13n);
  };
  await waitFor(async () => (await published()).length > 0);
  const { faults } = await verifyJournal(remoteJournal(remote(ledger, tenant)), {
    published: await readPublishedHeads(file),
  });
  expect(faults).toEqual([]);
});

test("a file is written once and never over another", async () => {
  const file = join(folder, "export.jsonl");
  const first = writerTo(file);
  await first.write("a\n");
  await first.write("b\n");
  await first.close();
  expect(await readFile(file, "utf8")).toBe("a\nb\n");
  const lines: string[] = [];
  for await (const line of linesOf(file)) lines.push(line);
  expect(lines).toEqual(["a", "b"]);
  const second = writerTo(file);
  await expect(second.close()).rejects.toThrow("EEXIST");
});

test("only the operator reads and imports journals", async () => {
  const tenant = tenantCalls();
  for (const ask of [
    () => ledger.wallet.readJournal({ limit: 1 }, tenant.call()),
    () => ledger.wallet.readJournalAccounts({}, tenant.call()),
    () => ledger.wallet.readRefusals({}, tenant.call()),
    () => ledger.wallet.readJournalRecords({}, tenant.call()),
    () => ledger.wallet.getJournalHead({}, tenant.call()),
    () => ledger.wallet.importJournal({}, tenant.call()),
  ]) {
    await expect(ask()).rejects.toMatchObject({ code: "CALLER_NOT_ALLOWED" });
  }
});

test("INVALID_INPUT for what no journal holds", async () => {
  const tenant = tenantCalls();
  const client = ledger.as("operator");
  const account = { accountId: "w", code: "customer_wallet", currency: "USD" };
  for (const ask of [
    () => client.readJournal({ limit: 1_001 }, tenant.call()),
    () => client.readJournalAccounts({ limit: 501 }, tenant.call()),
    () => client.readRefusals({ limit: -1 }, tenant.call()),
    () => client.importJournal({ accounts: [account] }, tenant.call()),
    () => client.importJournal({ accounts: [{ ...account, flags: [AccountFlag.ACCOUNT_FLAG_CLOSED] }] }, tenant.call()),
    () => client.importJournal({ transfers: [{ key: "k" }] }, tenant.call()),
    () => client.importJournal({ refusals: [{ key: "k" }] }, tenant.call()),
    () => client.importJournal({ records: [{ number: 1n }] }, tenant.call()),
    () => client.importJournal({ records: Array.from({ length: 1_001 }, () => ({})) }, tenant.call()),
    () => client.readRefusals({ keys: Array.from({ length: 1_001 }, () => "k") }, tenant.call()),
  ]) {
    await expect(ask()).rejects.toMatchObject({ code: "INVALID_INPUT" });
  }
});

test("the trial balance is a table with a total for each currency, and says what is not equal", () => {
  const line = (code: string, currency: string, debitsMinor: bigint, creditsMinor: bigint) => ({
    code,
    currency,
    debitsMinor: String(debitsMinor),
    creditsMinor: String(creditsMinor),
    accounts: 1n,
  });
  const sound = [line("bank", "USD", 1_000n, 0n), line("wallet", "USD", 0n, 1_000n)];
  expect(trialBalanceOf([...sound, line("bank", "JPY", 5n, 0n)])).toEqual({
    text: [
      "code    currency  accounts  debits  credits",
      "bank    JPY              1       5        0",
      "total   JPY              1       5        0",
      "bank    USD              1   10.00     0.00",
      "wallet  USD              1    0.00    10.00",
      "total   USD              2   10.00    10.00",
    ].join("\n"),
    unequal: ["JPY"],
  });
});

test("the progress bar shows on a terminal and nowhere else", () => {
  const written: string[] = [];
  const write = (text: string | Uint8Array) => written.push(String(text)) > 0;
  createProgress({ isTTY: false, write } as never).at(1n, 2n, "transfers");
  expect(written).toEqual([]);
  const bar = createProgress({ isTTY: true, write } as never, () => 0);
  bar.at(1n, 2n, "transfers");
  expect(written[0]).toContain("50 %  1 of 2 transfers");
});

test("arguments", () => {
  const read = (line: string) => readLedgerArguments(line.split(" "));
  expect(read("verify --tenant demo --heads h")).toMatchObject({ command: "verify", tenants: ["demo"], heads: "h" });
  expect(read("verify --tenant a --tenant b")).toMatchObject({ tenants: ["a", "b"] });
  expect(read("verify --all --heads h")).toMatchObject({ tenants: [], heads: "h" });
  expect(read("export --tenant demo --file f")).toMatchObject({ command: "export", file: "f" });
  for (const line of [
    "verify",
    "audit --tenant demo",
    "verify x --tenant demo",
    "export --tenant demo --heads h",
    "verify --tenant demo --odd",
    "verify --all --tenant demo",
    "export --all",
    "export --tenant a --tenant b",
  ]) {
    expect(() => read(line)).toThrow();
  }
});

function swapped(lines: readonly string[], from: string, to: string): string[] {
  const at = lines.findIndex((line) => line.includes(from));
  expect(at).toBeGreaterThan(0);
  return lines.map((line, index) => (index === at ? line.replace(from, to) : line));
}
