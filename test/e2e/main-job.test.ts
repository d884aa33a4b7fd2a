import { approveShown } from "../support/approve-shown.js";
import { randomUUID } from "node:crypto";
import { waitFor } from "../support/index.js";
import { oneAtATime } from "../support/one-at-a-time.js";
import {
  createEdgeClient,
  demoUser,
  readDemo,
  services,
  type DemoUser,
  type EdgeClient,
} from "../support/edge-client.js";

const demo = readDemo();
const amina = demoUser(demo, "CUSTOMER", { email: "amina" });
const kofi = demoUser(demo, "CUSTOMER", { email: "kofi" });
const toNigeria = { sendAmount: "100.00", sendCurrency: "USD", originCountry: "USA", to: "NGA" };

const walletOf = (user: DemoUser, currency: string) => {
  const wallet = user.wallets?.find((one) => one.currency === currency);
  if (wallet === undefined) throw new Error(`${user.email} has no ${currency} wallet`);
  return wallet;
};

async function clientOf(user: DemoUser): Promise<EdgeClient> {
  const client = createEdgeClient(demo.baseUrl);
  expect(await client.login(user)).toMatchObject({ status: 200 });
  return client;
}

const cents = (text: string) => BigInt(text.replace(".", ""));

oneAtATime();

describe("the main job", () => {
  test("log in, create a transaction, pay for it from the wallet, read it in the ledger", async () => {
    const client = await clientOf(amina);
    const wallet = walletOf(amina, "USD");
    const before = await client.balanceOf(wallet.accountId);
    const interactionId = randomUUID();

    const created = await client.createTransaction(amina, toNigeria, { "x-fapi-interaction-id": interactionId });
    // 100.00 at 1525.75; fee 2.00 + 50 bps, tax 750 bps on the fee, half-even to the cent.
    expect(created).toMatchObject({
      status: 200,
      headers: { "x-fapi-interaction-id": interactionId },
      body: {
        status: "SUCCESS",
        data: {
          status: "AWAITING_PAYMENT",
          sendAmount: "100.00",
          amount: "152575.00",
          totalFees: "2.50",
          totalTaxes: "0.19",
          totalAmount: "102.69",
          interactionId,
        },
      },
    });
    const { id } = created.body.data;

    const paid = await client.pay(
      amina,
      { payAbleId: id, accountId: wallet.accountId, total: "102.69" },
      { "x-fapi-interaction-id": interactionId },
    );
    expect(paid).toMatchObject({
      status: 200,
      body: {
        status: "SUCCESS",
        data: { status: "SUCCESS", payableStatus: "PAID", totalCheckOutAmount: 102.69, interactionId },
      },
    });
    expect((await client.readTransaction(id)).body.data.status).not.toBe("PAYING");
    const after = await client.balanceOf(wallet.accountId);
    expect(cents(before) - cents(after)).toBe(10_269n);

    const read = await waitFor(
      async () => {
        const answer = await client.readTransaction(id);
        return answer.body.data.status === "COMPLETED" ? answer : undefined;
      },
      { timeoutMs: 20_000, what: "the payout" },
    );
    expect(read.body.data.timeline.map(({ status }: { status: string }) => status)).toEqual([
      "AWAITING_COMPLIANCE",
      "AWAITING_PAYMENT",
      "PAYING",
      "PAID",
      "PROCESSING",
      "COMPLETED",
    ]);

    const own = await client.ledgerOf(interactionId);
    expect(own.body.data).toHaveLength(3);
    expect(own.body.data.map((entry: any) => [entry.ledgerType, entry.transactionAmount])).toEqual([
      ["DEBIT", 100],
      ["DEBIT", 2.5],
      ["DEBIT", 0.19],
    ]);
    expect(own.body.data.every((entry: any) => entry.createdBy === amina.userId)).toBe(true);
    const manager = await clientOf(demoUser(demo, "MANAGER"));
    const whole = (await manager.ledgerOf(interactionId)).body.data as any[];
    const sum = (side: string, currency: string) =>
      whole
        .filter((entry) => entry.ledgerType === side && entry.currency === currency)
        .reduce((total, entry) => total + Math.round(entry.transactionAmount * 100), 0);
    // The payment, and the principal once more out of clearing into the exchange; what it bought,
    // to the partner.
    expect([sum("DEBIT", "USD"), sum("CREDIT", "USD")]).toEqual([20_269, 20_269]);
    expect([sum("DEBIT", "NGN"), sum("CREDIT", "NGN")]).toEqual([15_257_500, 15_257_500]);
    const clearing = whole.filter(({ accountId }) => accountId === "remittance_clearing:USD");
    expect(clearing.map(({ ledgerType, transactionAmount }) => [ledgerType, transactionAmount])).toEqual([
      ["CREDIT", 100],
      ["DEBIT", 100],
    ]);
    const others = whole.filter(
      ({ accountId }) => !accountId.startsWith("remittance_clearing") && accountId !== wallet.accountId,
    );
    const atEach = others.map(({ accountId, ledgerType, transactionAmount }) => [
      accountId,
      ledgerType,
      transactionAmount,
    ]);
    expect(new Set(atEach)).toEqual(
      new Set([
        ["fee_income:USD", "CREDIT", 2.5],
        ["tax_payable:USD", "CREDIT", 0.19],
        ["exchange_position:USD", "CREDIT", 100],
        ["exchange_position:NGN", "DEBIT", 152_575],
        ["partner_settlement:operator:NGN", "CREDIT", 152_575],
      ]),
    );
  });

  test("the same request and key gives the same bytes and one effect, 20 at once too", async () => {
    const client = await clientOf(amina);
    const key = { "x-idempotency-key": randomUUID() };
    const first = await Promise.all(Array.from({ length: 20 }, () => client.createTransaction(amina, toNigeria, key)));
    const made = first.filter(({ status }) => status === 200);
    expect(made.length).toBeGreaterThan(0);
    expect(first.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const again = await client.createTransaction(amina, toNigeria, key);
    expect(again.headers["idempotency-replayed"]).toBe("true");
    expect(new Set([...made, again].map(({ text }) => text)).size).toBe(1);

    const changed = await client.createTransaction(amina, { ...toNigeria, sendAmount: "101.00" }, key);
    expect(changed).toMatchObject({ status: 422, body: { status: "FAILED", code: "IDEMPOTENCY_KEY_REUSED" } });
  });

  test("a transaction is paid once, by whichever of 10 payments is first", async () => {
    const client = await clientOf(amina);
    const wallet = walletOf(amina, "USD");
    const { id, totalAmount } = (await client.createTransaction(amina, toNigeria)).body.data;
    const before = cents(await client.balanceOf(wallet.accountId));
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        client.pay(amina, { payAbleId: id, accountId: wallet.accountId, total: totalAmount }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(before - cents(await client.balanceOf(wallet.accountId))).toBe(cents(totalAmount));
  });

  test("a cancellation right after the payment's answer is taken; a retry of its key has the same answer", async () => {
    const client = await clientOf(amina);
    const wallet = walletOf(amina, "USD");
    const outcomes = new Set<string>();
    for (let time = 0; time < 5; time += 1) {
      const before = cents(await client.balanceOf(wallet.accountId));
      const { id, totalAmount } = (await client.createTransaction(amina, toNigeria)).body.data;
      expect(await client.pay(amina, { payAbleId: id, accountId: wallet.accountId, total: totalAmount })).toMatchObject(
        {
          status: 200,
          body: { data: { payableStatus: "PAID" } },
        },
      );
      const key = { "x-idempotency-key": randomUUID() };
      const cancelled = await client.cancel(id, key);
      const again = await client.cancel(id, key);
      expect([again.status, again.text]).toEqual([cancelled.status, cancelled.text]);
      // The payout may have been faster: then it has ended, and is never "being paid".
      if (cancelled.status !== 200) expect(cancelled.body.message).toBe("the transaction is COMPLETED");
      const end = await waitFor(
        async () => {
          const { status } = (await client.readTransaction(id)).body.data;
          return status === "REFUNDED" || status === "COMPLETED" ? (status as string) : undefined;
        },
        { timeoutMs: 20_000, what: "its end" },
      );
      const short = before - cents(await client.balanceOf(wallet.accountId));
      expect(short).toBe(end === "REFUNDED" ? 0n : cents(totalAmount));
      outcomes.add(`${cancelled.status}`);
    }
    expect(outcomes).toContain("200");
  });

  test("a payment reference stands for one payment for ever", async () => {
    const client = await clientOf(amina);
    const wallet = walletOf(amina, "KES");
    const payment = {
      payableType: "WALLET_CUSTOMER",
      payAbleId: walletOf(kofi, "KES").accountId,
      accountId: wallet.accountId,
      total: "150.00",
      paymentGatewayRef: `ref-${randomUUID()}`,
    };
    const before = cents(await client.balanceOf(wallet.accountId));
    const first = await client.pay(amina, payment);
    expect(first.status).toBe(200);
    const again = await client.pay(amina, payment);
    expect(again.text).toBe(first.text);
    expect(again.headers["idempotency-replayed"]).toBe("true");
    // The same through an idempotency key of its own.
    expect((await client.pay(amina, payment, { "x-idempotency-key": randomUUID() })).body.data.paymentId).toBe(
      first.body.data.paymentId,
    );
    expect(before - cents(await client.balanceOf(wallet.accountId))).toBe(15_000n);
    expect(await client.pay(amina, { ...payment, total: "151.00" })).toMatchObject({ status: 422 });
  });

  test("money goes from wallet to wallet, and never below zero", async () => {
    const sender = await clientOf(kofi);
    const receiver = await clientOf(amina);
    const [from, to] = [walletOf(kofi, "EUR"), walletOf(amina, "EUR")];
    const before = cents(await receiver.balanceOf(to.accountId));
    const pay = { payableType: "WALLET_CUSTOMER", payAbleId: to.accountId, accountId: from.accountId };
    // 300.00 EUR are there: four payments of 80.00 at once, three pass.
    const answers = await Promise.all(Array.from({ length: 4 }, () => sender.pay(kofi, { ...pay, total: "80.00" })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 422]);
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({ code: "INSUFFICIENT_FUNDS" });
    expect(await sender.balanceOf(from.accountId)).toBe("60.00");
    expect(cents(await receiver.balanceOf(to.accountId)) - before).toBe(24_000n);
  });

  test("a wrong password is refused and changes nothing; the corrected one goes through under the same reference", async () => {
    const client = await clientOf(amina);
    const wallet = walletOf(amina, "GBP");
    const payment = {
      payableType: "WALLET_CUSTOMER",
      payAbleId: walletOf(kofi, "GBP").accountId,
      accountId: wallet.accountId,
      total: "5.00",
      paymentGatewayRef: `ref-${randomUUID()}`,
    };
    const refused = await client.pay({ ...amina, password: "Not-The-Password-1" }, payment);
    expect(refused).toMatchObject({
      status: 403,
      body: { code: "PASSWORD_WRONG", role: "CUSTOMER", status: "FAILED" },
    });
    expect((await client.pay(amina, payment)).status).toBe(200);
  });

  test("delivery WALLET credits another customer's wallet in the same books; a number that is nobody's is 422", async () => {
    const [client, receiver] = [await clientOf(amina), await clientOf(kofi)];
    const [from, to] = [walletOf(amina, "USD"), walletOf(kofi, "KES")];
    const { code, creditParty } = amina.beneficiaries!.find(({ deliveryMethods }) =>
      deliveryMethods.includes("WALLET"),
    )!;
    expect(creditParty).toEqual([{ key: "walletaccountno", value: to.accountNumber }]);
    const wallet = { type: "WALLET", preExistingRecipientCustomerCode: code, creditParty };
    const order = { ...toNigeria, sendAmount: "50.00", to: "KEN", body: wallet };
    const unknown = { ...wallet, creditParty: [{ key: "walletaccountno", value: "9999999990" }] };
    const key = { "x-idempotency-key": randomUUID() };
    for (let time = 0; time < 2; time += 1) {
      expect(await client.createTransaction(amina, { ...order, body: unknown }, key)).toMatchObject({
        status: 422,
        body: { status: "FAILED", code: "CREDIT_PARTY_INVALID", errors: [{ path: "creditParty" }] },
      });
    }
    const before = [await client.balanceOf(from.accountId), await receiver.balanceOf(to.accountId)].map(cents);
    const interactionId = { "x-fapi-interaction-id": randomUUID() };
    const { id, amount, totalAmount } = (await client.createTransaction(amina, order)).body.data;
    const payment = { payAbleId: id, accountId: from.accountId, total: totalAmount };
    expect((await client.pay(amina, payment, interactionId)).status).toBe(200);
    const read = await waitFor(
      async () => {
        const { data } = (await client.readTransaction(id)).body;
        return data.status === "COMPLETED" ? data : undefined;
      },
      { timeoutMs: 20_000, what: "the delivery" },
    );
    expect(read.timeline.at(-1).status).toBe("COMPLETED");
    const after = [await client.balanceOf(from.accountId), await receiver.balanceOf(to.accountId)].map(cents);
    // 50.00 USD at 129.20.
    expect(amount).toBe("6460.00");
    expect([before[0]! - after[0]!, after[1]! - before[1]!]).toEqual([cents(totalAmount), 646_000n]);
    const statement = await receiver.send(
      "GET",
      `${services}/paymentmanagement/wallet-accounts/${to.accountId}/statement`,
    );
    expect(statement.text).toContain(`Payout of ${read.transactionCode}`);
    const manager = await clientOf(demoUser(demo, "MANAGER"));
    const entries = (await manager.ledgerOf(interactionId["x-fapi-interaction-id"])).body.data as any[];
    for (const currency of ["USD", "KES"]) {
      const sum = (side: string) =>
        entries
          .filter((entry) => entry.currency === currency && entry.ledgerType === side)
          .reduce((total, entry) => total + Math.round(entry.transactionAmount * 100), 0);
      expect(sum("DEBIT")).toBe(sum("CREDIT"));
    }
    expect(entries.some(({ accountId }) => accountId.startsWith("partner_settlement"))).toBe(false);

    // Sent to the wrong one: two managers take it back from the wallet, and the sender has all of
    // it again.
    const second = await clientOf(demoUser(demo, "MANAGER", { email: "manager2" }));
    const requested = await manager.send("POST", `${services}/transactionmanagement/transactions/${id}/refunds`, {
      headers: { "x-idempotency-key": randomUUID() },
      body: { fromRecipient: true, reason: "sent to the wrong one" },
    });
    expect(requested).toMatchObject({
      status: 202,
      body: { data: { refund: { fromRecipient: true, amount: totalAmount } } },
    });
    const { approvalId } = requested.body.data.refund;
    expect((await approveShown(manager, approvalId, { reason: "checked" })).status).toBe(403);
    expect((await approveShown(second, approvalId, { reason: "checked" })).status).toBe(200);
    const isRefunded = async () => (await client.readTransaction(id)).body.data.status === "REFUNDED";
    await waitFor(isRefunded, { timeoutMs: 20_000, what: "the reversal" });
    const last = [await client.balanceOf(from.accountId), await receiver.balanceOf(to.accountId)].map(cents);
    expect(last).toEqual(before);
  });

  test("a daily limit is held against racing transactions", async () => {
    const client = await clientOf(kofi);
    // 15,000.00 GBP a day: of three transactions of 8,000.00 at once one passes.
    const order = { sendAmount: "8000.00", sendCurrency: "GBP", originCountry: "GBR", to: "KEN" };
    const answers = await Promise.all(Array.from({ length: 3 }, () => client.createTransaction(kofi, order)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({ code: "DAILY_LIMIT_EXCEEDED" });
  });

  test("large transfers wait for compliance, and cannot be paid meanwhile", async () => {
    const client = await clientOf(amina);
    const created = await client.createTransaction(amina, { ...toNigeria, sendAmount: "10000.00" });
    expect(created).toMatchObject({
      status: 200,
      body: { data: { status: "AWAITING_COMPLIANCE", compliance: { outstandingRequirements: ["SOURCE_OF_FUNDS"] } } },
    });
    const { id, totalAmount } = created.body.data;
    const payment = { payAbleId: id, accountId: walletOf(amina, "USD").accountId, total: totalAmount };
    expect(await client.pay(amina, payment)).toMatchObject({ status: 409, body: { code: "TRANSACTION_NOT_PAYABLE" } });
  });

  test("after logout the token is refused at once, and so is its refresh token", async () => {
    const client = createEdgeClient(demo.baseUrl);
    const session = (await client.login(amina)).body;
    expect((await client.send("POST", `${services}/securitymanagement/logout`, { body: {} })).status).toBe(200);
    expect(await client.send("GET", `${services}/usermanagement/find-all-beneficiery`)).toMatchObject({
      status: 401,
      body: { status: "FAILED", error: expect.any(String), message: expect.any(String) },
    });
    const refresh = { body: { refresh_token: session.refresh_token } };
    expect((await client.send("POST", `${services}/securitymanagement/refresh`, refresh)).status).toBe(401);
  });
});
