import { Decision } from "../../../proto/gen/compliance/v1/compliance.js";
import {
  CreateTransactionResponse,
  DeliveryMethod,
  ProcessingMode,
} from "../../../proto/gen/remittance/v1/remittance.js";
import { testTenant, waitFor as waitShortly } from "../../../test/support/index.js";
import { Refusal } from "../../kernel/refusal.js";
import { ada, agent, ben, cashier, faultOf, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { account, corridor, openTenant, order } from "../../../test/support/remittance-samples.js";

// Other suites may keep the machine busy.
const waitFor = <T>(ask: () => T | Promise<T>) => waitShortly(ask, { timeoutMs: 20_000 });

let world: World;
let tenantId: string;
beforeAll(async () => {
  world = await createWorld("transactions");
  tenantId = await openTenant(world);
});
afterEach(() => world.reset());
afterAll(() => world.close());

type User = typeof ada | typeof ben | typeof cashier | typeof agent | typeof manager;
const create = (part: object = {}, user: User = ada, tenant = tenantId) =>
  world.gateway.createTransaction(order(part), on(tenant, user));
const information = (part: object) => ({
  internationalTransferInformation: { ...order().internationalTransferInformation, ...part },
});
const usd = (amountMinor: bigint) => ({ amountMinor, currency: "USD" });
const ngn = (amountMinor: bigint) => ({ amountMinor, currency: "NGN" });
const countTransactions = (tenant: string) => world.db.collection("transactions").countDocuments({ tenantId: tenant });

describe("CreateTransaction", () => {
  test("prices, asks compliance and waits for payment for 30 minutes", async () => {
    const dynamicFields = { reference: "q-1", nested: { list: [1, "two", null], $set: { "a.b": true } } };
    const { transaction } = await create({
      dynamicFields,
      eligibleDocuments: [{ name: "invoice" }],
      descriptionText: "rent",
      processingMode: ProcessingMode.PROCESSING_MODE_AGGREGATION,
    });
    expect(transaction).toMatchObject({
      status: "AWAITING_PAYMENT",
      type: DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT,
      sendAmount: usd(100_00n),
      receiveAmount: ngn(160_000_00n),
      exchangeRate: "1600",
      fees: [{ name: "Transfer fee", amount: usd(2_50n), taxMinor: 19n }],
      totalFees: usd(2_50n),
      totalTaxes: usd(19n),
      totalAmount: usd(102_69n),
      sender: { customerId: "c1", customerCode: "C-1", name: "Ada Obi", country: "USA" },
      recipient: { customerId: "c1", customerCode: "B-NGOZI", name: "Ngozi Okafor", country: "NGA" },
      creditParty: account,
      internationalTransferInformation: { originCountry: "USA", receivingCountry: "NGA", remittancePurpose: "family" },
      processingMode: ProcessingMode.PROCESSING_MODE_AGGREGATION,
      descriptionText: "rent",
      dynamicFields,
      compliance: { decision: "APPROVED", outstandingRequirements: [] },
      interactionId: "i-1",
      createdBy: "u1",
      timeline: [],
    });
    expect(transaction!.transactionCode).toMatch(/^MN[0-9A-HJKMNP-TV-Z]{10}$/);
    const waitMs = transaction!.expiresAt!.getTime() - transaction!.createdAt!.getTime();
    expect(waitMs).toBeGreaterThanOrEqual(30 * 60_000);
    expect(waitMs).toBeLessThan(31 * 60_000);
    expect(world.neighbours.checks.filter((one) => one.tenantId === tenantId)).toEqual([
      {
        tenantId,
        transactionId: transaction!.transactionId,
        customerId: "c1",
        amount: usd(100_00n),
        originCountry: "USA",
        receivingCountry: "NGA",
        receivingCurrency: "NGN",
        recipientCode: "B-NGOZI",
        recipientCustomerId: "",
        remittancePurpose: "family",
        sourceOfFunds: "salary",
        parties: [
          expect.objectContaining({ role: "SENDER", name: "Ada Obi" }),
          expect.objectContaining({ role: "RECIPIENT", name: "Ngozi Okafor" }),
        ],
        transparency: {
          amount: undefined,
          linkedAmount: undefined,
          policyVersion: expect.any(Number),
          knownMembers: [
            "RECIPIENT_NAME",
            "RECIPIENT_ACCOUNT",
            "RECIPIENT_COUNTRY",
            "PURPOSE",
            "ORDER_SOURCE_OF_FUNDS",
          ],
        },
      },
    ]);
    const stored = await world.store.forTenant(tenantId).findTransaction(transaction!.transactionId);
    expect(stored).toMatchObject({
      ipAddress: "203.0.113.7",
      eligibleDocuments: '[{"name":"invoice"}]',
      creditPartySource: "BENEFICIARY",
    });
    expect(stored!.timeline.map(({ status, actor }) => [status, actor])).toEqual([
      ["AWAITING_COMPLIANCE", "u1"],
      ["AWAITING_PAYMENT", "compliance"],
    ]);
  });

  test("takes fees from inside the send amount, or works back from the receive amount", async () => {
    const inside = await create({ sendAmount: "102.69", inclusive: true });
    expect(inside.transaction).toMatchObject({
      sendAmount: usd(102_69n),
      totalAmount: usd(102_69n),
      receiveAmount: ngn(160_000_00n),
    });
    const back = await create({ sendAmount: "", amount: "160000" });
    expect(back.transaction).toMatchObject({
      sendAmount: usd(100_00n),
      totalAmount: usd(102_69n),
      receiveAmount: ngn(160_000_00n),
    });
  });

  test("finds the currencies itself where one corridor joins the two countries", async () => {
    const { transaction } = await create({ sendCurrency: "", receivingCurrency: "" });
    expect(transaction).toMatchObject({ sendAmount: usd(100_00n), receiveAmount: ngn(160_000_00n) });
  });

  test("a cashier creates for any customer", async () => {
    const { transaction } = await create({}, cashier);
    expect(transaction).toMatchObject({ createdBy: "CA1", sender: { customerCode: "C-1" } });
  });

  test("keeps other account details than those on file, once they are checked", async () => {
    const given = account.map(({ key, value }) => ({ key, value: key === "bankaccountno" ? "9999999999" : value }));
    const { transaction } = await create({ creditParty: given });
    expect(transaction!.creditParty).toEqual(given);
    const mobile = [
      { key: "mobileoperator", value: "MTN" },
      { key: "mobilenumber", value: "+2348012345678" },
      { key: "accountholdername", value: "Ngozi Okafor" },
    ];
    const type = DeliveryMethod.DELIVERY_METHOD_MOBILE_MONEY;
    const other = await create({ creditParty: mobile, type });
    const stored = await world.store.forTenant(tenantId).findTransaction(other.transaction!.transactionId);
    expect(stored).toMatchObject({ creditParty: mobile, creditPartySource: "GIVEN", deliveryMethod: "MOBILE_MONEY" });
  });

  test("writes neither password nor account number into the log, nor the password into the store", async () => {
    const { transaction } = await create({ password: "right" });
    expect(world.logged.join("\n")).not.toMatch(/"right"|3012345671|9999999999/);
    const stored = await world.db
      .collection("transactions")
      .findOne({ tenantId, transactionId: transaction!.transactionId });
    expect(
      JSON.stringify(stored, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toContain('"right"');
  });
});

describe("CreateTransaction and compliance", () => {
  test("waits for a person or for documents, and answers 200", async () => {
    world.neighbours.check = async () => ({
      decision: Decision.DECISION_PENDING,
      outstandingRequirements: ["SOURCE_OF_FUNDS"],
    });
    const { transaction } = await create();
    expect(transaction).toMatchObject({
      status: "AWAITING_COMPLIANCE",
      compliance: { decision: "PENDING", outstandingRequirements: ["SOURCE_OF_FUNDS"] },
      expiresAt: undefined,
    });
    world.neighbours.check = async () => ({ decision: Decision.DECISION_REVIEW });
    expect((await create()).transaction).toMatchObject({
      status: "AWAITING_COMPLIANCE",
      compliance: { decision: "REVIEW" },
    });
  });

  test.each([
    ["DAILY_LIMIT_EXCEEDED", "DAILY_LIMIT_EXCEEDED", "5 left"],
    ["CUSTOMER_NOT_CONFIRMED", "CUSTOMER_NOT_CONFIRMED", "5 left"],
    ["RULE_REJECTED", "COMPLIANCE_REJECTED", "compliance refuses this transaction"],
    ["CUSTOMER_BLOCKED", "COMPLIANCE_REJECTED", "compliance refuses this transaction"],
  ])("422 where it rejects by %s, kept and answered again", async (reasonCode, code, message) => {
    world.neighbours.check = async () => ({ decision: Decision.DECISION_REJECTED, reasonCode, message: "5 left" });
    const request = order();
    const first = await refused(world.gateway.createTransaction(request, on(tenantId, ada)));
    expect([first.code, first.message]).toEqual([code, message]);
    world.reset();
    const again = await refused(world.gateway.createTransaction(request, on(tenantId, ada)));
    expect([again.code, again.message]).toEqual([code, message]);
    const [stored] = await world.db
      .collection("transactions")
      .find({ tenantId })
      .sort({ createdAt: -1 })
      .limit(1)
      .toArray();
    expect(stored).toMatchObject({ status: "REJECTED", timeline: [{}, { status: "REJECTED", reason: reasonCode }] });
    // Asked once, for the first request.
    expect(world.neighbours.checks.map(({ transactionId }) => transactionId)).not.toContain(stored!["transactionId"]);
  });

  test("503 while it is away; the retry drives the same transaction on, once", async () => {
    const tenant = await openTenant(world);
    world.neighbours.check = () => Promise.reject(new Refusal("UNAVAILABLE", "away"));
    const request = order();
    expect((await refused(world.gateway.createTransaction(request, on(tenant, ada)))).code).toBe("UNAVAILABLE");
    world.reset();
    const { transaction } = await world.gateway.createTransaction(request, on(tenant, ada));
    expect(transaction!.status).toBe("AWAITING_PAYMENT");
    expect(await countTransactions(tenant)).toBe(1);
  });

  test("500 where it refuses to decide: that is no fault of the customer's", async () => {
    world.neighbours.check = () => Promise.reject(new Refusal("CALLER_NOT_ALLOWED", "not you"));
    expect((await refused(create())).code).toBe("INTERNAL");
  });
});

describe("CreateTransaction is idempotent", () => {
  test("the same key gives the same answer to the byte, marked as replayed", async () => {
    const request = order({ dynamicFields: { z: 1, a: [true, { b: null }] } });
    const bytes = async (onReplayed?: () => void) => {
      const response = await world.gateway.createTransaction(request, {
        ...on(tenantId, ada),
        ...(onReplayed && { onReplayed }),
      });
      return Buffer.from(CreateTransactionResponse.encode(response).finish()).toString("hex");
    };
    const first = await bytes();
    let replays = 0;
    expect(await bytes(() => (replays += 1))).toBe(first);
    expect(replays).toBe(1);
  });

  test("many at once make one transaction; each ends with its bytes or is told to come again", async () => {
    const tenant = await openTenant(world);
    const request = order();
    const ask = () => world.gateway.createTransaction(request, on(tenant, ada));
    const settled = await Promise.allSettled(Array.from({ length: 20 }, ask));
    for (const result of settled) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "IDEMPOTENCY_IN_FLIGHT" });
    }
    expect(settled.some(({ status }) => status === "fulfilled")).toBe(true);
    const again = await Promise.all(Array.from({ length: 5 }, ask));
    const first = settled.find((result) => result.status === "fulfilled")!;
    for (const answer of again) expect(answer).toEqual(first.value);
    expect(await countTransactions(tenant)).toBe(1);
  });

  test("422 IDEMPOTENCY_KEY_REUSED for other content; another customer may use the same key", async () => {
    const request = order();
    await world.gateway.createTransaction(request, on(tenantId, ada));
    const other = { ...request, sendAmount: "101.00" };
    expect((await refused(world.gateway.createTransaction(other, on(tenantId, ada)))).code).toBe(
      "IDEMPOTENCY_KEY_REUSED",
    );
    expect((await world.gateway.createTransaction(other, on(tenantId, cashier))).transaction!.createdBy).toBe("CA1");
  });

  test("another address and password are no other request; a corrected password goes through under the same key", async () => {
    const request = order({ password: "wrong" });
    const ask = (part: object) => world.gateway.createTransaction({ ...request, ...part }, on(tenantId, ada));
    expect((await refused(ask({}))).code).toBe("PASSWORD_WRONG");
    const first = await ask({ password: "right" });
    expect(await ask({ password: "right", ipAddress: "2001:db8::1" })).toEqual(first);
  });

  test("422 and 409 that depend on state are kept; 400, 403 and 404 are not", async () => {
    const tenant = testTenant();
    const request = order();
    const ask = () => world.gateway.createTransaction(request, on(tenant, ada));
    expect((await refused(ask())).code).toBe("BENEFICIARY_NOT_FOUND");
    await openTenant(world, tenant);
    await world.operator.putCorridor({ corridor: { ...corridor, enabled: false } }, on(tenant));
    expect((await refused(ask())).code).toBe("CORRIDOR_DISABLED");
    await world.operator.putCorridor({ corridor }, on(tenant));
    const { code, message } = await refused(ask());
    expect([code, message]).toEqual(["CORRIDOR_DISABLED", "the corridor from USA USD to NGA NGN is switched off"]);
    expect(await countTransactions(tenant)).toBe(0);
  });
});

