import { randomUUID } from "node:crypto";
import { atDepth } from "../../../test/support/depth.js";
import {
  createWalletFixture,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";
import type { ApprovalEffect } from "../../../proto/gen/identity/v1/approvals.js";
import { effectFromWire, effectText } from "../../platform/approvals/approval-effects.js";
import { createWalletStore } from "../store/index.js";
import { runsFor } from "../../../test/support/time.js";

let wallet: WalletFixture;
beforeAll(async () => void (wallet = await createWalletFixture("wallet_freeze")));
afterEach(() => {
  wallet.faults.clear();
  wallet.crashAt(undefined);
});
afterAll(() => wallet.close());

const freeze = ({ tenantId, customerId }: Person, blockId: string, frozen = true) =>
  wallet.clientOf("compliance").setCustomerWalletsFrozen({ customerId, blockId, frozen }, wallet.calls({ tenantId }));
const textsOf = ({ effects }: { effects: ApprovalEffect[] }) => effects.map(effectFromWire).map(effectText).toSorted();
const answered = async (done: ReturnType<typeof freeze>) => textsOf(await done);
/** What a freeze, or its end, would do, as it is shown before it is approved. */
async function foreseen({ tenantId, customerId }: Person, blockId: string, frozen = true): Promise<string[]> {
  const requested = { customerId, blockId, frozen };
  return textsOf(
    await wallet.clientOf("compliance").foreseeCustomerWalletsFrozen(requested, wallet.calls({ tenantId })),
  );
}
const staffFreeze = (person: Person, accountId: string, frozen: boolean) =>
  wallet.gateway.setWalletAccountFrozen(
    { accountId, frozen, reason: "asked by the police" },
    wallet.calls(wallet.person(person.tenantId, "MANAGER")),
  );
const statuses = async (person: Person) => {
  const { accounts } = await wallet.gateway.listWalletAccounts({}, wallet.calls(person));
  return accounts.map(({ status }) => status);
};
const open = ({ tenantId, customerId }: Person, currency: string, idempotencyKey: string = randomUUID()) =>
  wallet.operator.openWalletAccount({ idempotencyKey, customerId, currency }, wallet.calls({ tenantId }));
const storeOf = ({ tenantId }: Person) => createWalletStore(wallet.database.db).forTenant(tenantId);

test("only compliance may freeze all of a customer's wallets; 422 names the field", async () => {
  const person = wallet.person();
  const requested = { customerId: person.customerId, blockId: "b", frozen: true };
  for (const by of ["gateway", "operator", "remittance", "lending"] as const) {
    const call = wallet
      .clientOf(by)
      .setCustomerWalletsFrozen(requested, wallet.calls(wallet.person(person.tenantId, "MANAGER")));
    expect((await refusalOf(call)).code).toBe("CALLER_NOT_ALLOWED");
  }
  for (const part of [{ blockId: "" }, { blockId: "STAFF" }, { customerId: "" }, { blockId: "b".repeat(129) }]) {
    const call = wallet
      .clientOf("compliance")
      .setCustomerWalletsFrozen({ ...requested, ...part }, wallet.calls({ tenantId: person.tenantId }));
    expect((await refusalOf(call)).code).toBe("INVALID_INPUT");
  }
});

test("all of the customer's wallets freeze, nobody else's, and the block's end frees what it alone froze", async () => {
  const person = wallet.person();
  const friend = wallet.person(person.tenantId);
  const usd = await wallet.wallet(person, "USD", 500_00n);
  const eur = await wallet.wallet(person, "EUR");
  const manual = await wallet.wallet(person, "GBP");
  const closed = await wallet.wallet(person, "NGN");
  await wallet.wallet(friend, "USD");
  await staffFreeze(person, manual.accountId, true);
  await wallet.gateway.closeWalletAccount({ accountId: closed.accountId, reason: "" }, wallet.calls(person));
  const standing = ({ wallets }: Awaited<ReturnType<typeof freeze>>) =>
    new Map(wallets.map((one) => [one.accountId, one.frozen]));
  const open = [usd.accountId, eur.accountId, manual.accountId];
  const frozen = open.map((id) => `WALLET_FROZEN wallet:${id}`).toSorted();
  expect(await foreseen(person, "b1")).toEqual(frozen);
  expect(await statuses(person)).toEqual(["OPEN", "FROZEN", "CLOSED", "OPEN"]);
  expect(await freeze(person, "b1")).toMatchObject({ changed: 2 });
  expect(await foreseen(person, "b1")).toEqual([]);
  // Staff hold the third one too.
  const unfrozen = [usd, eur].map(({ accountId }) => `WALLET_UNFROZEN wallet:${accountId}`).toSorted();
  expect(await foreseen(person, "b1", false)).toEqual(unfrozen);
  const again = await freeze(person, "b1");
  // What compliance notes is the same however often it asks.
  expect([again.changed, standing(again)]).toEqual([0, new Map(open.map((id) => [id, true]))]);
  expect(textsOf(again)).toEqual(frozen);
  expect(await statuses(person)).toEqual(["FROZEN", "FROZEN", "CLOSED", "FROZEN"]);
  expect(await statuses(friend)).toEqual(["OPEN"]);
  // It gives nothing, and what arrives is taken in as by every frozen wallet.
  const { id, total } = wallet.transaction(person);
  const draft = { accountId: usd.accountId, payableId: id, totalCheckoutAmount: total };
  await expect(wallet.pay(person, draft)).rejects.toMatchObject({ code: "ACCOUNT_FROZEN" });
  const amount = { amountMinor: 1n, currency: "USD" };
  const deposit = { idempotencyKey: randomUUID(), accountId: usd.accountId, amount, reference: "B-1" };
  await wallet.operator.recordDeposit(deposit, wallet.calls({ tenantId: person.tenantId }));
  expect(wallet.ledger.balance(person.tenantId, usd.accountId)).toBe(500_01n);
  expect(await freeze(person, "b1", false)).toMatchObject({ changed: 2 });
  const freed = await freeze(person, "b1", false);
  expect([freed.changed, standing(freed)]).toEqual([0, new Map(open.map((id) => [id, id === manual.accountId]))]);
  expect(textsOf(freed)).toEqual(unfrozen);
  expect(await statuses(person)).toEqual(["OPEN", "FROZEN", "CLOSED", "OPEN"]);
  await expect(wallet.pay(person, draft)).resolves.toBeDefined();
  // However late it is asked: not what staff hold, what was opened since, or
  // what another block's end freed.
  await wallet.wallet(person, "GHS");
  await freeze(person, "b2");
  await freeze(person, "b2", false);
  expect([await answered(freeze(person, "b1", false)), await answered(freeze(person, "b1"))]).toEqual([unfrozen, []]);
});

test("two blocks and staff: the wallet is free when the last of them has ended; nobody is told who holds it", async () => {
  const person = wallet.person();
  const { accountId } = await wallet.wallet(person, "USD");
  await freeze(person, "b1");
  expect(await foreseen(person, "b2")).toEqual([`WALLET_FROZEN wallet:${accountId}`]);
  await freeze(person, "b2");
  expect([await foreseen(person, "b1", false), await foreseen(person, "b2", false)]).toEqual([[], []]);
  expect(await freeze(person, "b1", false)).toMatchObject({ changed: 0 });
  const refusal = await refusalOf(staffFreeze(person, accountId, false));
  expect([refusal.code, refusal.message]).toEqual(["STATE_CONFLICT", "the account stays frozen"]);
  expect(await foreseen(person, "b2", false)).toEqual([`WALLET_UNFROZEN wallet:${accountId}`]);
  await staffFreeze(person, accountId, true);
  expect(await foreseen(person, "b2", false)).toEqual([]);
  expect(await freeze(person, "b2", false)).toMatchObject({ changed: 0 });
  expect(await statuses(person)).toEqual(["FROZEN"]);
  const { account } = await staffFreeze(person, accountId, false);
  expect(account!.status).toBe("OPEN");
  // It was staff who freed it.
  expect(await answered(freeze(person, "b2", false))).toEqual([]);
});

test("a block that comes behind its end freezes nothing", async () => {
  const person = wallet.person();
  await wallet.wallet(person, "USD");
  expect(await freeze(person, "b1", false)).toMatchObject({ changed: 0 });
  expect(await freeze(person, "b1")).toMatchObject({ changed: 0 });
  expect(await statuses(person)).toEqual(["OPEN"]);
  for (let round = 0; round < atDepth({ quick: 5, ci: 20, long: 100 }); round += 1) {
    const id = randomUUID();
    await Promise.all([freeze(person, id), freeze(person, id), freeze(person, id, false), freeze(person, id)]);
    expect(await statuses(person)).toEqual(["OPEN"]);
  }
});

describe("a wallet that is opened under a block", () => {
  test("is frozen, and answered as every other", async () => {
    const person = wallet.person();
    await freeze(person, "b1");
    const { account } = await open(person, "USD");
    expect(account!.status).toBe("OPEN");
    expect(await statuses(person)).toEqual(["FROZEN"]);
    expect(await freeze(person, "b1", false)).toMatchObject({ changed: 1 });
    expect(await statuses(person)).toEqual(["OPEN"]);
  });

  test("is frozen where it is opened for the holder of a bank verification number", async () => {
    const person = wallet.person();
    await freeze(person, "b1");
    const bvn = "22999888777";
    await wallet.bank("/bank/bvns", { bvn, firstName: "Amina", lastName: "Bello" });
    const item = {
      bvnCountry: "NGA",
      existingAccountBankCode: "58",
      existingAccountBvn: bvn,
      existingAccountCurrencyCode: "NGN",
      newAccountCurrencyCode: "USD",
    };
    const { results } = await wallet.gateway.createDomiciliaryAccounts({ items: [item] }, wallet.calls(person));
    expect(results[0]).toMatchObject({ msgCode: "DOM_CREATED" });
    expect(await statuses(person)).toEqual(["FROZEN"]);
  });

  test.each([
    [true, "FROZEN"],
    [false, "OPEN"],
  ])("and was begun before the block came (%s) ends as the block says", async (frozen, status) => {
    const person = wallet.person();
    const key = randomUUID();
    if (!frozen) await freeze(person, "b1");
    wallet.crashAt("wallet.account.created");
    await refusalOf(open(person, "USD", key));
    expect(await freeze(person, "b1", frozen)).toMatchObject({ changed: 0 });
    await open(person, "USD", key);
    expect(await statuses(person)).toEqual([status]);
  });

  test.each([
    [true, "FROZEN"],
    [false, "ACTIVE"],
  ])(
    "whose end reads the blocks before the block changes (%s) and writes after it reads again",
    async (frozen, status) => {
      const person = wallet.person();
      if (!frozen) await freeze(person, "b1");
      wallet.crashAt("wallet.account.created");
      await refusalOf(open(person, "USD"));
      const store = storeOf(person);
      const [{ accountId } = { accountId: "" }] = await store.freezableAccounts(person.customerId);
      let turns = 0;
      await createWalletStore(wallet.database.db).transaction(
        async (session) => {
          turns += 1;
          const blocks = await store.blocksOf(person.customerId, session);
          if (turns === 1) await freeze(person, "b1", frozen);
          return store.activateAccount(accountId, blocks, session);
        },
        async () => undefined,
      );
      expect(turns).toBe(2);
      expect((await store.findAccount(accountId))!.status).toBe(status);
    },
  );

  test.each([
    [true, "FROZEN"],
    [false, "ACTIVE"],
  ])(
    "whose end writes before the block changes (%s) and commits after it is found by the block",
    async (frozen, status) => {
      const person = wallet.person();
      if (!frozen) await freeze(person, "b1");
      wallet.crashAt("wallet.account.created");
      await refusalOf(open(person, "USD"));
      const store = storeOf(person);
      const [{ accountId } = { accountId: "" }] = await store.freezableAccounts(person.customerId);
      let changing: Promise<unknown> | undefined;
      await createWalletStore(wallet.database.db).transaction(
        async (session) => {
          const done = await store.activateAccount(
            accountId,
            await store.blocksOf(person.customerId, session),
            session,
          );
          changing ??= freeze(person, "b1", frozen);
          // It meets the account that is written here.
          await runsFor(200);
          return done;
        },
        async () => undefined,
      );
      await changing;
      expect((await store.findAccount(accountId))!.status).toBe(status);
    },
  );

  test("in a race of openings with a block nothing stays open, with its end nothing stays frozen", async () => {
    for (const [frozen, status] of [
      [true, "FROZEN"],
      [false, "OPEN"],
    ] as const) {
      const person = wallet.person();
      if (!frozen) await freeze(person, "b1");
      const currencies = ["USD", "EUR", "GBP", "NGN", "KES", "GHS"];
      await Promise.all([...currencies.map((currency) => open(person, currency)), freeze(person, "b1", frozen)]);
      expect(await statuses(person)).toEqual(currencies.map(() => status));
    }
  });
});

describe("killed between any two writes", () => {
  test.each(["wallet.freeze.noted", "wallet.freeze.set"])("%s: told again, all are frozen", async (point) => {
    const person = wallet.person();
    for (const currency of ["USD", "EUR", "GBP"]) await wallet.wallet(person, currency);
    wallet.crashAt(point);
    await refusalOf(freeze(person, "b1"));
    await freeze(person, "b1");
    expect(await statuses(person)).toEqual(["FROZEN", "FROZEN", "FROZEN"]);
  });

  test.each(["wallet.freeze.ended", "wallet.freeze.set"])("%s: told again, all are free", async (point) => {
    const person = wallet.person();
    for (const currency of ["USD", "EUR", "GBP"]) await wallet.wallet(person, currency);
    await freeze(person, "b1");
    wallet.crashAt(point);
    await refusalOf(freeze(person, "b1", false));
    // The block once more, late, does not undo it.
    await freeze(person, "b1");
    await freeze(person, "b1", false);
    expect(await statuses(person)).toEqual(["OPEN", "OPEN", "OPEN"]);
  });
});

test("another tenant's customer of the same id keeps their wallets", async () => {
  const person = wallet.person();
  await wallet.wallet(person, "USD");
  expect(await freeze({ ...wallet.person(), customerId: person.customerId }, "b1")).toMatchObject({ changed: 0 });
  expect(await statuses(person)).toEqual(["OPEN"]);
});
