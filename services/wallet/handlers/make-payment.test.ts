import { randomUUID } from "node:crypto";
import { MakePaymentResponse } from "../../../proto/gen/wallet/v1/wallet.js";
import { testTenant } from "../../../test/support/index.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type PaymentDraft,
  type Person,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_payments");
});
afterAll(() => wallet.close());
afterEach(() => wallet.faults.clear());

const refused = (code: string) => expect.objectContaining({ code });

/** A customer with 500.00 USD and a transaction of 102.69 to pay. */
async function payer() {
  const person = wallet.person();
  const account = await wallet.wallet(person, "USD", 50_000n);
  const { id, transaction, total } = wallet.transaction(person);
  const draft: PaymentDraft = { accountId: account.accountId, payableId: id, totalCheckoutAmount: total };
  return { person, account, transaction, draft };
}
const debitsOf = ({ tenantId }: Person, accountId: string) =>
  wallet.ledger.ofTenant(tenantId).filter(({ transfer }) => transfer.debitAccountId === accountId);
const balanceOf = ({ tenantId }: Person, accountId: string) => wallet.ledger.balance(tenantId, accountId);

describe("paying a transaction", () => {
  test("debits principal, fee and tax in one group and answers with the balance after it", async () => {
    const { person, account, transaction, draft } = await payer();
    const { payment } = await wallet.pay(person, { ...draft, paymentGatewayRef: "ref-1" }, { interactionId: "pay-1" });
    expect(payment).toMatchObject({
      status: "SUCCESS",
      payableType: "PAYABLE_TYPE_TRANSACTION",
      payableId: draft.payableId,
      accountId: account.accountId,
      accountNumber: account.accountNumber,
      totalCheckoutAmount: { amountMinor: 10_269n, currency: "USD" },
      paymentGatewayRef: "ref-1",
      newBalanceMinor: 39_731n,
      payableStatus: "PAID",
      interactionId: "pay-1",
    });
    const debits = debitsOf(person, account.accountId);
    expect(
      debits.map(({ transfer }) => [transfer.kind, transfer.creditAccountId, transfer.amount?.amountMinor]),
    ).toEqual([
      ["wallet_payment", "remittance_clearing:USD", 10_000n],
      ["fee", "fee_income:USD", 250n],
      ["tax", "tax_payable:USD", 19n],
    ]);
    for (const debit of debits) expect(debit).toMatchObject({ interactionId: "pay-1", createdBy: person.userId });
    expect(transaction).toMatchObject({ status: "PAID", fundings: ["WALLET"], debited: [account.accountNumber] });
    // Work that goes on without the payer carries no token of theirs.
    const calls = wallet.remittance.calls.filter(({ interactionId }) => interactionId === "pay-1");
    expect(calls.map(({ rpc, userToken }) => [rpc, userToken])).toEqual([
      ["claimTransaction", undefined],
      ["markTransactionPaid", undefined],
    ]);
  });

  test("is PAID at remittance before anybody is told so, whoever asks", async () => {
    const { person, transaction, draft } = await payer();
    const request = { ...draft, paymentGatewayRef: "ref-read", idempotencyKey: "k" };
    const payAndRead = async () => {
      for (;;) {
        try {
          const { payment } = await wallet.pay(person, request);
          return [payment?.payableStatus, transaction.status];
        } catch (error) {
          if ((error as { code?: string }).code !== "IDEMPOTENCY_IN_FLIGHT") throw error;
        }
      }
    };
    const read = await Promise.all(Array.from({ length: 8 }, payAndRead));
    expect(new Set(read.map((pair) => pair.join(" ")))).toEqual(new Set(["PAID PAID"]));
  });

  test.each(["before", "after"] as const)(
    "says PAYING, and always again, where remittance fails %s it was told; shown as PAID once it has heard",
    async (when) => {
      const { person, account, transaction, draft } = await payer();
      const request = { ...draft, paymentGatewayRef: "ref-late", idempotencyKey: "k1" };
      wallet.faults.next("markTransactionPaid", when, "DEADLINE_EXCEEDED");
      const first = await wallet.pay(person, request);
      expect(first.payment).toMatchObject({ status: "SUCCESS", payableStatus: "PAYING", newBalanceMinor: 39_731n });
      const { paymentId } = first.payment!;
      const shown = async () => (await wallet.gateway.getPayment({ paymentId }, wallet.calls(person))).payment;
      await eventually("the payment to be shown as PAID", async () => (await shown())?.payableStatus === "PAID");
      expect(transaction.status).toBe("PAID");
      expect(await wallet.pay(person, request)).toEqual(first);
      expect(await wallet.pay(person, { ...request, idempotencyKey: "k2" })).toEqual(first);
      expect(balanceOf(person, account.accountId)).toBe(39_731n);
    },
  );

  test("takes 102.69, 102.690 and what is known of the account", async () => {
    const { person, account, draft } = await payer();
    const named = { accountNumber: account.accountNumber, currency: "USD", totalCheckoutAmount: "102.690" };
    await expect(wallet.pay(person, { ...draft, ...named })).resolves.toBeDefined();
  });

  test("keeps no password, code or pin in MongoDB or in the log", async () => {
    const { person, draft } = await payer();
    await wallet.pay(person, { ...draft, otp: "otp-8731-secret", pin: "pin-4410-secret" });
    await refusalOf(wallet.pay(person, { ...draft, password: "wrong-9915-secret" }));
    const names = (await wallet.database.db.listCollections()).map(({ name }) => name);
    const documents: unknown[] = [];
    for (const name of names) {
      documents.push(await wallet.database.db.collection(name).find({ tenantId: person.tenantId }).toArray());
    }
    const text = JSON.stringify(documents, (_key, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(text).toContain(draft.accountId);
    for (const place of [text, wallet.network.lines.join("")]) {
      expect(place).not.toMatch(/-secret|correct horse/);
    }
  });
});

describe("paying a wallet", () => {
  test("moves the amount once and needs nobody else", async () => {
    const { person, account, draft } = await payer();
    const friend = wallet.person(person.tenantId);
    const { accountId } = await wallet.wallet(friend, "USD");
    const { payment } = await wallet.pay(person, {
      ...draft,
      payableType: "PAYABLE_TYPE_WALLET_CUSTOMER",
      payableId: accountId,
      totalCheckoutAmount: "25",
    });
    expect(payment).toMatchObject({ status: "SUCCESS", newBalanceMinor: 47_500n, payableStatus: "PAID" });
    expect(balanceOf(person, accountId)).toBe(2_500n);
    expect(debitsOf(person, account.accountId).map(({ transfer }) => transfer.kind)).toEqual(["wallet_transfer"]);
  });

  test.each([
    ["an unknown wallet", () => randomUUID(), "PAYABLE_NOT_FOUND"],
    ["itself", (own: string) => own, "SAME_ACCOUNT"],
  ])("refuses %s", async (_what, payableOf, code) => {
    const { person, account, draft } = await payer();
    const payableId = payableOf(account.accountId);
    const pay = wallet.pay(person, { ...draft, payableType: "PAYABLE_TYPE_WALLET_CUSTOMER", payableId });
    await expect(pay).rejects.toEqual(refused(code));
    expect(balanceOf(person, account.accountId)).toBe(50_000n);
  });

  test("refuses a wallet of another currency or tenant", async () => {
    const { person, draft } = await payer();
    const euro = await wallet.wallet(wallet.person(person.tenantId), "EUR");
    const foreign = await wallet.wallet(wallet.person(), "USD");
    const pay = (payableId: string) =>
      wallet.pay(person, { ...draft, payableType: "PAYABLE_TYPE_WALLET_CUSTOMER", payableId });
    await expect(pay(euro.accountId)).rejects.toEqual(refused("CURRENCY_MISMATCH"));
    await expect(pay(foreign.accountId)).rejects.toEqual(refused("PAYABLE_NOT_FOUND"));
  });
});

describe("bad input and strangers", () => {
  test.each([
    ["payableType", { payableType: "PAYABLE_TYPE_UNSPECIFIED" as const }],
    ["payableId", { payableId: "" }],
    ["payableId", { payableId: "x".repeat(129) }],
    ["accountId", { accountId: "" }],
    ["paymentGatewayRef", { paymentGatewayRef: "" }],
    ["paymentGatewayRef", { paymentGatewayRef: "a\u0000b" }],
    ["idempotencyKey", { idempotencyKey: "k".repeat(256) }],
    ["currency", { currency: "DOLLARS" }],
    ["totalCheckoutAmount", { totalCheckoutAmount: "" }],
    ["totalCheckoutAmount", { totalCheckoutAmount: "-1" }],
    ["totalCheckoutAmount", { totalCheckoutAmount: "1e3" }],
    ["totalCheckoutAmount", { totalCheckoutAmount: "NaN" }],
    ["totalCheckoutAmount", { totalCheckoutAmount: "102.691" }],
  ])("refuses a faulty %s: %j", async (path, fault) => {
    const { person, draft } = await payer();
    const refusal = await refusalOf(wallet.pay(person, { ...draft, ...fault }));
    expect(refusal).toMatchObject({ code: "INVALID_INPUT", details: { errors: [{ path }] } });
  });

  test("refuses an amount of zero, and one beyond int64", async () => {
    const { person, draft } = await payer();
    const pay = (totalCheckoutAmount: string) => wallet.pay(person, { ...draft, totalCheckoutAmount });
    await expect(pay("0")).rejects.toEqual(refused("AMOUNT_NOT_POSITIVE"));
    await expect(pay("92233720368547758.08")).rejects.toEqual(refused("AMOUNT_TOO_LARGE"));
  });

  test("another customer's account is 403, an unknown one and another tenant's 404", async () => {
    const { person, draft } = await payer();
    const neighbour = await wallet.wallet(wallet.person(person.tenantId), "USD", 50_000n);
    const foreign = await wallet.wallet(wallet.person(), "USD", 50_000n);
    const pay = (accountId: string) => wallet.pay(person, { ...draft, accountId });
    await expect(pay(neighbour.accountId)).rejects.toEqual(refused("FORBIDDEN"));
    await expect(pay(foreign.accountId)).rejects.toEqual(refused("ACCOUNT_NOT_FOUND"));
    await expect(pay(randomUUID())).rejects.toEqual(refused("ACCOUNT_NOT_FOUND"));
  });

  test("an account that the ledger does not have yet is not there", async () => {
    const person = wallet.person();
    wallet.faults.next("createAccounts", "before");
    await refusalOf(wallet.wallet(person, "USD"));
    const row = await wallet.database.db.collection("wallet_accounts").findOne({ tenantId: person.tenantId });
    const { id, total } = wallet.transaction(person);
    const pay = wallet.pay(person, { accountId: String(row?._id), payableId: id, totalCheckoutAmount: total });
    await expect(pay).rejects.toEqual(refused("ACCOUNT_NOT_FOUND"));
  });

  test("what is said of the account must be so", async () => {
    const { person, draft } = await payer();
    await expect(wallet.pay(person, { ...draft, accountNumber: "1002003004" })).rejects.toEqual(
      refused("ACCOUNT_NUMBER_MISMATCH"),
    );
    await expect(wallet.pay(person, { ...draft, currency: "EUR" })).rejects.toEqual(refused("CURRENCY_MISMATCH"));
  });

  test("only the gateway with a customer or cashier may ask", async () => {
    const { person, draft } = await payer();
    const { tenantId } = person;
    for (const role of ["MANAGER", "AGENT"] as const) {
      await expect(wallet.pay(wallet.person(tenantId, role), draft)).rejects.toEqual(refused("FORBIDDEN"));
    }
    const request = { ...draft, paymentGatewayRef: "r" };
    await expect(wallet.operator.makePayment(request, wallet.calls(person))).rejects.toEqual(
      refused("CALLER_NOT_ALLOWED"),
    );
    await expect(wallet.gateway.makePayment(request, wallet.calls({ tenantId }))).rejects.toEqual(
      refused("UNAUTHENTICATED"),
    );
    const elsewhere = { ...person, tenantId: testTenant() };
    await expect(wallet.pay(elsewhere, draft)).rejects.toEqual(refused("UNAUTHENTICATED"));
  });
});

describe("credentials", () => {
  test("a wrong or missing password moves nothing, and the same key goes through when it is corrected", async () => {
    const { person, account, draft } = await payer();
    const key = { idempotencyKey: randomUUID(), paymentGatewayRef: "ref-pw" };
    await expect(wallet.pay(person, { ...draft, ...key, password: "wrong" })).rejects.toEqual(
      refused("PASSWORD_WRONG"),
    );
    await expect(wallet.pay(person, { ...draft, ...key, password: "" })).rejects.toEqual(refused("PASSWORD_REQUIRED"));
    expect(balanceOf(person, account.accountId)).toBe(50_000n);
    await expect(wallet.pay(person, { ...draft, ...key })).resolves.toBeDefined();
    expect(balanceOf(person, account.accountId)).toBe(39_731n);
  });

  test("a one-time code that the first try has used does not fail its retry", async () => {
    const { person, account, draft } = await payer();
    wallet.identity.otpTenants.add(person.tenantId);
    const request = { ...draft, idempotencyKey: randomUUID(), paymentGatewayRef: "ref-otp" };
    await expect(wallet.pay(person, request)).rejects.toEqual(refused("OTP_REQUIRED"));
    const first = await wallet.pay(person, { ...request, otp: "123456" });
    expect(await wallet.pay(person, { ...request, otp: "123456" })).toEqual(first);
    expect(balanceOf(person, account.accountId)).toBe(39_731n);
    await expect(wallet.pay(person, { ...draft, otp: "123456" })).rejects.toEqual(refused("OTP_WRONG"));
  });

  test("says nothing of the account or the payable to somebody without the password", async () => {
    const { person, draft } = await payer();
    const wrong = { password: "wrong", accountNumber: "1002003004", payableId: randomUUID(), totalCheckoutAmount: "0" };
    await expect(wallet.pay(person, { ...draft, ...wrong })).rejects.toEqual(refused("PASSWORD_WRONG"));
  });

  test("a cashier pays where the tenant allows it, with the customer's credentials", async () => {
    const { person, account, draft } = await payer();
    const cashier = wallet.person(person.tenantId, "CASHIER");
    await expect(wallet.pay(cashier, draft)).rejects.toEqual(refused("FORBIDDEN"));
    wallet.identity.cashierTenants.add(person.tenantId);
    await expect(wallet.pay(cashier, { ...draft, password: "wrong" })).rejects.toEqual(refused("PASSWORD_WRONG"));
    // Always with a code of the customer's, also where the tenant asks its customers for none.
    await expect(wallet.pay(cashier, draft)).rejects.toEqual(refused("OTP_REQUIRED"));
    const reference = { paymentGatewayRef: "ref-desk" };
    await wallet.pay(cashier, { ...draft, ...reference, otp: "778899" });
    // Its answer is the cashier's: neither the customer nor another cashier gets it by the
    // reference.
    for (const other of [person, wallet.person(person.tenantId, "CASHIER")]) {
      const again = wallet.pay(other, { ...draft, ...reference, otp: "778898" });
      await expect(again).rejects.toEqual(refused("PAYMENT_REFERENCE_REUSED"));
    }
    await expect(wallet.pay(cashier, { ...draft, ...reference, otp: "778899" })).resolves.toBeDefined();
    expect(wallet.identity.verified.at(-1)).toMatchObject({ userId: person.userId });
    expect(debitsOf(person, account.accountId)[0]).toMatchObject({ createdBy: cashier.userId });
    const foreign = await wallet.wallet(wallet.person(), "USD", 50_000n);
    await expect(wallet.pay(cashier, { ...draft, accountId: foreign.accountId })).rejects.toEqual(
      refused("ACCOUNT_NOT_FOUND"),
    );
  });
});

describe("what remittance and the ledger refuse", () => {
  test("too little money fails the payment for good and gives the transaction back before answering", async () => {
    const person = wallet.person();
    const account = await wallet.wallet(person, "USD", 10_268n);
    const { id, transaction, total } = wallet.transaction(person);
    const draft = {
      accountId: account.accountId,
      payableId: id,
      totalCheckoutAmount: total,
      idempotencyKey: randomUUID(),
    };
    const request = { ...draft, paymentGatewayRef: "ref-poor" };
    const refusal = await refusalOf(wallet.pay(person, request));
    expect(refusal).toMatchObject({
      code: "INSUFFICIENT_FUNDS",
      details: { figures: { available: "102.68", asked: "102.69", currency: "USD" } },
    });
    expect(transaction.status).toBe("AWAITING_PAYMENT");
    expect(balanceOf(person, account.accountId)).toBe(10_268n);
    // Money that arrives later does not change the answer of this key; another payment goes
    // through.
    await wallet.operator.recordDeposit(
      {
        idempotencyKey: randomUUID(),
        accountId: account.accountId,
        amount: { amountMinor: 1n, currency: "USD" },
        reference: "B",
      },
      wallet.calls(person),
    );
    let isReplayed = false;
    const again = await refusalOf(wallet.pay(person, request, { onReplayed: () => (isReplayed = true) }));
    expect([again.code, again.message, again.details]).toEqual([refusal.code, refusal.message, refusal.details]);
    expect(isReplayed).toBe(true);
    await expect(wallet.pay(person, { ...draft, idempotencyKey: randomUUID() })).resolves.toMatchObject({
      payment: { newBalanceMinor: 0n },
    });
  });

  test("gives the transaction back by the relay when it cannot be done at once", async () => {
    const person = wallet.person();
    const { accountId } = await wallet.wallet(person, "USD", 1n);
    const { id, transaction, total } = wallet.transaction(person);
    wallet.faults.next("releaseTransaction", "before");
    const pay = wallet.pay(person, { accountId, payableId: id, totalCheckoutAmount: total });
    await expect(pay).rejects.toEqual(refused("INSUFFICIENT_FUNDS"));
    await eventually("the release", () => transaction.status === "AWAITING_PAYMENT");
  });

  test.each([
    ["another amount", { totalCheckoutAmount: "102.70" }, {}, "AMOUNT_MISMATCH"],
    ["an expired transaction", {}, { status: "EXPIRED" as const }, "TRANSACTION_EXPIRED"],
    ["a paid transaction", {}, { status: "PAID" as const, paymentId: "other" }, "PAYABLE_ALREADY_PAID"],
    ["another currency", {}, { currency: "EUR" }, "CURRENCY_MISMATCH"],
  ])(
    "refuses %s, keeps the answer, and tells remittance that the payment is over",
    async (_what, change, state, code) => {
      const { person, account, transaction, draft } = await payer();
      Object.assign(transaction, state);
      const request = { ...draft, ...change, idempotencyKey: randomUUID(), paymentGatewayRef: "ref-no" };
      await expect(wallet.pay(person, request)).rejects.toEqual(refused(code));
      Object.assign(transaction, { status: "AWAITING_PAYMENT", currency: "USD" });
      await expect(wallet.pay(person, request)).rejects.toEqual(refused(code));
      expect(balanceOf(person, account.accountId)).toBe(50_000n);
      await eventually("the release", () => transaction.released.length === 1);
    },
  );

  test("one that is being paid is refused for the moment: the same key and reference go through once it is not", async () => {
    const { person, account, transaction, draft } = await payer();
    Object.assign(transaction, { status: "PAYING", paymentId: "other" });
    const request = { ...draft, idempotencyKey: randomUUID(), paymentGatewayRef: "ref-later" };
    const refusal = await refusalOf(wallet.pay(person, request));
    expect([refusal.code, refusal.details]).toEqual(["TRANSACTION_NOT_PAYABLE", { retryAfterS: 1 }]);
    await eventually("the release", () => transaction.released.length === 1);
    Object.assign(transaction, { status: "AWAITING_PAYMENT" });
    await expect(wallet.pay(person, request)).resolves.toMatchObject({ payment: { status: "SUCCESS" } });
    expect(balanceOf(person, account.accountId)).toBeLessThan(50_000n);
  });

  test.each([
    ["an unknown transaction is 404", () => randomUUID(), "TRANSACTION_NOT_FOUND"],
    [
      "another customer's transaction is 403",
      ({ tenantId }: Person) => wallet.transaction(wallet.person(tenantId)).id,
      "PAYER_NOT_SENDER",
    ],
    ["another tenant's transaction is 404", () => wallet.transaction(wallet.person()).id, "TRANSACTION_NOT_FOUND"],
  ])("%s and is not kept: the same key and reference go through when corrected", async (_what, payableOf, code) => {
    const { person, account, draft } = await payer();
    const key = { idempotencyKey: randomUUID(), paymentGatewayRef: "ref-corrected" };
    const wrong = wallet.pay(person, { ...draft, ...key, payableId: payableOf(person) });
    await expect(wrong).rejects.toEqual(refused(code));
    expect(balanceOf(person, account.accountId)).toBe(50_000n);
    await expect(wallet.pay(person, { ...draft, ...key })).resolves.toMatchObject({ payment: { status: "SUCCESS" } });
  });

  test("a refusal of us rather than of the payer is a bug, told to nobody outside, and leaves the payment open", async () => {
    const { person, account, draft } = await payer();
    const request = { ...draft, idempotencyKey: randomUUID(), paymentGatewayRef: "ref-bug" };
    wallet.faults.next("claimTransaction", "before", "CALLER_NOT_ALLOWED");
    await expect(wallet.pay(person, request)).rejects.toEqual(refused("INTERNAL"));
    wallet.faults.next("postTransfers", "before", "INVALID_INPUT");
    await expect(wallet.pay(person, request)).rejects.toEqual(refused("INTERNAL"));
    await expect(wallet.pay(person, request)).resolves.toMatchObject({ payment: { status: "SUCCESS" } });
    expect(balanceOf(person, account.accountId)).toBe(39_731n);
  });

  test("never fails a payment whose keys the ledger has decided otherwise", async () => {
    const { person, draft } = await payer();
    const real = wallet.ledger.handlers.postTransfers!;
    wallet.ledger.handlers.postTransfers = async () => ({
      results: [{ refused: { code: "KEY_REUSED", message: "" } }],
    });
    const request = { ...draft, idempotencyKey: randomUUID(), paymentGatewayRef: "ref-reused" };
    try {
      await expect(wallet.pay(person, request)).rejects.toEqual(refused("INTERNAL"));
    } finally {
      wallet.ledger.handlers.postTransfers = real;
    }
    const row = await wallet.database.db.collection("payments").findOne({ tenantId: person.tenantId });
    expect(row).toMatchObject({ status: "PENDING" });
  });
});

describe("one request, one payment", () => {
  test("a repeated key gives the stored answer, byte for byte, marked as replayed", async () => {
    const { person, account, draft } = await payer();
    const request = { ...draft, idempotencyKey: randomUUID(), paymentGatewayRef: "ref-again" };
    const first = await wallet.pay(person, request, { interactionId: "first" });
    let isReplayed = false;
    const again = await wallet.pay(
      person,
      { ...request, totalCheckoutAmount: "102.6900" },
      { interactionId: "second", onReplayed: () => (isReplayed = true) },
    );
    expect(MakePaymentResponse.encode(again).finish()).toEqual(MakePaymentResponse.encode(first).finish());
    expect(isReplayed).toBe(true);
    expect(debitsOf(person, account.accountId)).toHaveLength(3);
  });

  test("without a key the reference is the key; with another content it is 422", async () => {
    const { person, account, draft } = await payer();
    const request = { ...draft, paymentGatewayRef: "ref-only" };
    const first = await wallet.pay(person, request);
    expect(await wallet.pay(person, request)).toEqual(first);
    await expect(wallet.pay(person, { ...request, totalCheckoutAmount: "1" })).rejects.toEqual(
      refused("PAYMENT_REFERENCE_REUSED"),
    );
    expect(debitsOf(person, account.accountId)).toHaveLength(3);
  });

  test("a reference is for ever, whatever the key: same content the first answer, other content 422", async () => {
    const { person, account, draft } = await payer();
    const request = { ...draft, paymentGatewayRef: "ref-ever" };
    const first = await wallet.pay(person, { ...request, idempotencyKey: "k1" });
    let isReplayed = false;
    const again = await wallet.pay(
      person,
      { ...request, idempotencyKey: "k2" },
      { onReplayed: () => (isReplayed = true) },
    );
    expect(again).toEqual(first);
    expect(isReplayed).toBe(true);
    // Now k2 is known, too.
    expect(await wallet.pay(person, { ...request, idempotencyKey: "k2" })).toEqual(first);
    await expect(wallet.pay(person, { ...request, idempotencyKey: "k2", payableId: "t" })).rejects.toEqual(
      refused("IDEMPOTENCY_KEY_REUSED"),
    );
    expect(await wallet.pay(person, request)).toEqual(first);
    const other = { ...request, idempotencyKey: "k3", payableId: wallet.transaction(person).id };
    await expect(wallet.pay(person, other)).rejects.toEqual(refused("PAYMENT_REFERENCE_REUSED"));
    expect(debitsOf(person, account.accountId)).toHaveLength(3);
  });

  test("keys and references of different customers do not meet", async () => {
    const [one, other] = [await payer(), await payer()];
    const key = { idempotencyKey: "same-key", paymentGatewayRef: "same-ref" };
    await wallet.pay(one.person, { ...one.draft, ...key });
    await expect(wallet.pay(other.person, { ...other.draft, ...key })).resolves.toBeDefined();
  });

  test("another request under the key is 422", async () => {
    const { person, draft } = await payer();
    const idempotencyKey = randomUUID();
    await wallet.pay(person, { ...draft, idempotencyKey });
    await expect(wallet.pay(person, { ...draft, idempotencyKey, totalCheckoutAmount: "5" })).rejects.toEqual(
      refused("IDEMPOTENCY_KEY_REUSED"),
    );
  });

  test.each([
    ["one key", (at: number) => ({ idempotencyKey: "k", paymentGatewayRef: "r", at })],
    ["one reference and no key", (at: number) => ({ paymentGatewayRef: "r", at })],
    ["one reference under twenty keys", (at: number) => ({ idempotencyKey: `k${at}`, paymentGatewayRef: "r", at })],
  ])("twenty at once with %s have one effect and one answer", async (_what, keys) => {
    const { person, account, draft } = await payer();
    const payOnce = async (at: number) => {
      const { at: _at, ...key } = keys(at);
      for (;;) {
        try {
          return MakePaymentResponse.encode(await wallet.pay(person, { ...draft, ...key })).finish();
        } catch (error) {
          if ((error as { code?: string }).code !== "IDEMPOTENCY_IN_FLIGHT") throw error;
        }
      }
    };
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => payOnce(at)));
    expect(new Set(answers.map((bytes) => Buffer.from(bytes).toString("hex"))).size).toBe(1);
    expect(debitsOf(person, account.accountId)).toHaveLength(3);
    expect(balanceOf(person, account.accountId)).toBe(39_731n);
  });

  test.each([
    ["JPY", "10.5", "INVALID_INPUT"],
    ["USD", "1.234", "INVALID_INPUT"],
    ["KWD", "1.234", undefined],
  ])("%s %s has the decimals of its currency, or is refused by name", async (currency, totalCheckoutAmount, code) => {
    const person = wallet.person();
    const { accountId } = await wallet.wallet(person, currency, 5_000n);
    const to = await wallet.wallet(wallet.person(person.tenantId), currency);
    const type = "PAYABLE_TYPE_WALLET_CUSTOMER" as const;
    const draft = { payableType: type, payableId: to.accountId, accountId, totalCheckoutAmount };
    const answer = await wallet
      .pay(person, draft)
      .catch((error: unknown) => error as { code: string; message: string });
    expect("code" in answer ? answer.code : undefined).toBe(code);
    if ("code" in answer) expect(answer.message).toContain("totalCheckoutAmount");
    expect(balanceOf(person, accountId)).toBe(code === undefined ? 3_766n : 5_000n);
  });

  test("twenty payments of one transaction: one pays, the others are refused", async () => {
    const { person, account, transaction, draft } = await payer();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => wallet.pay(person, draft)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "fulfilled") continue;
      expect(["TRANSACTION_NOT_PAYABLE", "PAYABLE_ALREADY_PAID"]).toContain((outcome.reason as { code: string }).code);
    }
    expect(balanceOf(person, account.accountId)).toBe(39_731n);
    await eventually("the transaction to be PAID", () => transaction.status === "PAID");
  });
});

describe("while Redis is away", () => {
  let alone: WalletFixture;
  beforeAll(async () => {
    // Nothing listens there.
    alone = await createWalletFixture("wallet_no_redis", { redisUrl: "redis://127.0.0.1:1" });
  });
  afterAll(() => alone.close());

  test("twenty at once still have one effect and one answer", async () => {
    const person = alone.person();
    const { accountId } = await alone.wallet(person, "USD", 50_000n);
    const { id, total } = alone.transaction(person);
    const draft = { accountId, payableId: id, totalCheckoutAmount: total, paymentGatewayRef: "r" };
    const payOnce = async () => {
      for (;;) {
        try {
          return MakePaymentResponse.encode(await alone.pay(person, draft)).finish();
        } catch (error) {
          if ((error as { code?: string }).code !== "IDEMPOTENCY_IN_FLIGHT") throw error;
        }
      }
    };
    const answers = await Promise.all(Array.from({ length: 20 }, payOnce));
    expect(new Set(answers.map((bytes) => Buffer.from(bytes).toString("hex"))).size).toBe(1);
    expect(alone.ledger.balance(person.tenantId, accountId)).toBe(39_731n);
  });
});