describe("CreateTransaction refuses", () => {
  test("400 for what is wrong in itself, naming the path", async () => {
    const long = "x".repeat(17_000);
    const faults: [object, string][] = [
      [{ sendAmount: "", amount: "" }, "sendAmount"],
      [{ sendAmount: "abc" }, "sendAmount"],
      [{ sendAmount: "1.001" }, "sendAmount"],
      [{ sendAmount: "-5" }, "sendAmount"],
      [{ sendAmount: "1e3" }, "sendAmount"],
      [{ sendAmount: "NaN" }, "sendAmount"],
      [{ amount: "1.001" }, "amount"],
      [{ sendAmount: "abc", sendCurrency: "" }, "sendAmount"],
      [{ sendAmount: "1.001", sendCurrency: "" }, "sendAmount"],
      [{ sendCurrency: "QQQ" }, "sendCurrency"],
      [{ receivingCurrency: "dollars" }, "receivingCurrency"],
      [{ type: DeliveryMethod.DELIVERY_METHOD_UNSPECIFIED }, "type"],
      [{ senderCustomerCode: " " }, "senderCustomerCode"],
      [{ recipientCustomerCode: "" }, "recipientCustomerCode"],
      [{ recipientCustomerCode: "x".repeat(129) }, "recipientCustomerCode"],
      [{ creditParty: [] }, "creditParty"],
      [{ creditParty: [...account, account[0]!] }, "creditParty[4].key"],
      [{ internationalTransferInformation: undefined }, "internationalTransferInformation"],
      [information({ originCountry: "Narnia" }), "internationalTransferInformation.originCountry"],
      [information({ receivingCountry: "" }), "internationalTransferInformation.receivingCountry"],
      [information({ remittancePurpose: "x".repeat(1_001) }), "internationalTransferInformation.remittancePurpose"],
      [information({ sourceOfFunds: "x".repeat(1_001) }), "internationalTransferInformation.sourceOfFunds"],
      [{ processingMode: 9 }, "processingMode"],
      [{ descriptionText: "x".repeat(1_001) }, "descriptionText"],
      [{ dynamicFields: { long } }, "dynamicFields"],
      [{ eligibleDocuments: [long] }, "eligibleDocuments"],
      [{ ipAddress: "300.1.1.1" }, "ipAddress"],
    ];
    for (const [part, path] of faults) {
      if ("processingMode" in part) continue;
      expect([part, ...(await faultOf(create(part)))]).toEqual([part, "INVALID_INPUT", path]);
    }
    expect((await refused(create({ idempotencyKey: "" }))).code).toBe("HEADER_REQUIRED");
    expect((await refused(create({ idempotencyKey: "with space" }))).code).toBe("HEADER_INVALID");
  });

  test("401 without a user, 403 for roles that do not create and for callers that do not ask", async () => {
    expect((await refused(world.gateway.createTransaction(order(), on(tenantId)))).code).toBe("UNAUTHENTICATED");
    for (const user of [agent, manager]) expect((await refused(create({}, user))).code).toBe("FORBIDDEN");
    expect((await refused(world.wallet.createTransaction(order(), on(tenantId, ada)))).code).toBe("CALLER_NOT_ALLOWED");
  });

  test("403 FORBIDDEN for a customer who names another sender, 404 for a sender nobody knows", async () => {
    expect((await refused(create({ senderCustomerCode: "C-2" }))).code).toBe("FORBIDDEN");
    expect((await refused(create({ senderCustomerCode: "C-9" }))).code).toBe("CUSTOMER_NOT_FOUND");
  });

  test("403 where the tenant requires the caller's password, and for a wrong one", async () => {
    const tenant = await openTenant(world);
    world.neighbours.preference.transactionPasswordRequired = true;
    expect((await refused(create({}, ada, tenant))).code).toBe("PASSWORD_REQUIRED");
    expect((await refused(create({ password: "wrong" }, ada, tenant))).code).toBe("PASSWORD_WRONG");
    expect((await create({ password: "right" }, ada, tenant)).transaction!.status).toBe("AWAITING_PAYMENT");
  });

  test("403 for a recipient of somebody else, 404 for one of another tenant, of another sender, or of nobody", async () => {
    expect((await refused(create({ senderCustomerCode: "C-2" }, ben))).code).toBe("FORBIDDEN");
    expect((await refused(create({ senderCustomerCode: "C-2" }, cashier))).code).toBe("BENEFICIARY_NOT_FOUND");
    expect((await refused(create({ recipientCustomerCode: "B-NOBODY" }))).code).toBe("BENEFICIARY_NOT_FOUND");
    expect((await refused(create({}, ada, testTenant()))).code).toBe("BENEFICIARY_NOT_FOUND");
  });

  test("404 CORRIDOR_NOT_FOUND, 422 CORRIDOR_DISABLED, 422 RATE_NOT_AVAILABLE, 400 where the corridor is not clear", async () => {
    const tenant = await openTenant(world);
    const at = (part: object) => refused(create(part, ada, tenant)).then(({ code }) => code);
    expect(await at(information({ originCountry: "GBR" }))).toBe("CORRIDOR_NOT_FOUND");
    expect(await at(information({ receivingCountry: "KEN" }))).toBe("CORRIDOR_NOT_FOUND");
    expect(await at({ sendCurrency: "GBP" })).toBe("CORRIDOR_NOT_FOUND");
    expect(await at({ type: DeliveryMethod.DELIVERY_METHOD_CASH_PICKUP })).toBe("CORRIDOR_DISABLED");
    await world.operator.putCorridor({ corridor: { ...corridor, receivingCurrency: "USD" } }, on(tenant));
    expect(await faultOf(create({ receivingCurrency: "" }, ada, tenant))).toEqual([
      "INVALID_INPUT",
      "receivingCurrency",
    ]);
    await world.operator.putCorridor({ corridor: { ...corridor, receivingCurrency: "KES" } }, on(tenant));
    expect(await at({ receivingCurrency: "KES" })).toBe("RATE_NOT_AVAILABLE");
    await world.operator.putCorridor({ corridor: { ...corridor, enabled: false } }, on(tenant));
    expect(await at({})).toBe("CORRIDOR_DISABLED");
  });

  test("a corridor within one currency needs no rate", async () => {
    const tenant = await openTenant(world);
    await world.operator.putCorridor({ corridor: { ...corridor, receivingCurrency: "USD" } }, on(tenant));
    const given = account.map(({ key, value }) => ({ key, value: key === "bankaccountno" ? "1111111111" : value }));
    const { transaction } = await create({ receivingCurrency: "USD", creditParty: given }, ada, tenant);
    expect(transaction).toMatchObject({ exchangeRate: "1", receiveAmount: usd(100_00n) });
    // The account on file is one in naira.
    expect((await refused(create({ receivingCurrency: "USD" }, ada, tenant))).code).toBe("CREDIT_PARTY_INVALID");
  });

  test("422 for amounts: not positive, out of limits, not what it prices to, too large", async () => {
    const at = async (part: object) => {
      const { code, details } = await refused(create(part));
      return [code, details?.figures];
    };
    const limits = { minimum: "1.00", maximum: "10000.00", currency: "USD" };
    expect((await at({ sendAmount: "0" }))[0]).toBe("AMOUNT_NOT_POSITIVE");
    expect(await at({ sendAmount: "0.99" })).toEqual(["AMOUNT_OUT_OF_LIMITS", limits]);
    expect(await at({ sendAmount: "10000.01" })).toEqual(["AMOUNT_OUT_OF_LIMITS", limits]);
    expect(await at({ amount: "160000.02" })).toEqual(["AMOUNT_MISMATCH", { amount: "160000.00", currency: "NGN" }]);
    expect((await create({ amount: "160000.01" })).transaction!.receiveAmount).toEqual(ngn(160_000_00n));
    expect((await at({ sendAmount: "92233720368547758.08" }))[0]).toBe("AMOUNT_TOO_LARGE");
    const above = { ceiling: "100000000000.00", asked: "92233720368547758.07" };
    expect(await at({ sendAmount: above.asked })).toEqual(["AMOUNT_ABOVE_CEILING", above]);
    expect(await at({ sendAmount: "", amount: above.asked })).toEqual(["AMOUNT_ABOVE_CEILING", above]);
  });

  test("422 CREDIT_PARTY_INVALID for details that the method cannot use", async () => {
    const missing = account.filter(({ key }) => key !== "bankaccountno");
    expect(await faultOf(create({ creditParty: missing }))).toEqual(["CREDIT_PARTY_INVALID", "creditParty"]);
    const odd = [...account, { key: "BankName", value: "x" }];
    expect(await faultOf(create({ creditParty: odd }))).toEqual(["CREDIT_PARTY_INVALID", "creditParty[4].key"]);
  });
});

