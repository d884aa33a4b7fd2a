import { randomUUID } from "node:crypto";
import type { DebitWalletRequest } from "../../../proto/gen/wallet/v1/wallet.js";
import { testTenant } from "../../../test/support/index.js";
import type { Call } from "../../kernel/grpc/context.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_debits", { recoverAfterMs: 150 });
});
afterEach(() => wallet.faults.clear());
afterAll(() => wallet.close());

const refused = (code: string) => expect.objectContaining({ code });

async function creditAccounts({ tenantId }: Person, ...ids: string[]) {
  const accounts = ids.map((id) => {
    const [code = "", currency = ""] = id.split(":");
    return { accountId: id, code, currency, name: id, ownerId: "", flags: [], metadata: {} };
  });
  await wallet.ledger.handlers.createAccounts!({ accounts }, { tenantId } as Call);
}

/** A customer with 500.00 USD, and where lending wants its money. */
async function borrower(tenantId?: string) {
  const person = wallet.person(tenantId);
  const { accountId } = await wallet.wallet(person, "USD", 500_00n);
  await creditAccounts(person, "loan_principal:USD", "interest_income:USD", "loan_principal:EUR");
  const request = {
    idempotencyKey: randomUUID(),
    accountId,
    customerId: person.customerId,
    legs: [
      { creditAccountId: "loan_principal:USD", amountMinor: 100_00n, kind: "loan_repayment" },
      { creditAccountId: "interest_income:USD", amountMinor: 5_00n, kind: "loan_interest" },
    ],
    description: "Repayment of loan L-1",
  };
  const debit = (part: Partial<DebitWalletRequest> = {}, as: "lending" | "investment" | "remittance" = "lending") =>
    wallet.clientOf(as).debitWallet({ ...request, ...part }, wallet.calls({ tenantId: person.tenantId }));
  const balance = () => wallet.ledger.balance(person.tenantId, accountId);
  return { person, accountId, request, debit, balance };
}

test("all legs leave the wallet at once, under keys of the asker's, and the answer is kept", async () => {
  const { person, request, debit, balance } = await borrower();
  const first = await debit();
  expect(first).toMatchObject({ newBalanceMinor: 395_00n, postedAt: expect.any(Date) });
  expect(first.transferIds).toHaveLength(2);
  const posted = wallet.ledger.ofTenant(person.tenantId).slice(1);
  expect(posted.map(({ transfer, createdBy }) => [transfer.key, transfer.kind, createdBy])).toEqual([
    [`wallet-debit:lending:${request.idempotencyKey}:1`, "loan_repayment", "lending"],
    [`wallet-debit:lending:${request.idempotencyKey}:2`, "loan_interest", "lending"],
  ]);
  expect(await debit()).toEqual(first);
  expect(balance()).toBe(395_00n);
  await expect(debit({ description: "other" })).rejects.toEqual(refused("IDEMPOTENCY_KEY_REUSED"));
  // The same key of another service is another request.
  expect(await debit({}, "investment")).toMatchObject({ newBalanceMinor: 290_00n });
});

test("legs that are each within what an amount can hold, and together beyond it, are refused before anything", async () => {
  const { debit, balance } = await borrower();
  const most = { creditAccountId: "loan_principal:USD", amountMinor: 2n ** 63n - 1n, kind: "loan_repayment" };
  const legs = [most, { ...most, amountMinor: 1n }];
  expect(await refusalOf(debit({ legs }))).toMatchObject({ code: "AMOUNT_TOO_LARGE" });
  expect(balance()).toBe(500_00n);
  // One alone is the wallet's to refuse.
  expect(await refusalOf(debit({ legs: [most] }))).toMatchObject({ code: "INSUFFICIENT_FUNDS" });
});

test("in a sandbox the legs count for the time that the asker names; in a live tenant nobody names one", async () => {
  const effectiveAt = new Date("2027-03-01T09:00:00Z");
  const { person, debit } = await borrower(`${testTenant()}--sandbox`);
  await debit({ effectiveAt });
  const posted = () => wallet.ledger.ofTenant(person.tenantId).slice(1);
  expect(posted().map(({ transfer }) => transfer.effectiveAt)).toEqual([effectiveAt, effectiveAt]);
  expect(await refusalOf(debit())).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  expect(posted()).toHaveLength(2);
  await debit({ idempotencyKey: randomUUID() });
  expect(posted().at(-1)!.transfer.effectiveAt).toBeUndefined();
  const live = await borrower();
  const refusal = await refusalOf(live.debit({ effectiveAt }));
  expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path: "effectiveAt" }] } });
  expect(live.balance()).toBe(500_00n);
});

test("a key decides once: too little money is kept, also when more arrives", async () => {
  const { debit, balance, accountId, person } = await borrower();
  const legs = [{ creditAccountId: "loan_principal:USD", amountMinor: 500_01n, kind: "loan_repayment" }];
  const refusal = await refusalOf(debit({ legs }));
  expect(refusal).toMatchObject({
    code: "INSUFFICIENT_FUNDS",
    details: { figures: { available: "500.00", asked: "500.01" } },
  });
  const deposit = {
    idempotencyKey: randomUUID(),
    accountId,
    amount: { amountMinor: 1n, currency: "USD" },
    reference: "B-1",
  };
  await wallet.operator.recordDeposit(deposit, wallet.calls({ tenantId: person.tenantId }));
  expect((await refusalOf(debit({ legs }))).code).toBe("INSUFFICIENT_FUNDS");
  expect(balance()).toBe(500_01n);
});

