import { randomUUID } from "node:crypto";
import { sandboxIdOf } from "../../platform/sandbox/sandbox.js";
import { creditMetrics } from "../../platform/banks/credit-metrics.js";
import { collections } from "../store/collections.js";
import { startSandboxPartner } from "../../../test/support/sandbox-partner.js";
import { createWalletFixture, eventually, type WalletFixture } from "../../../test/support/wallet-fixture.js";

type Bank = Awaited<ReturnType<typeof startSandboxPartner>>;
type Place = Pick<Bank, "url" | "apiKey">;

let wallet: WalletFixture;
let first: Bank;
let second: Bank;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_credit_readers");
  first = await startSandboxPartner();
  second = await startSandboxPartner();
});
afterEach(() => wallet.crashAt(undefined));
afterAll(async () => {
  await wallet.close();
  await first.stop();
  await second.stop();
});

jest.setTimeout(120_000);

/** A sandbox with a bank of its own, and a wallet that its credits name. */
async function sandbox(bank: Place = first, tenantId = sandboxIdOf(`t${randomUUID().slice(0, 8)}`)) {
  const installationId = randomUUID();
  let revision = 0;
  const install = (at: Place, change: object = {}) =>
    wallet.plugins.install(tenantId, {
      kind: "BANK",
      installationId,
      url: at.url,
      secrets: { apiKey: at.apiKey },
      revision: ++revision,
      ...change,
    });
  install(bank);
  const person = wallet.person(tenantId);
  const { accountId, accountNumber } = await wallet.wallet(person, "NGN");
  /** A credit of the wallet's is in the bank's list; gives its id. */
  async function arrive(at: Bank, amount: string, creditId: string = randomUUID(), reference = accountNumber) {
    const content = { reference, amount, currency: "NGN", senderName: "Amina Bello" };
    await at.control("/bank/credits", { account: tenantId, collection: "wallet", creditId, ...content });
    return creditId;
  }
  const has = (minor: bigint) =>
    eventually(`the wallet to have ${minor}`, () => wallet.ledger.balance(tenantId, accountId) === minor);
  const idInBooks = (creditId: string) => `${installationId.replaceAll("-", "")}:${creditId}`;
  const stored = (creditId: string) =>
    wallet.database.db.collection("bank_credits").findOne({ tenantId, creditId: idInBooks(creditId) });
  const lines = (message: string) =>
    wallet.network.lines.filter((line) => line.includes(message) && line.includes(tenantId));
  return { tenantId, accountId, installationId, install, arrive, has, idInBooks, stored, lines };
}

const changedSoFar = async () => (await creditMetrics.changed.get()).values[0]!.value;
const listedAsAnother = "a bank lists a known credit as another one";

describe("a credit that is taken", () => {
  test("is booked once although its bank is removed before it was booked, and never heard of again", async () => {
    const bank = await startSandboxPartner();
    const t = await sandbox(bank);
    wallet.crashAt("wallet.credit.taken");
    const creditId = await t.arrive(bank, "10");
    await eventually("the crash", () => wallet.crashedAt("wallet.credit.taken"));
    await bank.stop();
    t.install(bank, { status: "REMOVED" });
    await t.has(10_00n);
    await eventually("its end", async () => (await t.stored(creditId))?.["status"] === "BOOKED");
  });

  test("is booked once however often its list is read", async () => {
    const t = await sandbox();
    const creditId = await t.arrive(first, "10");
    await t.has(10_00n);
    await wallet.database.db.collection("bank_credit_cursors").deleteMany({ tenantId: t.tenantId });
    await t.arrive(first, "7");
    await t.has(17_00n);
    expect(await t.stored(creditId)).toMatchObject({ status: "BOOKED" });
    expect(t.lines(listedAsAnother)).toEqual([]);
  });
});

test("a credit of which nobody can say whose it is waits for staff, and those behind it are booked", async () => {
  const t = await sandbox();
  const other = await wallet.wallet(wallet.person(t.tenantId), "NGN");
  const accounts = wallet.database.db.collection<{ _id: string }>(collections.accounts);
  const damaged = { $set: { customerId: null } };
  expect((await accounts.updateOne({ tenantId: t.tenantId, _id: other.accountId }, damaged)).matchedCount).toBe(1);
  const poisoned = await t.arrive(first, "5", "p-1", other.accountNumber);
  await t.arrive(first, "10", "p-2");
  await t.has(10_00n);
  const { tenantId } = t;
  const waits = await eventually("the other one to wait", async () => {
    const stored = await t.stored(poisoned);
    return stored?.["status"] === "UNMATCHED" ? stored : undefined;
  });
  expect(waits).toMatchObject({ reason: "NOT_DECIDED", tenantId });
  expect(wallet.ledger.balance(tenantId, other.accountId)).toBe(0n);
  expect(t.lines("a row could not be worked and was left")).toHaveLength(1);
});

test("a known credit that a sandbox's bank lists as another one is told by its id, not counted and not booked", async () => {
  const t = await sandbox();
  await t.arrive(first, "10", "e-1");
  await t.has(10_00n);
  const before = await changedSoFar();
  await t.arrive(second, "99", "e-1", "Ngozi Okafor");
  await t.arrive(second, "7", "e-2");
  await wallet.database.db.collection("bank_credit_cursors").deleteMany({ tenantId: t.tenantId });
  t.install(second);
  await t.has(17_00n);
  const [line = "{}", ...others] = t.lines(listedAsAnother);
  expect(others).toEqual([]);
  expect(JSON.parse(line)).toMatchObject({ creditId: t.idInBooks("e-1"), changed: ["amount", "reference"] });
  expect(line).not.toContain("Ngozi");
  expect(await changedSoFar()).toBe(before);
  expect(await t.stored("e-1")).toMatchObject({ status: "BOOKED", amount: { minor: 10_00n } });
});
