import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { randomUUID } from "node:crypto";
import { DeliveryMethod } from "../../../proto/gen/remittance/v1/remittance.js";
import { tracesIn } from "../../../test/support/erasure.js";
import { waitFor } from "../../../test/support/index.js";
import { ada, ben, cashier, manager, on, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { account, beneficiary, corridor, openTenant, order } from "../../../test/support/remittance-samples.js";
import { asksIdentityAnew } from "../../../test/support/time.js";
import { sandboxIdOf } from "../../platform/sandbox/sandbox.js";
import { collections } from "../store/collections.js";

interface Asked {
  checkReference: string;
  account: Record<string, string>;
  name: string;
  kind: string;
}

let world: World;
let server: Server;
let url: string;
/** What the partner answers to each tenant's question; undefined is no answer. */
let says: (asked: Asked) => object | undefined;
const asked = new Map<string, Asked[]>();

beforeAll(async () => {
  world = await createWorld("payee_checks");
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Asked;
      const tenant = String(request.headers["x-account"]);
      asked.set(tenant, [...(asked.get(tenant) ?? []), body]);
      const answer = says(body);
      if (answer === undefined) return;
      const { status = 200, ...said } = { checkReference: body.checkReference, account: body.account, ...answer } as {
        status?: number;
      };
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(said));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => world.reset());
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await world.close();
});

const close = { result: "CMTC", accountName: "Ngozi Okafor-Bello" };
const methods = [DeliveryMethod.DELIVERY_METHOD_ACCOUNTPAYMENT, DeliveryMethod.DELIVERY_METHOD_MOBILE_MONEY];

/** A sandbox whose corridor has payees checked by a partner of its own. */
async function office(payeeCheck = "AT_TRANSACTION", plugin: object | null = {}) {
  says = () => ({ result: "MTCH" });
  const tenantId = await openTenant(world, sandboxIdOf(`t${randomUUID().slice(0, 8)}`));
  const deliveries = methods.map((method) => ({ method, partner: "", estimateMinutes: 60, payeeCheck }));
  await world.operator.putCorridor({ corridor: { ...corridor, deliveries } }, on(tenantId));
  const installationId = randomUUID();
  if (plugin !== null) world.plugins.install(tenantId, { installationId, type: "payee-http", url, ...plugin });
  return {
    tenantId,
    installationId,
    create: (part: object = {}, user: Parameters<typeof on>[1] = ada) =>
      world.gateway.createTransaction(order(part), on(tenantId, user)).then(({ transaction }) => transaction!),
    save: (part: object = {}, user: Parameters<typeof on>[1] = ada) =>
      world.gateway
        .createBeneficiary({ ...beneficiary, idempotencyKey: randomUUID(), code: "", ...part }, on(tenantId, user))
        .then((answer) => answer.beneficiary!),
    change: (part: object = {}) =>
      world.gateway
        .changeBeneficiary({ ...beneficiary, idempotencyKey: randomUUID(), ...part }, on(tenantId, ada))
        .then((answer) => answer.beneficiary!),
    read: (transactionId: string) =>
      world.gateway
        .getTransaction({ transactionId }, on(tenantId, manager))
        .then(({ transaction }) => transaction!.payeeCheck),
    stored: () => world.db.collection(collections.transactions).countDocuments({ tenantId }),
    asked: () => asked.get(tenantId) ?? [],
  };
}

type Office = Awaited<ReturnType<typeof office>>;
const withId = (payeeCheckId: string, part: object = {}) => ({ dynamicFields: { payeeCheckId }, ...part });
const warned = async (work: Promise<unknown>) => {
  const { code, details } = await refused(work);
  return { code, figures: details?.figures ?? {}, id: details?.figures?.["payeeCheckId"] ?? "" };
};
const held = (key: string, value: string) => account.map((pair) => (pair.key === key ? { key, value } : pair));

