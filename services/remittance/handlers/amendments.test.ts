import { Decision } from "../../../proto/gen/compliance/v1/compliance.js";
import { Refusal } from "../../kernel/refusal.js";
import { testTenant, waitFor as waitShortly } from "../../../test/support/index.js";
import { ada, agent, ben, cashier, manager, on, faultOf, refused } from "../../../test/support/remittance-calls.js";
import { createWorld, type World } from "../../../test/support/remittance-fixture.js";
import { openTenant, order } from "../../../test/support/remittance-samples.js";

let world: World;
beforeAll(async () => void (world = await createWorld("amendments")));
afterEach(() => world.reset());
afterAll(() => world.close());

const waitFor = <T>(ask: () => T | Promise<T>) => waitShortly(ask, { timeoutMs: 20_000 });
const textOf = (value: unknown) =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? String(part) : part));

let keys = 0;
const newKey = () => `amend-${(keys += 1)}`;
const married = { recipient: { firstName: "Ngozi", lastName: "Adeyemi" }, accountHolderName: "Ngozi Adeyemi" };
const wanted = (transactionId: string, part: object = {}) => ({
  idempotencyKey: newKey(),
  transactionId,
  ...married,
  reason: "She has married",
  password: "right",
  ...part,
});

async function open(part: object = {}): Promise<{ tenantId: string; transactionId: string }> {
  const tenantId = await openTenant(world, testTenant());
  return { tenantId, transactionId: await create(tenantId, part) };
}
const create = async (tenantId: string, part: object = {}): Promise<string> =>
  (await world.gateway.createTransaction(order(part), on(tenantId, ada))).transaction!.transactionId;
const stored = async (tenantId: string, transactionId: string) =>
  (await world.store.forTenant(tenantId).findTransaction(transactionId))!;
const setStatus = (tenantId: string, transactionId: string, status: string, part: object = {}) =>
  world.db.collection("transactions").updateOne({ tenantId, transactionId }, { $set: { status, ...part } });
const amend = (tenantId: string, request: object, user: Parameters<typeof on>[1] = ada) =>
  world.gateway.amendTransaction(request, on(tenantId, user));
const namesOf = async (tenantId: string, transactionId: string) => {
  const { recipient, creditParty } = await stored(tenantId, transactionId);
  return [recipient.name, creditParty.find(({ key }) => key === "accountholdername")!.value];
};
const screenedOf = (transactionId: string) =>
  world.neighbours.screened.filter((one) => one.transactionId === transactionId);
const asked = { before: ["Ngozi Okafor", "Ngozi Okafor"], after: ["Ngozi Adeyemi", "Ngozi Adeyemi"] };

