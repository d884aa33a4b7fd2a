import { readFileSync } from "node:fs";
import {
  CustomerStatus,
  Decision,
  MoveKind,
  RuleAction,
  Visibility,
  type CheckTransactionRequest,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import {
  createComplianceWorld,
  everybody,
  manager,
  on,
  question,
  refused,
  usd,
  type ComplianceWorld,
} from "../../../../test/support/compliance-fixture.js";
import { waitFor } from "../../../../test/support/index.js";
import { unitsOf } from "../../../../test/support/turn-units.js";
import { loadGiven } from "../../../../test/support/screening-lists.js";
import { operatorsLists, operatorsSandboxLists } from "../../lists/domain/list-owner.js";
import { shippedThreshold } from "../../lists/domain/matcher/index.js";
import { platformPolicy } from "../domain/policy.js";
import { customerSubject, recipientSubject, staffSubject } from "../../common/domain/subject.js";
import { rescreenRow } from "../../common/store/outbox-rows.js";

jest.setTimeout(120_000);

let world: ComplianceWorld;
beforeAll(async () => void (world = await createComplianceWorld("screening")));
afterEach(() => world.reset());
afterAll(() => world.close());

const { DECISION_APPROVED: approved, DECISION_REVIEW: review, DECISION_REJECTED: rejected } = Decision;
/** On the sandbox partner's OFAC, EU and UK lists, born 1961-02-14. */
const listed = "Yaromil Ostapovich Vorskutin";
const sender = everybody[0]!;
const recipient = (name: string, more: object = {}) => ({ ...everybody[1]!, name, countries: ["RUS"], ...more });
const paying = (name: string, part: Partial<CheckTransactionRequest> = {}) =>
  question({ recipientCode: "B-9", parties: [sender, recipient(name)], ...part });
const openTenant = (more: object = {}) => world.openTenant({ dailyLimits: [{ amount: usd(9_000_00n) }] }, more);
const check = (tenantId: string, requested: ReturnType<typeof question>) =>
  world.remittance.checkTransaction(requested, on(tenantId));
const screeningsOf = (tenantId: string, filter: object = {}) =>
  world.replicas[0]!.screenings.forTenant(tenantId).list(filter, { limit: 50 });
const subjectOf = (tenantId: string, subject: ReturnType<typeof customerSubject>) =>
  world.replicas[0]!.subjects.forTenant(tenantId).find(subject);
const holdsOf = async (tenantId: string, customerId = "c1") =>
  (await world.store.forTenant(tenantId).findCustomer(customerId))?.holds ?? [];
const decidedOf = (tenantId: string, transactionId: string) =>
  waitFor(() => world.told(tenantId).decided.find((one) => one.transactionId === transactionId), { timeoutMs: 30_000 });

let revision = 0;
const tell = (tenantId: string, customerId: string, name: string, more: object = {}) => {
  revision += 1;
  const [firstName = "", ...others] = name.split(" ");
  const about = { customerId, revision, changed: ["REGISTERED"], proven: [], firstName, lastName: others.join(" ") };
  return world.identity.notePersonChange({ ...about, country: "USA", ...more }, on(tenantId));
};

describe("a question about a transaction", () => {
  test("whose parties are on no list is approved; who they are is kept sealed, and no screening is", async () => {
    const tenantId = await openTenant();
    expect((await check(tenantId, question())).decision).toBe(approved);
    const known = await subjectOf(tenantId, recipientSubject("c1", "B-1"));
    expect(known).toMatchObject({ party: { names: ["Emeka Okafor"], countries: ["NGA"] } });
    expect(known!.basis).toMatch(/^policy 0, EU \S+, OFAC_SDN \S+, UK \S+, UN \S+$/);
    expect((await subjectOf(tenantId, customerSubject("c1")))!.party.dateOfBirth).toBe("1990-12-10");
    expect(await screeningsOf(tenantId)).toEqual([]);
    const rows = await world.db.collection("screening_subjects").find({ tenantId }).toArray();
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/Okafor|Lovelace|1990/);
  });

  test("whose recipient is on a list waits with the answer of every review, and only what goes to them", async () => {
    const tenantId = await openTenant();
    const first = paying(listed);
    const answer = await check(tenantId, first);
    expect(answer).toMatchObject({ decision: review, reasonCode: "", message: "the transaction is being looked at" });
    const [found, ...others] = await screeningsOf(tenantId);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      subject: { kind: "RECIPIENT", id: "c1/B-9", customerId: "c1" },
      name: listed,
      trigger: "TRANSACTION",
      status: "IN_REVIEW",
      transactionIds: [first.transactionId],
    });
    expect(found!.hits.map(({ state }) => state)).toEqual(found!.hits.map(() => "OPEN"));
    expect(await holdsOf(tenantId)).toEqual([{ recipientKey: "B-9", status: "OPEN" }]);
    // Asked again, it is the same decision; another one to them joins the screening; others go on.
    expect((await check(tenantId, first)).decision).toBe(review);
    const second = paying(listed);
    expect((await check(tenantId, second)).decision).toBe(review);
    expect((await check(tenantId, question())).decision).toBe(approved);
    const [joined, ...more] = await screeningsOf(tenantId);
    expect(more).toEqual([]);
    expect(joined!.transactionIds).toEqual([first.transactionId, second.transactionId]);
    const opened = await waitFor(async () => {
      const { cases } = await world.cases[0]!.listCases({ queue: "OPEN" }, on(tenantId, manager));
      return cases.find(({ kind }) => kind === "SCREENING");
    });
    expect(opened).toMatchObject({ subjectKind: "RECIPIENT", subjectId: "c1/B-9" });
    const stored = await world.db.collection("screenings").find({ tenantId }).toArray();
    expect(JSON.stringify(stored)).not.toMatch(/Vorskutin/i);
  });

  test("of a hit cannot be approved by an ordinary word, but refused; told apart, what waited goes on by itself", async () => {
    const tenantId = await openTenant();
    const [first, second] = [paying(listed), paying(listed)];
    for (const requested of [first, second]) await check(tenantId, requested);
    const word = (transactionId: string, approve: boolean) =>
      world.gateway.decideReview({ transactionId, approve, reason: "known" }, on(tenantId, manager));
    const refusal = await refused(word(first.transactionId, true));
    expect([refusal.code, refusal.message]).toEqual([
      "STATE_CONFLICT",
      "this transaction cannot be approved as it stands",
    ]);
    expect((await word(second.transactionId, false)).decision).toBe(rejected);
    const [found] = await screeningsOf(tenantId);
    for (const { hitId } of found!.hits) {
      const stated = { idempotencyKey: `k-${hitId}`, decision: "FALSE_POSITIVE", reason: "another person" };
      await world.screening[0]!.decideHit({ ...stated, screeningId: found!.screeningId, hitId }, on(tenantId, manager));
    }
    expect((await decidedOf(tenantId, first.transactionId)).decision).toBe(approved);
    expect(await holdsOf(tenantId)).toEqual([]);
    // The same person and the same entries are not asked about again.
    expect((await check(tenantId, paying(listed))).decision).toBe(approved);
    expect(await screeningsOf(tenantId)).toHaveLength(1);
    // Somebody else under the code is.
    expect(
      (await check(tenantId, paying(listed, { parties: [sender, recipient(listed, { dateOfBirth: "1961-02-14" })] })))
        .decision,
    ).toBe(review);
  });

  test("asked at once through two replicas finds the customer once", async () => {
    const tenantId = await openTenant();
    const parties = [{ ...sender, name: listed, dateOfBirth: "1961-02-14" }, everybody[1]!];
    const requested = Array.from({ length: 6 }, () => question({ parties }));
    const answers = await Promise.all(
      requested.map((one, at) =>
        (at % 2 === 0 ? world.remittance : world.elsewhere).checkTransaction(one, on(tenantId)),
      ),
    );
    expect(answers.map(({ decision }) => decision)).toEqual(requested.map(() => review));
    const found = await screeningsOf(tenantId);
    expect(found.map(({ subject }) => subject.id)).toEqual(["c1"]);
    expect(found[0]!.transactionIds.toSorted()).toEqual(requested.map(({ transactionId }) => transactionId).toSorted());
    expect(await holdsOf(tenantId)).toEqual([{ recipientKey: "", status: "OPEN" }]);
    // It stops whatever they send.
    expect((await check(tenantId, question())).decision).toBe(review);
  });

  test("of an earlier caller, that names nobody, waits for a person, who may approve it", async () => {
    const tenantId = await openTenant();
    const requested = question({ parties: [] });
    expect(await check(tenantId, requested)).toMatchObject({ decision: review, reasonCode: "" });
    const { transactionId } = requested;
    const word = { transactionId, approve: true, reason: "known" };
    // They are known by another question since.
    expect((await world.gateway.decideReview(word, on(tenantId, manager))).decision).toBe(approved);
  });

  test("takes any name: compared or refused by its path", async () => {
    const tenantId = await openTenant();
    const names: [string, Decision][] = [
      ["Y\u200bar\u200domil Osta\u2060povich Vor\u00adskutin", review],
      ["\u202eYaromil Ostapovich Vorskutin\u202c", review],
      ["YAROMIL   OSTAPOVICH\tVORSKUTIN", review],
      ["X", approved],
      ["\u{1f600}\u{1f680}", review],
      ["\u200b\u200b", review],
      ["", review],
      ["   ", review],
      // No word of it has Latin letters by the library: it can be compared with nothing.
      ["ا".repeat(40), review],
      ["a".repeat(10_240), review],
      [`${"b ".repeat(5_000)}${listed}`, review],
    ];
    for (const [name, decision] of names) {
      const answer = await check(
        tenantId,
        paying(name, { recipientCode: `B-${names.findIndex(([one]) => one === name)}` }),
      );
      expect([name.slice(0, 30), answer.decision]).toEqual([name.slice(0, 30), decision]);
    }
    const faults: [object, string][] = [
      [{ role: "OTHER" }, "parties.1.role"],
      [{ kind: "SHIP" }, "parties.1.kind"],
      [{ dateOfBirth: "yesterday" }, "parties.1.dateOfBirth"],
      [{ dateOfBirth: "1990-13-45" }, "parties.1.dateOfBirth"],
      [{ dateOfBirth: "1990-02-30" }, "parties.1.dateOfBirth"],
      [{ dateOfBirth: "1990-13" }, "parties.1.dateOfBirth"],
      [{ countries: ["XXXX"] }, "parties.1.countries.0"],
      [{ countries: ["", "NGA", "XXXX"] }, "parties.1.countries.2"],
    ];
    for (const [part, path] of faults) {
      const refusal = await refused(check(tenantId, question({ parties: [sender, { ...everybody[1]!, ...part }] })));
      expect([refusal.code, refusal.message.startsWith(path)]).toEqual(["INVALID_INPUT", true]);
    }
  });

  test("about a payment between wallets stops at payer and payee", async () => {
    const tenantId = await openTenant();
    const status = CustomerStatus.CUSTOMER_STATUS_CONFIRMED;
    for (const customerId of ["c2", "c3"]) {
      await world.operator.setCustomerStatus({ customerId, status, reason: "seen" }, on(tenantId));
    }
    world.state.names.set("c3", listed);
    let payments = 0;
    const pay = (customerId: string, payeeCustomerId: string) => {
      payments += 1;
      const about = { paymentId: `p${payments}`, amount: usd(5_00n), kind: MoveKind.MOVE_KIND_PAYMENT, atOnce: true };
      return world.wallet.checkWalletPayment({ ...about, customerId, payeeCustomerId }, on(tenantId));
    };
    expect((await pay("c1", "c2")).approved).toBe(true);
    expect(await pay("c1", "c3")).toMatchObject({ approved: false, reasonCode: "" });
    expect(await holdsOf(tenantId, "c3")).toEqual([{ recipientKey: "", status: "OPEN" }]);
    expect(await holdsOf(tenantId, "c1")).toEqual([]);
    expect((await pay("c3", "c2")).approved).toBe(false);
  });
});