describe("a payee who is checked when money is sent", () => {
  test("goes on where the account is theirs; the partner hears the account and the plain name, and the calls tell neither", async () => {
    const t = await office();
    const { transactionId } = await t.create({ creditParty: held("accountholdername", " Dr.  Ngozi Okafor ") });
    expect(t.asked()).toEqual([
      {
        checkReference: expect.any(String),
        account: {
          bankname: "First Bank",
          bankaccountno: "3012345671",
          bankcode: "011",
          country: "NGA",
          currency: "NGN",
        },
        name: "Ngozi Okafor",
        kind: "UNKNOWN",
      },
    ]);
    expect(await t.read(transactionId)).toMatchObject({ result: "MTCH", accountName: "", acceptedBy: "" });
    await waitFor(() => world.plugins.callsOf(t.installationId).length > 0);
    const [call] = world.plugins.callsOf(t.installationId);
    expect(call).toMatchObject({ operation: "check", status: 200, outcome: "OK" });
    expect(JSON.stringify(world.plugins.seen.calls) + world.logged.join("")).not.toMatch(/Ngozi|3012345671/);
  });

  test("409 PAYEE_NAME_DIFFERS tells the name on the account, again under its key without another question, and stores nothing of the order", async () => {
    const t = await office();
    says = () => close;
    const requested = order();
    const ask = () => warned(world.gateway.createTransaction(requested, on(t.tenantId, ada)));
    const first = await ask();
    expect(first).toMatchObject({ code: "PAYEE_NAME_DIFFERS", figures: { accountName: "Ngozi Okafor-Bello" } });
    says = () => ({ result: "NMTC" });
    expect(await ask()).toEqual(first);
    expect([t.asked().length, await t.stored()]).toEqual([1, 0]);
    expect(await tracesIn(world.db.name, t.tenantId, ["Bello", "bello"])).toEqual([]);
  });

  test("a warning that was read lets the order go on, for 15 minutes and however often, and is kept with who accepted it", async () => {
    const t = await office();
    says = () => close;
    const { id } = await warned(t.create());
    const made = await Promise.all([1, 2, 3].map(() => t.create(withId(id))));
    expect(new Set(made.map(({ transactionId }) => transactionId)).size).toBe(3);
    expect(t.asked()).toHaveLength(1);
    const kept = await t.read(made[0]!.transactionId);
    expect(kept).toMatchObject({ result: "CMTC", accountName: "Ngozi Okafor-Bello", acceptedBy: "u1" });
    expect(kept!.acceptedAt).toBeInstanceOf(Date);
    expect(await tracesIn(world.db.name, t.tenantId, ["Bello"])).toEqual([]);
    // Capitals and titles are no other name.
    world.neighbours.offsetMs = BigInt(15 * 60_000 - 30_000);
    await asksIdentityAnew();
    await t.create(withId(id, { creditParty: held("accountholdername", "Mrs. NGOZI OKAFOR") }));
    world.neighbours.offsetMs = BigInt(16 * 60_000);
    await asksIdentityAnew();
    const late = await refused(t.create(withId(id)));
    expect([late.code, late.details?.errors?.[0]?.path]).toEqual(["PAYEE_CHECK_EXPIRED", "dynamicFields.payeeCheckId"]);
  });

  test("422 PAYEE_NOT_MATCHED tells nobody whose account it is, and goes on in the same way; a cashier's acceptance is the cashier's", async () => {
    const t = await office();
    says = () => ({ result: "NMTC", accountName: "Chidi Eze" });
    const { code, figures, id } = await warned(t.create({}, cashier));
    expect([code, Object.keys(figures)]).toEqual(["PAYEE_NOT_MATCHED", ["payeeCheckId", "validUntil"]]);
    const { transactionId } = await t.create(withId(id), cashier);
    expect(await t.read(transactionId)).toMatchObject({ result: "NMTC", accountName: "", acceptedBy: "CA1" });
  });

  test("refuses by its field an id of another account, name or customer, of a match, and of nobody", async () => {
    const t = await office();
    says = () => close;
    const { id } = await warned(t.create());
    await world.operator.createBeneficiary(
      { ...beneficiary, idempotencyKey: "b-2", customerId: "c2", code: "B-BEN" },
      on(t.tenantId),
    );
    const of = (work: Promise<unknown>) =>
      refused(work).then(({ code, details }) => [code, details?.errors?.[0]?.path]);
    const mismatch = ["PAYEE_CHECK_MISMATCH", "dynamicFields.payeeCheckId"];
    const other = { senderCustomerCode: "C-2", recipientCustomerCode: "B-BEN" };
    expect(await of(t.create(withId(id, { creditParty: held("bankaccountno", "0000014579") })))).toEqual(mismatch);
    expect(await of(t.create(withId(id, { creditParty: held("accountholdername", "Ngozi Eze") })))).toEqual(mismatch);
    expect(await of(t.create(withId(id, other), ben))).toEqual(mismatch);
    expect(await of(t.create(withId(randomUUID())))).toEqual(mismatch);
    const elsewhere = await office();
    expect(await of(elsewhere.create(withId(id)))).toEqual(mismatch);
    expect(await t.stored()).toBe(0);
  });

  test.each([
    ["cannot say", () => ({ result: "NOAP" }), "NOAP"],
    [
      "answers about another account",
      ({ account: own }: Asked) => ({ ...close, account: { ...own, country: "GHA" } }),
      "NO_ANSWER",
    ],
    ["answers about another check", () => ({ ...close, checkReference: "another" }), "NO_ANSWER"],
    ["does not know us", () => ({ status: 401 }), "NO_ANSWER"],
    ["has a fault", () => ({ status: 500 }), "NO_ANSWER"],
    ["says what nobody knows", () => ({ result: "PERHAPS" }), "NO_ANSWER"],
    ["does not answer", () => undefined, "NO_ANSWER"],
    [
      "finds a name that differs by capitals, a title and spaces",
      () => ({ result: "CMTC", accountName: "MRS NGOZI  OKAFOR" }),
      "MTCH",
    ],
  ])("an order goes on, and says so, where the partner %s", async (_name, answer, result) => {
    const t = await office();
    says = answer as typeof says;
    expect(await t.read((await t.create()).transactionId)).toMatchObject({ result });
    expect(t.asked()).toHaveLength(1);
  });

  test("a close match without a name is none; a name is told on one line, no longer than names are", async () => {
    const t = await office();
    says = () => ({ result: "CMTC" });
    expect(await warned(t.create())).toMatchObject({ code: "PAYEE_NOT_MATCHED" });
    says = () => ({ result: "CMTC", accountName: `Ngozi\n\u202e${"x".repeat(1_000)}` });
    expect((await warned(t.create())).figures["accountName"]).toBe(`Ngozi ${"x".repeat(134)}`);
  });

  test("who has no partner, or a paused one, goes on and says so; without the setting nobody is asked", async () => {
    for (const [time, plugin, result] of [
      ["AT_TRANSACTION", { status: "PAUSED" }, "NO_PARTNER"],
      ["AT_TRANSACTION", null, "NO_PARTNER"],
      ["OFF", {}, undefined],
    ] as const) {
      const t = await office(time, plugin);
      expect((await t.read((await t.create()).transactionId))?.result).toBe(result);
      expect(t.asked()).toEqual([]);
    }
  });

  test("a quote keeps the setting; another account than the saved one is checked where recipients are", async () => {
    const t = await office();
    says = () => close;
    const question = { sendAmount: "100.00", receivingCountry: "NG", type: methods[0]! };
    const { quote } = await world.gateway.createQuote(question, on(t.tenantId, ada));
    const byQuote = { dynamicFields: { quoteId: quote!.quoteId } };
    expect((await warned(t.create(byQuote))).code).toBe("PAYEE_NAME_DIFFERS");
    const saved = await office("AT_RECIPIENT");
    await saved.save({ code: "B-SAVED" });
    says = () => close;
    const { transactionId } = await saved.create({ recipientCustomerCode: "B-SAVED" });
    expect((await saved.read(transactionId))?.result).toBe("MTCH");
    const creditParty = held("bankaccountno", "0000014579");
    const given = saved.create({ recipientCustomerCode: "B-SAVED", creditParty });
    expect((await warned(given)).code).toBe("PAYEE_NAME_DIFFERS");
  });

  test("an account that nobody looked at, or of which nobody said a thing, is checked where recipients are", async () => {
    const t = await office("AT_RECIPIENT");
    says = () => undefined;
    await t.save({ code: "B-SILENT" });
    says = () => close;
    for (const recipientCustomerCode of ["B-NGOZI", "B-SILENT"]) {
      expect((await warned(t.create({ recipientCustomerCode }))).code).toBe("PAYEE_NAME_DIFFERS");
    }
  });

  test("what was said of an account does not outlive the name that it was said of", async () => {
    const t = await office("BOTH");
    says = () => close;
    const { id } = await warned(t.create());
    const [first, second] = [await t.create(withId(id)), await t.create(withId(id))];
    const amend = (transactionId: string) =>
      world.gateway.amendTransaction(
        {
          idempotencyKey: randomUUID(),
          transactionId,
          recipient: { firstName: "Ngozi", lastName: "Eze" },
          accountHolderName: "Ngozi Eze",
          reason: "She has married",
          password: "right",
        },
        on(t.tenantId, ada),
      );
    says = () => ({ result: "MTCH" });
    await amend(first.transactionId);
    expect(await t.read(first.transactionId)).toMatchObject({ result: "MTCH", accountName: "", acceptedBy: "" });
    const deliveries = methods.map((method) => ({ method, partner: "", estimateMinutes: 60, payeeCheck: "OFF" }));
    await world.operator.putCorridor({ corridor: { ...corridor, deliveries } }, on(t.tenantId));
    await amend(second.transactionId);
    expect(await t.read(second.transactionId)).toBeUndefined();
    const row = await world.db
      .collection(collections.transactions)
      .findOne({ tenantId: t.tenantId, transactionId: second.transactionId });
    expect(row).not.toHaveProperty("sealedAccountName");
  });
});

