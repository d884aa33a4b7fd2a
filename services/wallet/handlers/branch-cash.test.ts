import { randomUUID } from "node:crypto";
import { testTenant } from "../../../test/support/index.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_branch_cash", { recoverAfterMs: 150 });
});
afterEach(() => wallet.crashAt(undefined));
afterAll(() => wallet.close());

const key = () => ({ idempotencyKey: randomUUID() });
const refused = (code: string) => expect.objectContaining({ code });

/** Two branches, a third that is switched off, and people who work nowhere yet. */
function branches() {
  const tenantId = testTenant();
  for (const code of ["LAG-1", "ABJ-2"]) wallet.remittance.branches.set(`${tenantId} ${code}`, true);
  wallet.remittance.branches.set(`${tenantId} OLD-3`, false);
  const manager = wallet.person(tenantId, "MANAGER");
  const [cashier, other] = [wallet.person(tenantId, "CASHIER"), wallet.person(tenantId, "CASHIER")];
  return {
    tenantId,
    manager,
    cashier,
    other,
    assign: (userId: string, branchCode = "", by: Person = manager) =>
      wallet.gateway
        .putBranchAssignment({ userId, branchCode }, wallet.calls(by))
        .then(({ assignment }) => assignment!),
    listed: async (branchCode = "", by: Person = manager) => {
      const { assignments } = await wallet.gateway.listBranchAssignments({ branchCode }, wallet.calls(by));
      return assignments.map((one) => [one.userId, one.branchCode]);
    },
    open: (by: Person, currency = "USD", float = "200") =>
      wallet.gateway.openTill({ ...key(), currency, float }, wallet.calls(by)).then(({ till }) => till!),
    close: (by: Person, tillId: string, counted: string) =>
      wallet.gateway.closeTill({ ...key(), tillId, counted, reason: "As counted" }, wallet.calls(by)),
    /** What the ledger has in cash there; assets have debits. */
    inLedger: (accountId: string) => -wallet.ledger.balance(tenantId, accountId),
  };
}

test("a till is filled from the vault of its cashier's branch, and goes back to it", async () => {
  const { cashier, other, assign, open, close, inLedger } = branches();
  expect(await assign(cashier.userId, "LAG-1")).toMatchObject({ userId: cashier.userId, branchCode: "LAG-1" });
  const till = await open(cashier);
  expect(till).toMatchObject({ branchCode: "LAG-1", status: "OPEN" });
  expect(await open(other)).toMatchObject({ branchCode: "" });
  expect([inLedger("cash_vault:LAG-1:USD"), inLedger("cash_vault:USD")]).toEqual([-200_00n, -200_00n]);
  await close(cashier, till.tillId, "199.50");
  expect([inLedger("cash_vault:LAG-1:USD"), inLedger("cash_vault:USD")]).toEqual([-50n, -200_00n]);
});

test("who is assigned is staff with a till, to a branch that is there; a manager assigns, and sees all", async () => {
  const { tenantId, manager, cashier, other, assign, listed } = branches();
  const agent = wallet.person(tenantId, "AGENT");
  await assign(cashier.userId, "LAG-1");
  await assign(agent.userId, "ABJ-2");
  await assign(agent.userId, "ABJ-2");
  expect(await listed()).toEqual(
    [
      [cashier.userId, "LAG-1"],
      [agent.userId, "ABJ-2"],
    ].toSorted(),
  );
  expect(await listed("LAG-1")).toEqual([[cashier.userId, "LAG-1"]]);
  for (const [branchCode, says] of [
    ["NONE", "is no branch"],
    ["OLD-3", "switched off"],
  ] as const) {
    const error = await refusalOf(assign(other.userId, branchCode));
    expect(error).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path: "branchCode" }] } });
    expect(error.message).toContain(says);
  }
  for (const userId of [manager.userId, randomUUID(), wallet.person(undefined, "CASHIER").userId]) {
    const error = await refusalOf(assign(userId, "LAG-1"));
    expect(error).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path: "userId" }] } });
  }
  await expect(assign(other.userId, "LAG-1", cashier)).rejects.toEqual(refused("FORBIDDEN"));
  await assign(cashier.userId);
  expect(await listed("LAG-1")).toEqual([]);
  expect(await listed("", wallet.person(undefined, "MANAGER"))).toEqual([]);
});

test("nobody is assigned elsewhere while they have a till open, in whichever order both are asked for at once", async () => {
  const { cashier, assign, open, close, inLedger } = branches();
  await assign(cashier.userId, "LAG-1");
  for (const to of ["ABJ-2", "LAG-1", "ABJ-2"]) {
    const [opened, assigned] = await Promise.allSettled([open(cashier), assign(cashier.userId, to)]);
    if (opened.status === "fulfilled") {
      const { tillId, branchCode } = opened.value;
      // Assigned before or not at all: the till is where its cashier works.
      if (assigned.status === "fulfilled") expect(branchCode).toBe(to);
      const elsewhere = branchCode === "ABJ-2" ? "LAG-1" : "ABJ-2";
      await expect(assign(cashier.userId, elsewhere)).rejects.toEqual(refused("STATE_CONFLICT"));
      await close(cashier, tillId, "200");
    } else expect(opened.reason).toEqual(refused("STATE_CONFLICT"));
  }
  await assign(cashier.userId, "ABJ-2");
  const { tillId } = await open(cashier);
  await close(cashier, tillId, "200");
  expect(inLedger("cash_vault:ABJ-2:USD")).toBe(0n);
});