describe("CreateTransaction survives a crash between any two writes", () => {
  const points = ["remittance.create.stored", "remittance.create.decided", "remittance.create.answered"];

  let armed = 0;

  /** The process dies at the point: what it was doing ends there and nothing after it runs. */
  async function crashAt(point: string, work: () => Promise<unknown>): Promise<void> {
    const kill = jest.spyOn(process, "kill").mockImplementation(() => {
      throw new Error("crashed");
    });
    // Passes of a point are counted for the life of the process: each is armed once in each of two
    // tests.
    process.env["CRASH_POINT"] = `${point}:${Math.floor(armed / points.length) + 1}`;
    armed += 1;
    try {
      await refused(work());
      expect(kill).toHaveBeenCalledWith(process.pid, "SIGKILL");
    } finally {
      delete process.env["CRASH_POINT"];
      kill.mockRestore();
    }
  }

  test.each(points)("%s: the client's retry gets the one answer", async (point) => {
    const tenant = await openTenant(world);
    const request = order();
    const ask = () => world.gateway.createTransaction(request, on(tenant, ada));
    await crashAt(point, ask);
    const { transaction } = await ask();
    expect(transaction!.status).toBe("AWAITING_PAYMENT");
    expect(await ask()).toEqual({ transaction });
    expect(await countTransactions(tenant)).toBe(1);
  });

  test.each(points)(
    "%s: without a retry the recovery row drives it on, and a late retry gets that answer",
    async (point) => {
      const tenant = await openTenant(world);
      const request = order();
      const ask = () => world.gateway.createTransaction(request, on(tenant, ada));
      await crashAt(point, ask);
      world.pass(11_000);
      const find = () => world.db.collection("transactions").findOne({ tenantId: tenant });
      await waitFor(async () => (await find())?.["status"] === "AWAITING_PAYMENT");
      const { transaction } = await ask();
      expect(transaction!.transactionId).toBe((await find())!["transactionId"]);
      expect(await countTransactions(tenant)).toBe(1);
      const open = { tenantId: tenant, state: { $in: ["DUE", "PARKED"] } };
      await waitFor(async () => (await world.db.collection("outbox").countDocuments(open)) === 0);
    },
  );
});