describe("a sender's own amendment", () => {
  test.each(["AWAITING_COMPLIANCE", "AWAITING_PAYMENT", "PAID"])(
    "holds at once in %s, after lists were asked; nothing but names changes",
    async (status) => {
      const { tenantId, transactionId } = await open();
      await setStatus(tenantId, transactionId, status);
      const before = await stored(tenantId, transactionId);
      const { amendment, approvalStatus } = await amend(tenantId, wanted(transactionId));
      expect(approvalStatus).toBe("");
      expect(amendment).toMatchObject({
        status: "APPLIED",
        before: { recipientName: "Ngozi Okafor", accountHolderName: "Ngozi Okafor" },
        after: { recipientName: "Ngozi Adeyemi", accountHolderName: "Ngozi Adeyemi" },
        askedBy: "u1",
        reason: "She has married",
      });
      const after = await stored(tenantId, transactionId);
      const { recipient, creditParty, creditPartySource: _source, searchWords, amendments, version, ...same } = after;
      expect({ ...before, ...same }).toEqual(before);
      expect(recipient).toEqual({ ...before.recipient, name: "Ngozi Adeyemi" });
      expect(creditParty.filter(({ key }) => key !== "accountholdername")).toEqual(
        before.creditParty.filter(({ key }) => key !== "accountholdername"),
      );
      expect([searchWords.includes("adeyemi"), searchWords.includes("okafor")]).toEqual([true, false]);
      expect([amendments!.length, version]).toEqual([1, before.version + 1]);
      // Before they are its names, and once they are: what was screened beside them stays behind.
      await waitFor(() => screenedOf(transactionId).length > 1);
      const names = [{ role: "RECIPIENT", name: "Ngozi Adeyemi", countries: ["NGA"] }];
      expect(screenedOf(transactionId)).toMatchObject([
        { transactionId, parties: names, version: before.version },
        { transactionId, parties: names, version: before.version + 1 },
      ]);
      const listed = await world.gateway.listAmendments({ transactionId }, on(tenantId, ada));
      expect(listed.amendments).toMatchObject([{ amendmentId: amendment!.amendmentId, status: "APPLIED" }]);
    },
  );

  test("names a holder who is somebody else, and leaves what it does not name", async () => {
    const { tenantId, transactionId } = await open();
    await amend(tenantId, wanted(transactionId, { recipient: undefined, accountHolderName: "Chidi Obi" }));
    expect(await namesOf(tenantId, transactionId)).toEqual(["Ngozi Okafor", "Chidi Obi"]);
    expect(screenedOf(transactionId)[0]!.parties).toMatchObject([
      { role: "RECIPIENT", name: "Ngozi Okafor" },
      { role: "ACCOUNT_HOLDER", name: "Chidi Obi" },
    ]);
  });

  test("needs what they pay with, and a wrong try leaves the key free", async () => {
    const { tenantId, transactionId } = await open();
    const request = wanted(transactionId, { password: "wrong" });
    expect(await refused(amend(tenantId, request))).toMatchObject({ code: "PASSWORD_WRONG" });
    expect(screenedOf(transactionId)).toEqual([]);
    await amend(tenantId, { ...request, password: "right" });
    expect(await namesOf(tenantId, transactionId)).toEqual(asked.after);
  });

  test("under the same key it is the same answer, whatever came of the transaction since", async () => {
    const { tenantId, transactionId } = await open();
    const request = wanted(transactionId);
    const first = await amend(tenantId, request);
    await setStatus(tenantId, transactionId, "PROCESSING");
    expect(await amend(tenantId, { ...request, password: "" })).toEqual(first);
    await waitFor(() => screenedOf(transactionId).length > 1);
    expect(new Set(screenedOf(transactionId).map(({ version }) => version)).size).toBe(2);
    const other = { ...request, accountHolderName: "Chidi Obi" };
    expect(await refused(amend(tenantId, other))).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
  });

  test("of several at once those that met another one are refused, and the names are of one that won", async () => {
    const { tenantId, transactionId } = await open();
    const names = ["Ada One", "Ben Two", "Eve Three", "Uma Four"];
    const ends = await Promise.allSettled(
      names.map((accountHolderName) =>
        amend(tenantId, wanted(transactionId, { recipient: undefined, accountHolderName })),
      ),
    );
    const won = ends.flatMap((end, index) => (end.status === "fulfilled" ? [names[index]] : []));
    const codes = ends.flatMap((end) => (end.status === "rejected" ? [(end.reason as Refusal).code] : []));
    expect(won.length).toBeGreaterThan(0);
    expect(codes.filter((code) => code !== "STATE_CONFLICT")).toEqual([]);
    expect(names.map((name) => ["Ngozi Okafor", name])).toContainEqual(await namesOf(tenantId, transactionId));
    expect(won).toContain((await namesOf(tenantId, transactionId))[1]);
  });

  test("while compliance is away nothing is amended, and the same key goes on", async () => {
    const { tenantId, transactionId } = await open();
    const request = wanted(transactionId);
    world.neighbours.onScreening = async () => {
      throw new Refusal("UNAVAILABLE", "lists are away");
    };
    expect(await refused(amend(tenantId, request))).toMatchObject({ code: "UNAVAILABLE" });
    expect(await namesOf(tenantId, transactionId)).toEqual(asked.before);
    world.neighbours.onScreening = async () => {};
    await amend(tenantId, request);
    expect(await namesOf(tenantId, transactionId)).toEqual(asked.after);
  });

  test("handed over while lists were asked, the hand-over stands and the amendment is refused", async () => {
    const { tenantId, transactionId } = await open();
    await setStatus(tenantId, transactionId, "PAID");
    world.neighbours.onScreening = async () =>
      void (await setStatus(tenantId, transactionId, "PROCESSING", { version: 9 }));
    const request = wanted(transactionId);
    expect(await refused(amend(tenantId, request))).toMatchObject({ code: "STATE_CONFLICT" });
    expect(await namesOf(tenantId, transactionId)).toEqual(asked.before);
    expect(await refused(amend(tenantId, request))).toMatchObject({ code: "STATE_CONFLICT" });
  });
});

