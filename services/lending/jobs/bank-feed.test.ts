import { randomUUID } from "node:crypto";
import { creditMetrics } from "../../platform/banks/credit-metrics.js";
import { createLendingFixture, type LendingFixture } from "../../../test/support/lending-fixture.js";
import { startSandboxPartner } from "../../../test/support/sandbox-partner.js";
import { eventually } from "../../../test/support/wallet-fixture.js";
import { asksIdentityAnew } from "../../../test/support/time.js";

type Bank = Awaited<ReturnType<typeof startSandboxPartner>>;

let lending: LendingFixture;
let first: Bank;
let second: Bank;
beforeAll(async () => {
  lending = await createLendingFixture("lend_bank_feed");
  first = await startSandboxPartner();
  second = await startSandboxPartner();
});
afterEach(() => lending.crashAt(undefined));
afterAll(async () => {
  await lending.close();
  await first.stop();
  await second.stop();
});

jest.setTimeout(120_000);

/** A sandbox with a loan and a bank of its own. */
async function sandbox() {
  const person = lending.person();
  const { tenantId } = person;
  await lending.product(tenantId);
  const installationId = randomUUID();
  let revision = 0;
  const install = (at: Pick<Bank, "url" | "apiKey">, change: object = {}) =>
    lending.plugins.install(tenantId, {
      kind: "BANK",
      installationId,
      url: at.url,
      secrets: { apiKey: at.apiKey },
      revision: ++revision,
      ...change,
    });
  install(first);
  await lending.loan(person);
  const arrive = async (at: Bank, amount: string, creditId: string, reference = "nobody's") => {
    const content = { reference, amount, currency: "USD", senderName: "Amina Bello" };
    await at.control("/bank/credits", { account: tenantId, collection: "lending", creditId, ...content });
  };
  const read = () => lending.service.feed.read(tenantId);
  const inSuspense = (minor: bigint) =>
    eventually(`${minor} in suspense`, async () => (await lending.balance(tenantId, "loan_suspense:USD")) === -minor);
  return { tenantId, installationId, install, arrive, read, inSuspense };
}

test("a credit that is taken is booked once although its bank is removed before it was booked", async () => {
  const t = await sandbox();
  await t.arrive(first, "10", randomUUID());
  lending.crashAt("lending.credit.taken");
  await expect(t.read()).rejects.toThrow("crashed");
  t.install(first, { status: "REMOVED" });
  await t.inSuspense(10_00n);
  await lending.reconciled(t.tenantId);
});

test("a credit whose loan is damaged waits in suspense, and those behind it are taken", async () => {
  const t = await sandbox();
  const manager = lending.person(t.tenantId, "MANAGER");
  const person = lending.person(t.tenantId);
  const references = [];
  for (const isDamaged of [true, false]) {
    const { accountId, loanApplicationId } = await lending.loan(person);
    const instructions = await lending.gateway.getRepaymentInstructions({ loanApplicationId }, lending.calls(person));
    await lending.repay(person, accountId, "50", { bankAccountId: lending.bankAccount(person) });
    references.push(instructions.reference);
    const damaged = { $set: { "terms.principalMinor": "none" } };
    const loans = lending.lendingDb.db.collection<{ _id: string }>("loans");
    if (isDamaged) await loans.updateOne({ tenantId: t.tenantId, _id: accountId }, damaged);
  }
  for (const [index, reference] of references.entries()) await t.arrive(first, "50", `g-${index}`, reference);
  await t.read();
  await t.inSuspense(50_00n);
  const { credits } = await lending.gateway.listSuspense({}, lending.calls(manager));
  expect(credits.map(({ reference }) => reference)).toEqual([references[0]]);
  const logged = lending.network.lines.filter((one) => one.includes("bank credits") && one.includes(t.tenantId));
  expect(logged).toHaveLength(1);
});

test("what names a loan that is written off, and came before, is taken out of suspense, and nothing else is", async () => {
  const t = await sandbox();
  const manager = lending.person(t.tenantId, "MANAGER");
  const person = lending.person(t.tenantId);
  const { accountId, loanApplicationId } = await lending.loan(person);
  const { reference } = await lending.gateway.getRepaymentInstructions({ loanApplicationId }, lending.calls(person));
  await t.arrive(first, "50", "w-1", reference);
  await t.arrive(first, "30", "w-2", reference);
  await t.arrive(first, "7", "w-3");
  await t.read();
  await t.inSuspense(87_00n);
  const ask = { idempotencyKey: randomUUID(), accountId, reason: "gone" };
  await lending.approve((await lending.gateway.writeOffLoan(ask, lending.calls(manager))).approvalId);
  await t.inSuspense(7_00n);
  const off = await lending.read(person, loanApplicationId);
  expect([off.status, off.writtenOffMinor + off.recoveredMinor + 80_00n, off.pendingMinor]).toEqual([
    "WRITTEN_OFF",
    1_208_00n,
    0n,
  ]);
  await lending.reconciled(t.tenantId);
});

test("a known credit that a bank lists as another one is told by its id, and those behind it are taken", async () => {
  const t = await sandbox();
  await t.arrive(first, "10", "d-1");
  await t.arrive(first, "20", "d-2");
  await t.read();
  await t.arrive(second, "99", "d-1", "Ngozi Okafor");
  await t.arrive(second, "20", "d-2");
  await t.arrive(second, "7", "d-3");
  // As a list that is read from its beginning.
  const own = { [`ownCreditCursors.${t.installationId}`]: true };
  await lending.lendingDb.db.collection("lending_tenants").updateOne({ tenantId: t.tenantId }, { $unset: own });
  t.install(second);
  await asksIdentityAnew();
  const counted = async () => (await creditMetrics.changed.get()).values[0]!.value;
  const before = await counted();
  await t.read();
  await t.inSuspense(37_00n);
  expect(await counted()).toBe(before);
  const [line = "{}", ...others] = lending.network.lines.filter(
    (one) => one.includes("lists a known credit as another one") && one.includes(t.tenantId),
  );
  expect(others).toEqual([]);
  const creditId = `${t.installationId.replaceAll("-", "")}:d-1`;
  expect(JSON.parse(line)).toMatchObject({ creditId, changed: ["amount", "reference"] });
  expect(line).not.toContain("Ngozi");
});