describe("people as identity tells of them", () => {
  test("a customer and a person of staff are compared when they register and when they change", async () => {
    const tenantId = await openTenant();
    await tell(tenantId, "c1", "Ada Lovelace");
    expect(await screeningsOf(tenantId)).toEqual([]);
    const details = { dateOfBirth: "1961-02-14", nationality: "RUS" };
    const changed = { changed: ["NAME"], details };
    await tell(tenantId, "c1", listed, changed);
    revision -= 1;
    await tell(tenantId, "c1", listed, changed);
    await tell(tenantId, "ST9", listed, { isStaff: true, country: "" });
    const found = await screeningsOf(tenantId);
    expect(found.map(({ subject, trigger }) => [subject.kind, subject.id, trigger])).toEqual([
      ["STAFF", "ST9", "REGISTERED"],
      ["CUSTOMER", "c1", "CHANGED"],
    ]);
    expect((await subjectOf(tenantId, staffSubject("ST9")))!.party.names).toEqual([listed]);
    expect((await check(tenantId, question())).decision).toBe(review);
    // What is told late of an earlier time changes nothing, and another name lets nobody go.
    await world.identity.notePersonChange(
      {
        customerId: "c1",
        revision: 1,
        changed: ["NAME"],
        proven: [],
        firstName: "Eve",
        lastName: "Old",
        country: "USA",
      },
      on(tenantId),
    );
    expect((await subjectOf(tenantId, customerSubject("c1")))!.party.names).toEqual([listed]);
    await tell(tenantId, "c1", "Ada Lovelace", { changed: ["NAME"] });
    expect(await holdsOf(tenantId)).toEqual([{ recipientKey: "", status: "OPEN" }]);
  });

  test("somebody of whom nothing has changed is compared, and is left alone otherwise", async () => {
    const tenantId = await openTenant();
    const about = { customerId: "c7", knownRevision: 3, country: "USA", firstName: "Yaromil Ostapovich" };
    const introduced = { ...about, lastName: "Vorskutin", revision: 0, details: { dateOfBirth: "1961-02-14" } };
    for (let twice = 0; twice < 2; twice++) await world.identity.notePersonChange(introduced, on(tenantId));
    const found = await screeningsOf(tenantId);
    expect(found.map(({ subject, trigger }) => [subject.id, trigger])).toEqual([["c7", "REGISTERED"]]);
    expect(await holdsOf(tenantId, "c7")).toEqual([{ recipientKey: "", status: "OPEN" }]);
    expect((await world.store.forTenant(tenantId).findCustomer("c7"))!.personRevision).toBeUndefined();
    // Who they were before is told too late.
    const older = { ...introduced, firstName: "Ada", lastName: "Lovelace", knownRevision: 2 };
    await world.identity.notePersonChange(older, on(tenantId));
    expect((await subjectOf(tenantId, customerSubject("c7")))!.party.names).toEqual([listed]);
    const changed = world.identity.notePersonChange({ ...introduced, changed: ["NAME"] }, on(tenantId));
    expect((await refused(changed)).code).toBe("INVALID_INPUT");
  });

  test("more waits of a customer than a page has: what waits for lists is decided anew all the same", async () => {
    const tenantId = await openTenant();
    const store = world.store.forTenant(tenantId);
    const requested = paying(listed, { transactionId: "z-last" });
    expect((await check(tenantId, requested)).decision).toBe(review);
    const { _id, ...waiting } = (await world.db.collection("decisions").findOne({ tenantId }))!;
    const pending = Array.from({ length: 230 }, (_, at) => ({
      ...waiting,
      transactionId: `a${at}`,
      decision: "PENDING",
    }));
    await world.db.collection("decisions").insertMany(pending);
    await world.db
      .collection("decisions")
      .updateOne({ _id, tenantId }, { $set: { reasonCode: "SCREENING_UNAVAILABLE" } });
    await waitFor(async () => (await store.findDecision("z-last"))?.reasonCode === "", { timeoutMs: 30_000 });
  });

  test("who is told of without a name stays known as they are", async () => {
    const tenantId = await openTenant();
    await tell(tenantId, "c1", "Ada Lovelace");
    await tell(tenantId, "c1", "", { changed: ["EMAIL"] });
    expect((await subjectOf(tenantId, customerSubject("c1")))!.party.names).toEqual(["Ada Lovelace"]);
  });
});