describe("is refused", () => {
  test("once it was handed over, naming where its partner is asked", async () => {
    const { tenantId, transactionId } = await open();
    for (const status of ["PROCESSING", "READY_FOR_PICKUP"]) {
      await setStatus(tenantId, transactionId, status);
      const untraced = await refused(amend(tenantId, wanted(transactionId)));
      expect([untraced.code, untraced.details?.figures]).toEqual(["STATE_CONFLICT", undefined]);
      await setStatus(tenantId, transactionId, status, { orderParties: {} });
      const refusal = await refused(amend(tenantId, wanted(transactionId)));
      const path = `/api/v6/services/transactionmanagement/transactions/${transactionId}/traces`;
      expect(refusal).toMatchObject({ code: "STATE_CONFLICT", details: { figures: { tracePath: path } } });
      expect(refusal.message).toContain(path);
      const orderParties = { orderParties: "" } as const;
      await world.db.collection("transactions").updateOne({ tenantId, transactionId }, { $unset: orderParties });
    }
    for (const status of ["COMPLETED", "CANCELLED", "REFUNDED", "EXPIRED"]) {
      await setStatus(tenantId, transactionId, status);
      expect(await refused(amend(tenantId, wanted(transactionId)))).toMatchObject({ code: "STATE_CONFLICT" });
    }
    expect(screenedOf(transactionId)).toEqual([]);
  });

  const long = "Nn".repeat(36);
  test.each<[object, string]>([
    [{ recipient: undefined, accountHolderName: "" }, "recipient"],
    [{ recipient: { firstName: "", lastName: "" } }, "recipient.lastName"],
    [{ recipient: { firstName: "Ngozi", lastName: long } }, "recipient.lastName"],
    [{ recipient: { firstName: long.slice(0, 40), lastName: long.slice(0, 40) } }, "recipient.lastName"],
    [{ recipient: { firstName: "Ngоzi", lastName: "Okafor" } }, "recipient.firstName"],
    [{ recipient: { firstName: "Ngozi", lastName: "Oka\u200bfor" } }, "recipient.lastName"],
    [{ recipient: { firstName: "1", lastName: "2" } }, "recipient.lastName"],
    [{ accountHolderName: long }, "accountHolderName"],
    [{ accountHolderName: "Ngоzi Adeyemi" }, "accountHolderName"],
    [{ accountHolderName: "12 34" }, "accountHolderName"],
    [{ reason: "" }, "reason"],
    [{ recipient: { firstName: "Ngozi", lastName: "Okafor" }, accountHolderName: "" }, "recipient"],
    [{ recipient: undefined, accountHolderName: "Ngozi Okafor" }, "accountHolderName"],
  ])("what is no name, by its field %j", async (part, path) => {
    const { tenantId, transactionId } = await open();
    expect(await faultOf(amend(tenantId, wanted(transactionId, part)))).toEqual(["INVALID_INPUT", path]);
  });

  test("to whoever's it is not", async () => {
    const { tenantId, transactionId } = await open();
    expect(await refused(amend(tenantId, wanted(transactionId), ben))).toMatchObject({ code: "FORBIDDEN" });
    expect(await refused(amend(tenantId, wanted(transactionId), cashier))).toMatchObject({ code: "FORBIDDEN" });
    const gone = "018f0000-0000-7000-8000-000000000000";
    expect(await refused(amend(tenantId, wanted(gone)))).toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
    const foreign = await openTenant(world, testTenant());
    expect(await refused(amend(foreign, wanted(transactionId)))).toMatchObject({ code: "TRANSACTION_NOT_FOUND" });
  });
});