describe("a payee who is checked when a recipient is saved", () => {
  const recipientOf = (t: Office, code: string) =>
    world.gateway
      .listBeneficiaries({}, on(t.tenantId, ada))
      .then(({ beneficiaries }) => beneficiaries.find((one) => one.code === code));

  test("is warned of, saved once that was read, and not asked about again while nothing of it changes", async () => {
    const t = await office("BOTH");
    says = () => close;
    const { code, id } = await warned(t.save({ code: "B-NEW" }));
    expect([code, await recipientOf(t, "B-NEW")]).toEqual(["PAYEE_NAME_DIFFERS", undefined]);
    const saved = await t.save({ code: "B-NEW", payeeCheckId: id });
    expect(saved.payeeCheck).toMatchObject({ result: "CMTC", accountName: "Ngozi Okafor-Bello", acceptedBy: "u1" });
    expect((await recipientOf(t, "B-NEW"))!.payeeCheck).toEqual(saved.payeeCheck);
    // What was read there stands for the order that follows.
    await t.create(withId(id, { recipientCustomerCode: "B-NEW" }));

    const before = t.asked().length;
    const same = await t.change({ code: "B-NEW", relationship: "aunt" });
    expect([same.payeeCheck, t.asked().length]).toEqual([saved.payeeCheck, before]);
    says = () => ({ result: "MTCH" });
    const moved = await t.change({ code: "B-NEW", creditParty: held("bankaccountno", "0000014579") });
    expect([moved.payeeCheck?.result, moved.payeeCheck?.accountName]).toEqual(["MTCH", ""]);
    expect(await tracesIn(world.db.name, t.tenantId, ["Bello"])).toEqual([]);
  });

  test("with two accounts both are looked at, one id stands for both, and who gave no answer is asked at the next change", async () => {
    const t = await office("AT_RECIPIENT");
    const creditParty = [
      ...account,
      { key: "mobileoperator", value: "MTN" },
      { key: "mobilenumber", value: "+2348031234567" },
    ];
    const both = { deliveryMethods: methods, creditParty };
    says = ({ account: { mobilenumber } }) => (mobilenumber === undefined ? { result: "NMTC" } : close);
    const { code, id, figures } = await warned(t.save(both));
    expect([code, t.asked().length]).toEqual(["PAYEE_NOT_MATCHED", 2]);
    expect(figures["accountName"]).toBe("Ngozi Okafor-Bello");
    expect((await t.save({ ...both, code: "B-BOTH", payeeCheckId: id })).payeeCheck).toMatchObject({ result: "NMTC" });
    const byMobile = {
      type: methods[1]!,
      recipientCustomerCode: "B-BOTH",
      creditParty: [...creditParty.slice(-2), ...account.filter(({ key }) => key === "accountholdername")],
    };
    const { transactionId } = await t.create(withId(id, byMobile));
    expect(await t.read(transactionId)).toMatchObject({ result: "CMTC", accountName: "Ngozi Okafor-Bello" });
    const other = await refused(t.save({ ...both, payeeCheckId: randomUUID() }));
    expect([other.code, other.details?.errors?.[0]?.path]).toEqual(["PAYEE_CHECK_MISMATCH", "payeeCheckId"]);

    says = () => undefined;
    const silent = await t.save({ code: "B-SILENT" });
    expect(silent.payeeCheck?.result).toBe("NO_ANSWER");
    says = () => ({ result: "MTCH" });
    expect((await t.change({ code: "B-SILENT" })).payeeCheck?.result).toBe("MTCH");
  });

  test("a warning of one account goes on by its id where the other had no answer", async () => {
    const t = await office("AT_RECIPIENT");
    const creditParty = [
      ...account,
      { key: "mobileoperator", value: "MTN" },
      { key: "mobilenumber", value: "+2348031234567" },
    ];
    const both = { deliveryMethods: methods, creditParty, code: "B-HALF" };
    says = ({ account: { mobilenumber } }) => (mobilenumber === undefined ? { result: "NMTC" } : undefined);
    const { code, id } = await warned(t.save(both));
    expect(code).toBe("PAYEE_NOT_MATCHED");
    const { payeeCheck } = await t.save({ ...both, payeeCheckId: id });
    expect(payeeCheck).toMatchObject({ result: "NMTC", acceptedBy: "u1" });
  });

  test("nothing of it is left of a customer who is erased", async () => {
    const t = await office("BOTH");
    says = () => close;
    const { id } = await warned(t.save());
    await t.save({ payeeCheckId: id });
    const { transactionId } = await t.create(withId(id));
    const transactions = world.db.collection(collections.transactions);
    await transactions.updateOne({ tenantId: t.tenantId, transactionId }, { $set: { status: "EXPIRED" } });
    const { erased } = await world.erase({ tenantId: t.tenantId, ...ada }, "AT_ONCE");
    expect(erased).toMatchObject({ "payee-checks": 1, "unpaid-transactions": 1 });
    expect(await t.read(transactionId)).toBeUndefined();
    const left = {
      tenantId: t.tenantId,
      $or: [{ sealedAccountName: { $exists: true } }, { payeeCheck: { $exists: true } }],
    };
    for (const name of [collections.transactions, collections.beneficiaries, collections.payeeChecks]) {
      expect(await world.db.collection(name).countDocuments(left)).toBe(0);
    }
  });
});