test.each([
  ["FROZEN", "ACCOUNT_FROZEN"],
  ["CLOSED", "ACCOUNT_CLOSED"],
])("a %s account gives nothing, and the key remembers", async (status, code) => {
  const { person, accountId, debit, balance } = await borrower();
  const accounts = wallet.database.db.collection("wallet_accounts");
  const set = (to: string) =>
    accounts.updateOne({ tenantId: person.tenantId, _id: accountId as never }, { $set: { status: to } });
  await set(status);
  await expect(debit()).rejects.toEqual(refused(code));
  await set("ACTIVE");
  await expect(debit()).rejects.toEqual(refused(code));
  expect(balance()).toBe(500_00n);
});

test("another currency, missing accounts and strangers move nothing", async () => {
  const { person, debit, balance } = await borrower();
  const leg = { creditAccountId: "loan_principal:EUR", amountMinor: 1n, kind: "loan_repayment" };
  await expect(debit({ legs: [leg] })).rejects.toEqual(refused("CURRENCY_MISMATCH"));
  await expect(debit({ legs: [{ ...leg, creditAccountId: "not_there:USD" }] })).rejects.toEqual(
    refused("IDEMPOTENCY_KEY_REUSED"),
  );
  const fresh = (part: object) => debit({ idempotencyKey: randomUUID(), ...part });
  await expect(fresh({ legs: [{ ...leg, creditAccountId: "not_there:USD" }] })).rejects.toEqual(
    refused("ACCOUNT_NOT_FOUND"),
  );
  await expect(fresh({ customerId: wallet.person(person.tenantId).customerId })).rejects.toEqual(
    refused("ACCOUNT_NOT_FOUND"),
  );
  await expect(fresh({ accountId: (await wallet.wallet(wallet.person(), "USD", 9n)).accountId })).rejects.toEqual(
    refused("ACCOUNT_NOT_FOUND"),
  );
  await expect(debit({ idempotencyKey: randomUUID() }, "remittance")).rejects.toEqual(refused("CALLER_NOT_ALLOWED"));
  expect(balance()).toBe(500_00n);
});

test.each([
  ["idempotencyKey", { idempotencyKey: "a b" }],
  ["legs", { legs: [] }],
  ["legs.0.amountMinor", { legs: [{ creditAccountId: "loan_principal:USD", amountMinor: 0n, kind: "x" }] }],
  ["legs.0.amountMinor", { legs: [{ creditAccountId: "loan_principal:USD", amountMinor: -5n, kind: "x" }] }],
  ["legs.0.kind", { legs: [{ creditAccountId: "loan_principal:USD", amountMinor: 1n, kind: "Not This" }] }],
  ["legs.0.creditAccountId", { legs: [{ creditAccountId: "", amountMinor: 1n, kind: "x" }] }],
])("a faulty %s is named", async (path, part) => {
  const { debit } = await borrower();
  expect(await refusalOf(debit(part))).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
});

test("twenty-five debits at once of a wallet that has money for four take four", async () => {
  const { debit, balance } = await borrower();
  const results = await Promise.allSettled(
    Array.from({ length: 25 }, () => debit({ idempotencyKey: randomUUID() }, "investment")),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
  expect(balance()).toBe(80_00n);
});

describe("cut off anywhere, it ends once by itself and by the asker's retry", () => {
  test.each(["recorded", "posted", "ended"].map((step) => `wallet.movement.${step}`))("at %s", async (point) => {
    const { debit, balance } = await borrower();
    wallet.crashAt(point);
    await refusalOf(debit());
    expect(wallet.crashedAt(point)).toBe(true);
    await eventually("the debit", () => balance() === 395_00n);
    const answered = () => debit().catch(() => undefined);
    expect(await eventually("the answer", answered)).toMatchObject({ newBalanceMinor: 395_00n });
    expect(balance()).toBe(395_00n);
  });
});

describe("one account, for whoever has to know it", () => {
  test("has owner, currency, status and balances", async () => {
    const { person, accountId } = await borrower();
    const { account } = await wallet
      .clientOf("lending")
      .getWalletAccount({ accountId }, wallet.calls({ tenantId: person.tenantId }));
    expect(account).toMatchObject({
      accountId,
      customerId: person.customerId,
      currency: "USD",
      status: "OPEN",
      availableBalanceMinor: 500_00n,
      heldBalanceMinor: 0n,
    });
  });

  test("is 404 in another tenant and 403 for another customer", async () => {
    const { person, accountId } = await borrower();
    const read = (by: Person) => wallet.gateway.getWalletAccount({ accountId }, wallet.calls(by));
    await expect(read(wallet.person())).rejects.toEqual(refused("ACCOUNT_NOT_FOUND"));
    await expect(read(wallet.person(person.tenantId))).rejects.toEqual(refused("FORBIDDEN"));
    await expect(read(wallet.person(person.tenantId, "MANAGER"))).resolves.toBeDefined();
    await expect(read(person)).resolves.toBeDefined();
  });
});