describe("what compliance makes of new names", () => {
  test("what waited for its payment waits for a person, and may be approved once more", async () => {
    const { tenantId, transactionId } = await open();
    await amend(tenantId, wanted(transactionId));
    const decide = (decision: Decision) =>
      world.compliance.decideTransaction({ transactionId, decision, policyVersion: 3 }, on(tenantId));
    await decide(Decision.DECISION_REVIEW);
    expect(await stored(tenantId, transactionId)).toMatchObject({
      status: "AWAITING_COMPLIANCE",
      compliance: { decision: "REVIEW" },
      recipient: { name: "Ngozi Adeyemi" },
    });
    await decide(Decision.DECISION_APPROVED);
    expect(await stored(tenantId, transactionId)).toMatchObject({ status: "AWAITING_PAYMENT" });
    // A payment that may yet fail: compliance tells it again.
    await setStatus(tenantId, transactionId, "PAYING");
    expect(await refused(decide(Decision.DECISION_REVIEW))).toMatchObject({ code: "UNAVAILABLE" });
    await setStatus(tenantId, transactionId, "PAID");
    await decide(Decision.DECISION_REVIEW);
    expect(await stored(tenantId, transactionId)).toMatchObject({ status: "PAID" });
  });
});

describe("what staff ask for", () => {
  const waiting = async (user: Parameters<typeof on>[1] = manager) => {
    const { tenantId, transactionId } = await open();
    const request = wanted(transactionId);
    const answer = await amend(tenantId, request, user);
    return { tenantId, transactionId, request, answer, approvalId: answer.amendment!.approvalId };
  };
  const statusOf = async (tenantId: string, transactionId: string) =>
    (await stored(tenantId, transactionId)).amendments!.map(({ status }) => status);

  test.each([
    ["a manager", manager],
    ["the sender's agent", agent],
  ])("by %s holds once a second person approves, and lists are asked then", async (_who, user) => {
    const { tenantId, transactionId, request, answer, approvalId } = await waiting(user);
    expect(answer).toMatchObject({ approvalStatus: "PENDING", amendment: { status: "ASKED" } });
    expect(await amend(tenantId, request, user)).toEqual(answer);
    expect([await namesOf(tenantId, transactionId), screenedOf(transactionId)]).toEqual([asked.before, []]);
    const question = world.neighbours.asked.find((one) => one.approvalId === approvalId)!;
    expect(question).toMatchObject({ kind: "AMENDMENT", subject: `transaction:${transactionId}`, customerId: "c1" });
    expect(textOf({ ...question, reason: "" })).not.toMatch(/Adeyemi|Okafor/);
    const { noted } = await world.decide(approvalId);
    expect(noted).toEqual([`TRANSACTION_AMENDED transaction:${transactionId}`]);
    await waitFor(async () => (await statusOf(tenantId, transactionId))[0] === "APPLIED");
    await waitFor(() => world.events.typesOf(transactionId).includes("transaction.amended"));
    expect(world.events.typesOf(transactionId)).toEqual(["transaction.created", "transaction.amended"]);
    expect(await namesOf(tenantId, transactionId)).toEqual(asked.after);
    await waitFor(() => screenedOf(transactionId).length > 1);
    expect(new Set(screenedOf(transactionId).map(({ version }) => version)).size).toBe(2);
  });

  test("refused, or too late, changes nothing", async () => {
    const one = await waiting();
    await world.decide(one.approvalId, "REFUSED");
    expect(await statusOf(one.tenantId, one.transactionId)).toEqual(["REFUSED"]);
    const late = await waiting();
    await setStatus(late.tenantId, late.transactionId, "PROCESSING");
    await world.decide(late.approvalId);
    expect(await statusOf(late.tenantId, late.transactionId)).toEqual(["REFUSED"]);
    const overtaken = await waiting();
    await amend(
      overtaken.tenantId,
      wanted(overtaken.transactionId, { recipient: undefined, accountHolderName: "Chidi Obi" }),
    );
    await world.decide(overtaken.approvalId);
    expect(await statusOf(overtaken.tenantId, overtaken.transactionId)).toEqual(["REFUSED", "APPLIED"]);
    expect(await namesOf(overtaken.tenantId, overtaken.transactionId)).toEqual(["Ngozi Okafor", "Chidi Obi"]);
    expect(await namesOf(late.tenantId, late.transactionId)).toEqual(asked.before);
  });

  test("handed over while lists were asked it is refused, and names what stood in its way", async () => {
    const { tenantId, transactionId, approvalId } = await waiting();
    world.neighbours.onScreening = async () =>
      void (await setStatus(tenantId, transactionId, "PROCESSING", { version: 9 }));
    await world.decide(approvalId);
    await waitFor(async () => (await statusOf(tenantId, transactionId))[0] === "REFUSED");
    expect((await stored(tenantId, transactionId)).amendments![0]!.refusedBecause).toBe("STATE_CONFLICT");
    expect(await namesOf(tenantId, transactionId)).toEqual(asked.before);
  });

  test("another one waits for its turn, and nobody may ask twenty times", async () => {
    const { tenantId, transactionId } = await waiting();
    expect(await refused(amend(tenantId, wanted(transactionId), manager))).toMatchObject({ code: "STATE_CONFLICT" });
    for (let index = 0; index < 19; index += 1) {
      const accountHolderName = `Ngozi ${"abcdefghijklmnopqrstuvwxyz"[index]}a`;
      await amend(tenantId, wanted(transactionId, { recipient: undefined, accountHolderName }));
    }
    const refusal = await refused(amend(tenantId, wanted(transactionId, { accountHolderName: "Zoe Zed" })));
    expect(refusal).toMatchObject({ code: "AMENDMENT_LIMIT_REACHED" });
  });
});