describe("GetTransaction", () => {
  const get = (transactionId: string, user?: User, tenant = tenantId) =>
    world.gateway.getTransaction({ transactionId }, on(tenant, user));

  test("shows it with its timeline to whom it concerns, and to nobody else", async () => {
    const { transaction } = await create();
    const id = transaction!.transactionId;
    const shown = await get(id, ada);
    expect(shown.transaction).toEqual({ ...transaction, timeline: expect.any(Array) });
    expect(shown.transaction!.timeline.map(({ status }) => status)).toEqual([
      "AWAITING_COMPLIANCE",
      "AWAITING_PAYMENT",
    ]);
    for (const user of [manager, agent]) await get(id, user);
    expect((await refused(get(id, ben))).code).toBe("FORBIDDEN");
    // It may still be paid for at a desk, found by the code on its paper.
    await get(transaction!.transactionCode.toLowerCase(), cashier);
    await world.gateway.cancelTransaction({ idempotencyKey: "gone", transactionId: id, reason: "" }, on(tenantId, ada));
    expect((await refused(get(id, cashier))).code).toBe("FORBIDDEN");
    await world.operator.getTransaction({ transactionId: id }, on(tenantId));
  });

  test("shows cashiers what is at the desk, agents all unless the tenant narrows it to customers they manage", async () => {
    const { transaction } = await create({}, cashier);
    await get(transaction!.transactionId, cashier);
    const tenant = await openTenant(world);
    world.neighbours.preference.agentScope = "MANAGED";
    await world.operator.createBeneficiary({ ...beneficiaryOfBen, customerId: "c2" }, on(tenant));
    const bens = await create({ senderCustomerCode: "C-2", recipientCustomerCode: "B-BEN" }, ben, tenant);
    expect((await refused(get(bens.transaction!.transactionId, agent, tenant))).code).toBe("FORBIDDEN");
    const open = await openTenant(world);
    delete world.neighbours.preference.agentScope;
    await world.operator.createBeneficiary(beneficiaryOfBen, on(open));
    const seen = await create({ senderCustomerCode: "C-2", recipientCustomerCode: "B-BEN" }, ben, open);
    const { transactionId } = seen.transaction!;
    await get(transactionId, agent, open);
    // What is seen is not yet theirs to change.
    const change = { idempotencyKey: "x", transactionId, status: "EXPIRED", reason: "no" };
    expect((await refused(world.gateway.updateTransactionStatus(change, on(open, agent)))).code).toBe("FORBIDDEN");
  });

  test("404 unknown and other tenant's, 400 without an id, 401 without a user, 403 for wallet", async () => {
    const { transaction } = await create();
    const id = transaction!.transactionId;
    expect((await refused(get("nope", ada))).code).toBe("TRANSACTION_NOT_FOUND");
    expect((await refused(get(id, manager, testTenant()))).code).toBe("TRANSACTION_NOT_FOUND");
    expect((await refused(get("", ada))).code).toBe("INVALID_INPUT");
    expect((await refused(get(id))).code).toBe("UNAUTHENTICATED");
    expect((await refused(world.wallet.getTransaction({ transactionId: id }, on(tenantId, ada)))).code).toBe(
      "CALLER_NOT_ALLOWED",
    );
  });

  const beneficiaryOfBen = {
    idempotencyKey: "b-2",
    customerId: "c2",
    code: "B-BEN",
    firstName: "Bola",
    lastName: "Ade",
    country: "NG",
    currency: "NGN",
    deliveryMethods: [DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT],
    creditParty: account,
  };
});