test("a corridor's setting is one of four, of accounts that a partner may know, and takes two managers", async () => {
  const t = await office("OFF");
  const put = (delivery: object, user = manager) =>
    world.gateway.putCorridor(
      {
        corridor: {
          ...corridor,
          deliveryMethods: [...methods, DeliveryMethod.DELIVERY_METHOD_CASH_PICKUP],
          deliveries: [{ method: methods[0]!, estimateMinutes: 60, ...delivery }],
        },
        reason: "fraud",
      },
      on(t.tenantId, user),
    );
  const path = (work: Promise<unknown>) => refused(work).then(({ details }) => details?.errors?.[0]?.path);
  expect(await path(put({ payeeCheck: "SOMETIMES" }))).toBe("corridor.deliveries[0].payeeCheck");
  const cash = { method: DeliveryMethod.DELIVERY_METHOD_CASH_PICKUP, payeeCheck: "BOTH" };
  expect(await path(put(cash))).toBe("corridor.deliveries[0].payeeCheck");
  await put({ payeeCheck: "BOTH" });
  const question = world.neighbours.asked.find(({ tenantId }) => tenantId === t.tenantId);
  expect(question).toMatchObject({
    kind: "CORRIDOR_CHANGE",
    changes: expect.arrayContaining([expect.objectContaining({ field: "deliveries.ACCOUNTPAYMENT.payeeCheck" })]),
  });
});