describe("what is kept of it", () => {
  test("is opened for whoever reads the transaction, and for no list", async () => {
    const { tenantId, transactionId } = await open();
    await amend(tenantId, wanted(transactionId));
    const transactions = world.db.collection("transactions");
    const other = await open();
    await amend(other.tenantId, wanted(other.transactionId));
    const { sealedAmendments } = (await transactions.findOne(other))!;
    // Sealed for another place, it opens nowhere.
    await transactions.updateOne({ tenantId, transactionId }, { $set: { sealedAmendments } });
    await expect(world.gateway.getTransaction({ transactionId }, on(tenantId, manager))).rejects.toThrow();
    const listed = await world.gateway.listTransactions({}, on(tenantId, manager));
    expect(listed.transactions).toMatchObject([{ transactionId, recipient: { name: "Ngozi Adeyemi" } }]);
  });

  test("lies sealed, is in no log and no event, and goes with the transaction", async () => {
    const { tenantId, transactionId } = await open();
    await amend(tenantId, wanted(transactionId, { reason: "Her maiden name was Quibblesworth" }));
    const published = () => world.events.of(transactionId).find(({ type }) => type === "transaction.amended");
    const { dataJson, customerId } = await waitFor(published);
    const { amendmentId } = (await stored(tenantId, transactionId)).amendments![0]!;
    expect([JSON.parse(dataJson), customerId]).toEqual([
      { transactionId, transactionCode: expect.any(String), amendmentId, amendedAt: expect.any(String) },
      "c1",
    ]);
    const raw = textOf(await world.db.collection("transactions").findOne({ tenantId, transactionId }));
    expect(raw).toContain("sealedAmendments");
    expect(raw).not.toContain("Quibblesworth");
    expect(world.logged.join("\n")).not.toMatch(/Adeyemi|Quibblesworth/);
    await setStatus(tenantId, transactionId, "CANCELLED");
    await world.erase({ tenantId, ...ada }, "AT_ONCE");
    const erased = await world.db.collection("transactions").findOne({ tenantId, transactionId });
    expect(erased).not.toHaveProperty("sealedAmendments");
    expect(textOf(erased)).not.toMatch(/Adeyemi|Okafor/);
  });
});