test("cash of a till of another branch is not touched: neither handed over nor taken", async () => {
  const { tenantId, manager, cashier, other, assign, open, close } = branches();
  await assign(cashier.userId, "LAG-1");
  await assign(other.userId, "ABJ-2");
  const [mine, theirs] = [await open(cashier), await open(other)];
  const act = await refusalOf(close(cashier, theirs.tillId, "200"));
  expect(act).toMatchObject({ code: "FORBIDDEN", message: "this is a till of another branch" });
  const offer = (receiverId: string) =>
    wallet.gateway.offerCash({ ...key(), tillId: mine.tillId, receiverId, counted: "50" }, wallet.calls(cashier));
  const error = await refusalOf(offer(other.userId));
  expect(error).toMatchObject({
    details: { errors: [{ path: "receiverId", message: "has a till of another branch" }] },
  });
  // Offered to somebody of the branch, who is then assigned to another one.
  const third = wallet.person(tenantId, "CASHIER");
  await assign(third.userId, "LAG-1");
  const first = await open(third);
  const { handOver } = await offer(third.userId);
  await close(third, first.tillId, "200");
  await assign(third.userId, "ABJ-2");
  await open(third);
  const taken = wallet.gateway.acceptHandOver({ ...key(), handOverId: handOver!.handOverId }, wallet.calls(third));
  expect(await refusalOf(taken)).toMatchObject({ code: "FORBIDDEN", message: "it is out of a till of another branch" });
  const { tills } = await wallet.gateway.listTills({ openOnly: true }, wallet.calls(manager));
  expect(tills.map(({ branchCode }) => branchCode).toSorted()).toEqual(["ABJ-2", "ABJ-2", "LAG-1"]);
});

test("no till is opened at a branch that was switched off; one that is open there ends, and its cash goes to the bank", async () => {
  const { tenantId, manager, cashier, other, assign, open, close, inLedger } = branches();
  await assign(cashier.userId, "LAG-1");
  await assign(other.userId, "LAG-1");
  const mine = { ...key(), currency: "USD", float: "200" };
  const before = await wallet.gateway.openTill(mine, wallet.calls(cashier));
  wallet.remittance.branches.set(`${tenantId} LAG-1`, false);
  const off = { code: "INVALID_INPUT", details: { errors: [{ path: "branchCode" }] } };
  expect(await refusalOf(open(other))).toMatchObject(off);
  expect(await refusalOf(open(cashier, "NGN"))).toMatchObject(off);
  expect(await wallet.gateway.openTill(mine, wallet.calls(cashier))).toEqual(before);
  await close(cashier, before.till!.tillId, "200");
  const move = (direction: string) =>
    wallet.gateway.moveVaultCash(
      { ...key(), currency: "USD", amount: "5", direction, reference: "Slip 4711", branchCode: "LAG-1" },
      wallet.calls(manager),
    );
  expect(await refusalOf(move("FROM_BANK"))).toMatchObject(off);
  await wallet.decide((await move("TO_BANK")).approvalId);
  await eventually("the cash to be gone", () => inLedger("cash_vault:LAG-1:USD") === -5_00n);
  // Nothing of the float that was refused is in any book.
  expect(wallet.ledger.account(tenantId, "cash_vault:LAG-1:NGN")).toBeUndefined();
  wallet.remittance.branches.set(`${tenantId} LAG-1`, true);
  expect(await open(other)).toMatchObject({ branchCode: "LAG-1", status: "OPEN" });
});

test("cash of a branch's vault comes from the bank that was named, and goes to it", async () => {
  const { tenantId, manager, inLedger } = branches();
  const move = (part: object) =>
    wallet.gateway.moveVaultCash(
      { ...key(), currency: "USD", amount: "5000", direction: "FROM_BANK", reference: "Slip 4711", ...part },
      wallet.calls(manager),
    );
  for (const [part, path] of [
    [{ branchCode: "NONE" }, "branchCode"],
    [{ bank: "no-such-bank" }, "bank"],
  ] as const) {
    expect(await refusalOf(move(part))).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
  }
  const { approvalId } = await move({ branchCode: "LAG-1", bank: "operator" });
  const foreseen = await wallet.decide(approvalId);
  // The account is there, with nothing on it, before the cash is booked.
  await eventually("the cash", () => (wallet.ledger.account(tenantId, "cash_vault:LAG-1:USD")?.debits ?? 0n) > 0n);
  expect(inLedger("cash_vault:LAG-1:USD")).toBe(5_000_00n);
  expect(inLedger("bank_settlement:operator:USD")).toBe(-5_000_00n);
  expect(
    JSON.stringify(foreseen, (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
  ).toContain("cash_vault:LAG-1:USD");
});