describe("lists that change", () => {
  test("a new entry finds customers, recipients and staff who were compared before, and touches nobody else", async () => {
    const tenantId = await openTenant();
    const [{ screeningPolicies, screeningPolicyVersions, lists, outbox }, other] = world.replicas as [
      (typeof world.replicas)[0],
      (typeof world.replicas)[0],
    ];
    const policy = { ...platformPolicy(shippedThreshold), version: 1, lists: ["EU", "CUSTOM"] as const };
    await world.replicas[0]!.store.transaction(
      async (session) => {
        await screeningPolicies.forTenant(tenantId).insert(policy, session);
        return true;
      },
      async () => undefined,
    );
    for (const one of world.replicas) one.screeningPolicyVersions.forget(tenantId);
    await check(tenantId, question());
    await tell(tenantId, "c1", "Ada Lovelace");
    await tell(tenantId, "ST1", "Grace Hopper", { isStaff: true });
    const before = await screeningPolicyVersions.current(tenantId);
    const published = readFileSync("deploy/partner/lists/custom.csv", "utf8");
    const content = `${published}${["Emeka Okafor", "Grace Hopper", "Somebody Else"].map((name, at) => `X${at},${name},,,,,,,,\n`).join("")}`;
    const list = await loadGiven(lists.store, operatorsLists, "CUSTOM", [{ part: "", content: Buffer.from(content) }]);
    expect(list).toMatchObject({ status: "ACTIVE", added: 3, changed: 0, removed: 0 });
    await lists.store.forOwner(operatorsLists).seen(list.listId, new Date("2100-01-01T00:00:00Z"));
    await Promise.all([lists.wake(), other.lists.wake()]);
    await world.replicas[0]!.store.transaction(
      async (session) => {
        const origin = { tenantId: operatorsLists, interactionId: "i-1", actor: "compliance" };
        await outbox.add(rescreenRow(origin, "list:CUSTOM", list.version), session);
        return true;
      },
      async () => undefined,
    );
    outbox.wake();
    await waitFor(async () => (await screeningsOf(tenantId)).length === 2, { timeoutMs: 60_000 });
    const found = await screeningsOf(tenantId, { trigger: "LIST_UPDATED" });
    expect(found.map(({ subject }) => subject.id).toSorted()).toEqual(["ST1", "c1/B-1"]);
    expect(await holdsOf(tenantId)).toEqual([{ recipientKey: "B-1", status: "OPEN" }]);
    const { basis } = world.replicas[0]!.engine.comparisonOf(tenantId, before);
    await waitFor(
      async () =>
        (await world.replicas[0]!.subjects.forTenant(tenantId).countDue(basis, undefined, 10)) === 0 || undefined,
      { timeoutMs: 30_000 },
    );
    expect((await check(tenantId, question())).decision).toBe(review);
  });

  test("questions of a moment, and people compared again, leave others their turn after four comparisons", async () => {
    const tenantId = await openTenant();
    // Questions about one customer are taken one after the other.
    const customers = Array.from({ length: 12 }, (_, at) => `c-${at}`);
    const most = async () => {
      const requested = customers.map((customerId) => question({ customerId }));
      return Math.max(...(await unitsOf("screening", () => Promise.all(requested.map((one) => check(tenantId, one))))));
    };
    let turn = await most();
    // Which questions are of one moment is chance: asked until as many as make a turn were.
    for (let again = 0; again < 30 && turn < 4; again += 1) turn = await most();
    expect(turn).toBe(4);
    world.at("2026-07-01T12:00:00Z");
    const origin = { tenantId, interactionId: "i-1", actor: "compliance" };
    const again = await unitsOf("rescreening", () => world.replicas[0]!.rescreen(origin, new AbortController().signal));
    // Twelve senders, each with a recipient of their own.
    expect(again).toEqual([4, 4, 4, 4, 4, 4]);
  });

  test("whoever was compared long ago is compared with everything again", async () => {
    const tenantId = await openTenant();
    await check(tenantId, question());
    world.at("2026-07-01T12:00:00Z");
    const [one] = world.replicas;
    await one!.rescreen({ tenantId, interactionId: "i-1", actor: "compliance" }, new AbortController().signal);
    const known = await subjectOf(tenantId, recipientSubject("c1", "B-1"));
    expect(known!.screenedAt.toISOString()).toBe("2026-07-01T12:00:00.000Z");
  });

  test("one who cannot be read keeps nobody else from being compared again", async () => {
    const tenantId = await openTenant();
    await check(tenantId, question());
    const rows = world.db.collection("screening_subjects");
    const damaged = { tenantId, kind: "CUSTOMER", id: "c1" };
    const sealed = (await rows.findOne(damaged))!["sealed"];
    await rows.updateOne(damaged, { $set: { sealed: "damaged" } });
    world.at("2026-07-01T12:00:00Z");
    const rescreen = () =>
      world.replicas[0]!.rescreen(
        { tenantId, interactionId: "i-1", actor: "compliance" },
        new AbortController().signal,
      );
    await rescreen();
    const [customer, recipient] = [customerSubject("c1"), recipientSubject("c1", "B-1")];
    expect((await subjectOf(tenantId, recipient))!.screenedAt.toISOString()).toBe("2026-07-01T12:00:00.000Z");
    await rows.updateOne(damaged, { $set: { sealed } });
    await rescreen();
    expect((await subjectOf(tenantId, customer))!.screenedAt.toISOString()).toBe("2026-07-01T12:00:00.000Z");
  });

  test("a screening that cannot be opened keeps nobody of its tenant from being compared again", async () => {
    const tenantId = await openTenant();
    await check(tenantId, paying(listed));
    const { screeningId } = (await screeningsOf(tenantId))[0]!;
    await check(tenantId, question());
    const damage = { $set: { sealed: "damaged" } };
    await world.db.collection("screenings").updateOne({ tenantId, screeningId }, damage);
    world.at("2026-07-01T12:00:00Z");
    const origin = { tenantId, interactionId: "i-1", actor: "compliance" };
    await world.replicas[0]!.rescreen(origin, new AbortController().signal);
    const known = await subjectOf(tenantId, recipientSubject("c1", "B-1"));
    expect(known!.screenedAt.toISOString()).toBe("2026-07-01T12:00:00.000Z");
  });

  test("too old, nobody is approved; once they are there again, what waited goes on by itself", async () => {
    const tenantId = await openTenant();
    const { store } = world.replicas[0]!.lists;
    const list = (await store.forOwner(operatorsLists).findActive("UN"))!;
    const refresh = () => Promise.all(world.replicas.map(({ lists }) => lists.snapshots.refresh()));
    const seen = async (at: string) => {
      await store.forOwner(operatorsLists).seen(list.listId, new Date(at));
      await refresh();
      await refresh();
    };
    await seen("2020-01-01T00:00:00Z");
    const requested = question();
    expect(await check(tenantId, requested)).toMatchObject({ decision: review, reasonCode: "SCREENING_UNAVAILABLE" });
    const word = { transactionId: requested.transactionId, approve: true, reason: "known" };
    expect((await refused(world.gateway.decideReview(word, on(tenantId, manager)))).code).toBe("STATE_CONFLICT");
    const action = { actionId: "a1", customerId: "c1", kind: "LOAN_APPLICATION", amount: usd(5_00n) };
    expect(await world.lending.checkCustomerAction(action, on(tenantId))).toMatchObject({
      decision: review,
      reasonCode: "",
    });
    const payment = { paymentId: "pu", amount: usd(5_00n), kind: MoveKind.MOVE_KIND_PAYMENT, atOnce: true };
    const paid = { ...payment, customerId: "c1", payeeCustomerId: "c2" };
    expect(await world.wallet.checkWalletPayment(paid, on(tenantId))).toMatchObject({
      approved: false,
      reasonCode: "",
    });
    // Whoever is found on the lists that are there is found.
    const other = paying(listed);
    expect((await check(tenantId, other)).decision).toBe(review);
    await seen("2100-01-01T00:00:00Z");
    expect((await decidedOf(tenantId, requested.transactionId)).decision).toBe(approved);
    await waitFor(async () => {
      const recorded = await world.store.forTenant(tenantId).findDecision(other.transactionId);
      return recorded?.decision === "REVIEW" && recorded.reasonCode === "";
    });
  });
});

test("a sandbox forces lists that are away, and its small lists have somebody to find", async () => {
  const tenantId = await openTenant({ asSandbox: true });
  expect((await world.replicas[0]!.lists.store.forOwner(operatorsSandboxLists).findActive("EU"))!.status).toBe(
    "ACTIVE",
  );
  const forced = { id: "o1", of: "COMPLIANCE_DECISION" as const, outcome: "SCREENING_UNAVAILABLE", times: 1 };
  await world.store.transaction(
    async (session) => {
      await world.store.forTenant(tenantId).insertForced(forced, session);
      return true;
    },
    async () => undefined,
  );
  const requested = question();
  expect(await check(tenantId, requested)).toMatchObject({ decision: review, reasonCode: "SCREENING_UNAVAILABLE" });
  await waitFor(
    () => world.told(tenantId).decided.some(({ transactionId }) => transactionId === requested.transactionId),
    {
      timeoutMs: 30_000,
    },
  );
  expect((await check(tenantId, paying(listed))).decision).toBe(review);
  expect((await check(tenantId, question())).decision).toBe(approved);
});

test("rules that ask for a person stay with the person", async () => {
  const rule = { name: "All", action: RuleAction.RULE_ACTION_REVIEW, visibility: Visibility.VISIBILITY_STAFF };
  const tenantId = await world.openTenant({ transactionRules: [rule] });
  const requested = question();
  expect((await check(tenantId, requested)).decision).toBe(review);
  const word = { transactionId: requested.transactionId, approve: true, reason: "known" };
  expect((await world.gateway.decideReview(word, on(tenantId, manager))).decision).toBe(approved);
});
