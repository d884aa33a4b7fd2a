import { randomUUID } from "node:crypto";
import { decideAsShown, startAskingService } from "../../../test/support/asking-service.js";
import { waitFor } from "../../../test/support/index.js";
import { password } from "../../../test/support/identity-drafts.js";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";
import { maxChangeText } from "../../platform/approvals/approval-changes.js";
import { approvalKinds } from "../../platform/approvals/approval-kinds.js";
import { plansOf } from "../../../test/support/read-plans.js";
import { WorkQueueServiceDefinition } from "../../../proto/gen/operations/v1/work_queues.js";

type Asking = Awaited<ReturnType<typeof startAskingService>>;

let identity: TestIdentity;
let remittance: Asking;
let compliance: Asking;

beforeAll(async () => {
  identity = await startTestIdentity({
    startNeighbours: async (world) => {
      remittance = await startAskingService("remittance", world);
      compliance = await startAskingService("compliance", world);
      return { REMITTANCE_ADDRESS: remittance.address, COMPLIANCE_ADDRESS: compliance.address };
    },
  });
});
afterAll(async () => {
  await identity.stop();
  for (const each of [remittance, compliance]) await each.stop();
});

const refused = (code: string) => expect.objectContaining({ code });

async function office(change: Parameters<typeof newTenant>[1] = {}) {
  const tenant = await newTenant(identity, change);
  await tenant.staff("MANAGER");
  const second = await tenant.staff("MANAGER", "second");
  const agent = await tenant.staff("AGENT");
  await tenant.staff("CASHIER");
  const amina = await tenant.customer("amina", { agentId: agent.userId });
  const kofi = await tenant.customer("kofi");
  const tokens = new Map<string, string>();
  for (const name of ["manager", "second", "agent", "cashier", "amina"]) {
    tokens.set(name, (await tenant.login(name)).accessToken);
  }
  const as = (name: string) => inTenant(tenant.tenantId, tokens.get(name)!);
  const ask = (who: string, more: object = {}) =>
    identity.rpc.remittance.askApproval(
      {
        idempotencyKey: randomUUID(),
        kind: "REFUND",
        subject: `transaction:${randomUUID()}`,
        summary: "Refund of 25.00 USD",
        amount: { amountMinor: 2_500n, currency: "USD" },
        reason: "sent twice",
        payloadJson: '{"transactionId":"tx-1"}',
        ...more,
      },
      as(who),
    );
  const resolve = (who: string, approvalId: string, approve = true) =>
    decideAsShown(identity.rpc.gateway, { approvalId, approve, reason: "checked" }, as(who));
  const outcomesOf = (approvalId: string) =>
    remittance.state.processed.filter(({ approval }) => approval!.approvalId === approvalId);
  return { ...tenant, second, amina, kofi, as, ask, resolve, outcomesOf };
}

test("an approval that is taken back by the service that asked is decided by nobody any more", async () => {
  const t = await office();
  const { compliance, gateway } = identity.rpc;
  const about = {
    kind: "SCREENING_CONFIRMATION",
    subject: "screening:s1",
    summary: "Confirm hit 1",
    reason: "the same",
  };
  const asking = { idempotencyKey: randomUUID(), payloadJson: "{}", ...about };
  const { approval } = await compliance.askApproval(asking, t.as("manager"));
  const { approvalId } = approval!;
  const reason = "withdrawn: it was decided by another way meanwhile";
  const others = await office();
  const withdraw = (tenantId = t.tenantId, id = approvalId) =>
    compliance.withdrawApproval({ approvalId: id, reason }, inTenant(tenantId));
  await expect(withdraw(others.tenantId)).rejects.toEqual(refused("NOT_FOUND"));
  const theirs = (await t.ask("manager")).approval!.approvalId;
  await expect(withdraw(t.tenantId, theirs)).rejects.toEqual(refused("FORBIDDEN"));

  const expected = { approvalId, status: "REFUSED", decidedBy: "compliance", decidedBecause: reason };
  expect((await withdraw()).approval).toMatchObject(expected);
  expect((await withdraw()).approval).toMatchObject(expected);
  await expect(t.resolve("second", approvalId)).rejects.toEqual(refused("STATE_CONFLICT"));
  const { approvals } = await gateway.listApprovals({ status: "PENDING" }, t.as("second"));
  expect(approvals.map((one) => one.approvalId)).toEqual([theirs]);

  const decided = (await compliance.askApproval({ ...asking, idempotencyKey: randomUUID() }, t.as("manager")))
    .approval!;
  await t.resolve("second", decided.approvalId);
  expect((await withdraw(t.tenantId, decided.approvalId)).approval).toMatchObject({ status: "APPROVED" });
});

test("remittance asks by itself about rates, and nobody else does", async () => {
  const t = await office();
  const about = { kind: "RATE_CHANGE", subject: "rate:USD-NGN", summary: "USD-NGN 1700", reason: "it jumps" };
  const asking = { idempotencyKey: randomUUID(), payloadJson: "{}", ...about };
  const alone = inTenant(t.tenantId);
  const { approvalId } = (await identity.rpc.remittance.askApproval(asking, alone)).approval!;
  expect((await identity.rpc.remittance.askApproval(asking, alone)).approval!.approvalId).toBe(approvalId);
  await expect(identity.rpc.remittance.askApproval({ ...asking, kind: "REFUND" }, alone)).rejects.toEqual(
    refused("UNAUTHENTICATED"),
  );
  await expect(identity.rpc.compliance.askApproval(asking, alone)).rejects.toEqual(refused("UNAUTHENTICATED"));
  await expect(t.ask("manager", { kind: "RATE_CHANGE" })).rejects.toEqual(refused("FORBIDDEN"));
  const decided = await t.resolve("second", approvalId);
  expect(decided.approval).toMatchObject({ status: "APPROVED", askedBy: "remittance", decidedBy: t.second.userId });
  await waitFor(() => t.outcomesOf(approvalId).length > 0);
});

test("what changes is kept as it was first asked; a repeat after it has changed, or with less time left, is the same question", async () => {
  const t = await office();
  const paragraph = { field: "texts.en.cancel", before: "", after: "x".repeat(maxChangeText), currency: "" };
  const changes = [{ field: "perDay", before: "100.00", after: "250.00", currency: "USD" }, paragraph];
  const requested = { idempotencyKey: randomUUID(), kind: "LIMIT_CHANGE", changes };
  const { approvalId } = (await t.ask("manager", requested)).approval!;
  const later = [{ ...changes[0], before: "120.00" }];
  const subject = (await identity.rpc.gateway.getApproval({ approvalId }, t.as("second"))).approval!.subject;
  expect(
    (await t.ask("manager", { ...requested, subject, changes: later, expiresInS: 3_599 })).approval!.approvalId,
  ).toBe(approvalId);
  const { approvals } = await identity.rpc.gateway.listApprovals({ subject }, t.as("second"));
  expect(approvals).toMatchObject([{ approvalId, changes, moreChanges: 0 }]);
});

describe("asking", () => {
  test("is the MANAGER's, the CASHIER's for refunds and repayments, the AGENT's for customers they manage", async () => {
    const t = await office();
    const may = (who: string, more: object) =>
      t.ask(who, more).then(
        ({ approval }) => approval!.status,
        ({ code }: { code: string }) => code,
      );
    for (const kind of ["REFUND", "WRITE_OFF", "LIMIT_CHANGE"]) expect(await may("manager", { kind })).toBe("PENDING");
    expect(await may("cashier", { kind: "REFUND" })).toBe("PENDING");
    expect(await may("cashier", { kind: "REPAYMENT_VERIFICATION" })).toBe("PENDING");
    expect(await may("cashier", { kind: "WRITE_OFF" })).toBe("FORBIDDEN");
    expect(await may("agent", { customerId: t.amina.customerId })).toBe("PENDING");
    expect(await may("agent", { customerId: t.kofi.customerId })).toBe("FORBIDDEN");
    expect(await may("agent", {})).toBe("FORBIDDEN");
    expect(await may("agent", { kind: "CORRIDOR_CHANGE" })).toBe("PENDING");
    expect(await may("cashier", { kind: "CORRIDOR_CHANGE" })).toBe("FORBIDDEN");
    expect(await may("amina", { customerId: t.amina.customerId })).toBe("FORBIDDEN");
  });

  test("once per key is one approval", async () => {
    const t = await office();
    const request = { idempotencyKey: randomUUID(), subject: "transaction:1" };
    const first = await t.ask("cashier", request);
    await expect(t.ask("cashier", request)).resolves.toEqual(first);
    await expect(t.ask("cashier", { ...request, reason: "other" })).rejects.toEqual(refused("IDEMPOTENCY_KEY_REUSED"));
  });

  test.each([
    ["kind", { kind: "THEFT" }],
    ["changes", { changes: Array.from({ length: 101 }, () => ({ field: "perDay", before: "", after: "1.00" })) }],
    ["changes.0", { changes: [{ field: "", before: "", after: "1.00" }] }],
    ["changes.0", { changes: [{ field: "texts.en.cancel", before: "", after: "x".repeat(maxChangeText + 1) }] }],
    ["moreChanges", { moreChanges: -1 }],
    ["subject", { subject: "" }],
    ["summary", { summary: "two\nlines" }],
    ["reason", { reason: "" }],
    ["reason", { reason: "a\u0007b" }],
    ["idempotencyKey", { idempotencyKey: "" }],
    ["payloadJson", { payloadJson: "x".repeat(8_193) }],
    ["expiresInS", { expiresInS: 59 }],
    ["amount.currency", { amount: { amountMinor: 1n, currency: "ZZZ" } }],
  ])("refuses a faulty %s", async (path, change) => {
    const t = await office();
    await expect(t.ask("manager", change)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { errors: [{ path: expect.stringContaining(path.split(".")[0]!) }] },
    });
  });
});

describe("deciding", () => {
  test("is not for whom it is about, to whom it is not there", async () => {
    const t = await office();
    const { approval } = await t.ask("manager", { concernedUserId: t.second.userId });
    const { approvalId } = approval!;
    const get = (who: string) => identity.rpc.gateway.getApproval({ approvalId }, t.as(who));
    await expect(get("second")).rejects.toEqual(refused("NOT_FOUND"));
    await expect(t.resolve("second", approvalId)).rejects.toEqual(refused("NOT_FOUND"));
    const listed = await identity.rpc.gateway.listApprovals({}, t.as("second"));
    expect(listed.approvals.map((one) => one.approvalId)).not.toContain(approvalId);
    await expect(get("manager")).resolves.toMatchObject({ approval: { approvalId, status: "PENDING" } });
  });

  test("is another MANAGER's; the service that asked hears of it once, with its own payload", async () => {
    const t = await office();
    const { approvalId } = (await t.ask("cashier")).approval!;
    for (const who of ["cashier", "agent", "amina"]) {
      await expect(t.resolve(who, approvalId)).rejects.toEqual(refused("FORBIDDEN"));
    }
    const { approval } = await t.resolve("manager", approvalId);
    expect(approval).toMatchObject({ status: "APPROVED", askedBecause: "sent twice", decidedBecause: "checked" });
    await waitFor(() => t.outcomesOf(approvalId).length > 0);
    await expect(t.resolve("manager", approvalId)).resolves.toEqual({ approval });
    await expect(t.resolve("second", approvalId, false)).rejects.toEqual(refused("STATE_CONFLICT"));
    await expect(t.resolve("manager", approvalId, false)).rejects.toEqual(refused("STATE_CONFLICT"));
    expect(t.outcomesOf(approvalId)).toMatchObject([
      { approval: { status: "APPROVED", service: "remittance" }, payloadJson: '{"transactionId":"tx-1"}' },
    ]);
  });

  test("about what one asked for oneself is refused, either way", async () => {
    const t = await office();
    const { approvalId } = (await t.ask("manager")).approval!;
    await expect(t.resolve("manager", approvalId)).rejects.toEqual(refused("FORBIDDEN"));
    await expect(t.resolve("manager", approvalId, false)).rejects.toEqual(refused("FORBIDDEN"));
    await expect(t.resolve("second", approvalId, false)).resolves.toMatchObject({ approval: { status: "REFUSED" } });
    await waitFor(() => t.outcomesOf(approvalId)[0]?.approval!.status === "REFUSED");
  });

  test("at the same moment comes to one decision", async () => {
    const t = await office();
    const { approvalId } = (await t.ask("cashier")).approval!;
    const outcomes = await Promise.allSettled([
      t.resolve("manager", approvalId, true),
      t.resolve("second", approvalId, false),
    ]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await waitFor(() => t.outcomesOf(approvalId).length === 1);
  });

  test("of one person who tries again before the first answer is there is theirs each time, and counts once", async () => {
    const t = await office();
    const { approval } = await t.ask("manager");
    const answers = await Promise.all(Array.from({ length: 8 }, () => t.resolve("second", approval!.approvalId)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    await waitFor(() => t.outcomesOf(approval!.approvalId).length > 0);
    expect(t.outcomesOf(approval!.approvalId)).toHaveLength(1);
    await expect(t.resolve("second", approval!.approvalId, false)).rejects.toEqual(refused("STATE_CONFLICT"));
  });

  test("reaches a service that was away for a while", async () => {
    const t = await office();
    const { approvalId } = (await t.ask("cashier")).approval!;
    remittance.state.failures = 2;
    await t.resolve("manager", approvalId);
    identity.passMs(10_000);
    await waitFor(() => (identity.passMs(500), t.outcomesOf(approvalId).length === 1), { timeoutMs: 15_000 });
  });

  test.each(approvalKinds.filter((kind) => kind !== "FACTOR_RESET"))(
    "of %s is of what was shown: with an older digest it is refused, and nothing is decided",
    async (kind) => {
      const t = await office();
      const call = kind === "RATE_CHANGE" ? inTenant(t.tenantId) : t.as("manager");
      const about = { kind, subject: `thing:${randomUUID()}`, summary: "A change", reason: "as agreed" };
      const asking = { idempotencyKey: randomUUID(), payloadJson: "{}", ...about };
      const { approvalId } = (await identity.rpc.remittance.askApproval(asking, call)).approval!;
      const read = async () =>
        (await identity.rpc.gateway.getApproval({ approvalId, withEffects: true }, t.as("second"))).approval!;
      const approve = (digest: string) =>
        identity.rpc.gateway.resolveApproval({ approvalId, approve: true, reason: "seen", digest }, t.as("second"));
      const { digest } = await read();
      remittance.state.effects.set(approvalId, [{ kind: "MONEY_PAID_OUT", subject: "transaction:tx-2" }]);
      await expect(approve(digest)).rejects.toMatchObject({
        code: "APPROVAL_CHANGED",
        details: { errors: [{ path: "effects.0", message: "MONEY_PAID_OUT transaction:tx-2" }] },
      });
      const now = await read();
      expect(now.status).toBe("PENDING");
      await expect(approve(now.digest)).resolves.toMatchObject({ approval: { status: "APPROVED" } });
    },
  );

  test("to approve waits for the service that carries it out: while that is away nothing is decided, and refusing goes on", async () => {
    const t = await office();
    const { approvalId } = (await t.ask("cashier")).approval!;
    const get = async () =>
      (await identity.rpc.gateway.getApproval({ approvalId, withEffects: true }, t.as("manager"))).approval!;
    const { digest, effects } = await get();
    expect(effects).toMatchObject([{ kind: "MONEY_REFUNDED", subject: "transaction:tx-1" }]);
    remittance.state.isAway = true;
    expect(await get()).toMatchObject({ effects: [], digest: "", status: "PENDING" });
    const decide = (approve: boolean) =>
      identity.rpc.gateway.resolveApproval({ approvalId, approve, reason: "seen", digest }, t.as("manager"));
    await expect(decide(true)).rejects.toEqual(refused("UNAVAILABLE"));
    expect(await get()).toMatchObject({ status: "PENDING" });
    await expect(decide(false)).resolves.toMatchObject({ approval: { status: "REFUSED" } });
    remittance.state.isAway = false;
  });

  test("keeps what a neighbour of its service did beyond what was approved, each once, for the service that asked alone", async () => {
    const t = await office();
    const { gateway, compliance: asking } = identity.rpc;
    const kind = "SCREENING_CONFIRMATION";
    const about = { kind, subject: "screening:s2", summary: "Confirm hit 1", reason: "the same", payloadJson: "{}" };
    const requested = await asking.askApproval({ idempotencyKey: randomUUID(), ...about }, t.as("manager"));
    const { approvalId } = requested.approval!;
    const [shown, later] = ["tx-1", "tx-2"].map((id) => ({
      kind: "TRANSACTION_BLOCKED",
      subject: `transaction:${id}`,
    }));
    compliance.state.effects.set(approvalId, [shown!]);
    await t.resolve("second", approvalId);
    const call = inTenant(t.tenantId);
    await asking.noteApprovalEffects({ approvalId, effects: [shown!, later!] }, call);
    await asking.noteApprovalEffects({ approvalId, effects: [later!] }, call);
    const read = await gateway.getApproval({ approvalId, withEffects: true }, t.as("second"));
    expect(read.approval!.effects).toMatchObject([shown!]);
    expect(read.approval!.joined).toMatchObject([later!]);
    const theirs = (await t.ask("manager")).approval!.approvalId;
    const notTheirs = asking.noteApprovalEffects({ approvalId: theirs, effects: [later!] }, call);
    await expect(notTheirs).rejects.toEqual(refused("FORBIDDEN"));
  });

  test("knows each effect beyond the first thousand again: of those that join later the first thousand are listed, and all are counted", async () => {
    const t = await office();
    const { gateway, compliance: asking } = identity.rpc;
    const about = { kind: "SCREENING_CONFIRMATION", subject: "screening:s3", summary: "Confirm hit 1" };
    const request = { idempotencyKey: randomUUID(), ...about, reason: "the same", payloadJson: "{}" };
    const { approvalId } = (await asking.askApproval(request, t.as("manager"))).approval!;
    const blocked = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        kind: "TRANSACTION_BLOCKED",
        subject: `transaction:${name}-${String(index).padStart(5, "0")}`,
        amount: { amountMinor: BigInt(index + 1), currency: "USD" },
      }));
    const approved = blocked("m", 1_500);
    compliance.state.effects.set(approvalId, approved);
    await t.resolve("second", approvalId);
    const read = async () => (await gateway.getApproval({ approvalId, withEffects: true }, t.as("second"))).approval!;
    const note = (effects: typeof approved) =>
      asking.noteApprovalEffects({ approvalId, effects }, inTenant(t.tenantId));
    await note(approved.slice(0, 1_000));
    await note(approved.slice(1_000));
    expect(await read()).toMatchObject({ effectCount: 1_500, joined: [], joinedCount: 0 });
    // Another amount of what was approved beyond the thousand; in no order, and each twice.
    const dearer = { ...approved[1_499]!, amount: { amountMinor: 9_999n, currency: "USD" } };
    await note([dearer]);
    expect(await read()).toMatchObject({ joined: [dearer], joinedCount: 1 });
    const more = [...blocked("a", 800), ...blocked("z", 700)];
    for (const part of [more.slice(500), more.slice(0, 1_000), more.slice(500), approved.slice(600)]) await note(part);
    const after = await read();
    expect([after.effects.length, after.joined.length, after.joinedCount]).toEqual([1_000, 1_000, 1_501]);
  });

  test("of another tenant's, or an unknown one, is NOT_FOUND", async () => {
    const t = await office();
    const other = await office();
    const { approvalId } = (await t.ask("cashier")).approval!;
    await expect(other.resolve("manager", approvalId)).rejects.toEqual(refused("NOT_FOUND"));
    const read = identity.rpc.remittance.getApproval({ approvalId }, other.as("manager"));
    await expect(read).rejects.toEqual(refused("NOT_FOUND"));
  });
});

test("an approval that nobody decides expires, and who asked hears of that", async () => {
  const t = await office();
  const { approvalId } = (await t.ask("cashier", { expiresInS: 60 })).approval!;
  identity.passMs(60_000);
  await expect(t.resolve("manager", approvalId)).rejects.toEqual(refused("STATE_CONFLICT"));
  await waitFor(() => t.outcomesOf(approvalId)[0]?.approval!.status === "EXPIRED", { timeoutMs: 10_000 });
});

describe("where the tenant lets one be enough", () => {
  const limits = { singlePersonLimits: [{ kind: "REFUND", below: { amountMinor: 5_000n, currency: "USD" } }] };

  test("it is so below the amount, in its currency and for its kind only", async () => {
    const t = await office(limits);
    const statusOf = async (more: object) => (await t.ask("manager", more)).approval!.status;
    const usd = (amountMinor: bigint) => ({ amount: { amountMinor, currency: "USD" } });
    expect(await statusOf(usd(4_999n))).toBe("APPROVED");
    expect(await statusOf(usd(5_000n))).toBe("PENDING");
    expect(await statusOf({ amount: { amountMinor: 1n, currency: "NGN" } })).toBe("PENDING");
    expect(await statusOf({ ...usd(1n), kind: "WRITE_OFF" })).toBe("PENDING");
    expect(await statusOf({ amount: undefined })).toBe("PENDING");
  });

  test("the service hears of it all the same", async () => {
    const t = await office(limits);
    const { approvalId } = (await t.ask("cashier")).approval!;
    await waitFor(() => t.outcomesOf(approvalId)[0]?.approval!.status === "APPROVED");
  });
});

test("a MANAGER lists them by status, the newest first, by pages", async () => {
  const t = await office();
  const ids: string[] = [];
  for (let each = 0; each < 3; each++) ids.unshift((await t.ask("cashier")).approval!.approvalId);
  await t.resolve("manager", ids[0]!);
  const list = (request: object, who = "manager") => identity.rpc.gateway.listApprovals(request, t.as(who));
  const page = await list({ pageSize: 2 });
  const rest = await list({ pageSize: 2, pageToken: page.nextPageToken });
  expect([...page.approvals, ...rest.approvals].map(({ approvalId }) => approvalId)).toEqual(ids);
  expect((await list({ status: "PENDING" })).approvals.map(({ approvalId }) => approvalId)).toEqual(ids.slice(1));
  await expect(list({ status: "LOST" })).rejects.toEqual(refused("INVALID_INPUT"));
  for (const who of ["cashier", "agent", "amina"]) await expect(list({}, who)).rejects.toEqual(refused("FORBIDDEN"));
});

test("a MANAGER lists them by kind, subject and who asked, reads one, and is told how many wait for whom", async () => {
  const [t, other] = [await office(), await office()];
  const { gateway } = identity.rpc;
  const subject = `transaction:${randomUUID()}`;
  const idOf = ({ approval }: Awaited<ReturnType<typeof t.ask>>) => approval!.approvalId;
  const refund = idOf(await t.ask("cashier", { subject }));
  const writeOff = idOf(await t.ask("manager", { kind: "WRITE_OFF" }));
  const own = idOf(await t.ask("second", { kind: "REFUND" }));
  await other.ask("cashier", { subject });
  const list = async (request: object, who = "second") =>
    (await gateway.listApprovals(request, t.as(who))).approvals.map(({ approvalId }) => approvalId);
  expect(await list({ kind: "REFUND" })).toEqual([own, refund]);
  expect(await list({ kind: "REFUND", askedBy: t.second.userId })).toEqual([own]);
  expect(await list({ subject })).toEqual([refund]);
  expect(await list({ subject, status: "APPROVED" })).toEqual([]);
  expect(await list({ askedBy: t.second.userId, pageSize: 1 })).toEqual([own]);
  await expect(list({ kind: "HOLIDAY" })).rejects.toEqual(refused("INVALID_INPUT"));

  const read = (approvalId: string, as: Parameters<typeof gateway.getApproval>[1]) =>
    gateway.getApproval({ approvalId }, as);
  expect((await read(writeOff, t.as("second"))).approval).toMatchObject({ approvalId: writeOff, kind: "WRITE_OFF" });
  await expect(read(writeOff, other.as("second"))).rejects.toEqual(refused("NOT_FOUND"));
  await expect(read(writeOff, t.as("cashier"))).rejects.toEqual(refused("FORBIDDEN"));

  const work = identity.operatorOf(WorkQueueServiceDefinition, "gateway");
  const counts = async (who: string) => {
    const { queues } = await work.countWork({}, t.as(who));
    return Object.fromEntries(queues.map(({ queue, count }) => [queue, count]));
  };
  const all = { APPROVALS_PENDING: 3, IDENTITY_ROWS_PARKED: 0 };
  expect(await counts("second")).toEqual({ ...all, APPROVALS_TO_DECIDE: 2, REFUNDS_TO_DECIDE: 1 });
  expect(await counts("manager")).toEqual({ ...all, APPROVALS_TO_DECIDE: 2, REFUNDS_TO_DECIDE: 2 });
  await t.resolve("second", refund);
  expect(await counts("manager")).toMatchObject({ APPROVALS_PENDING: 2, APPROVALS_TO_DECIDE: 1 });
  for (const who of ["cashier", "agent", "amina"]) await expect(counts(who)).rejects.toEqual(refused("FORBIDDEN"));
  await expect(work.countWork({}, inTenant(t.tenantId))).rejects.toEqual(refused("UNAUTHENTICATED"));
  work.close();
});

test("what is asked for goes along an index, in its order", async () => {
  const t = await office();
  const { approvalId } = (await t.ask("cashier")).approval!;
  const [one] = await identity.db.collection("approvals").find({ tenantId: t.tenantId }).toArray();
  const more = Array.from({ length: 200 }, (_, index) => ({ ...one!, _id: `${approvalId}-${index}` as never }));
  const decided = { status: "EXPIRED", kind: "REVERSAL", subject: "s", askedBy: "nobody" };
  await identity.db.collection("approvals").insertMany(more.map((row) => ({ ...row, ...decided })));
  const { subject, kind, askedBy } = one!;
  const database = { uri: identity.config.MONGODB_URI, database: identity.config.MONGODB_DATABASE };
  for (const filter of [{ status: "PENDING" }, { kind }, { subject }, { askedBy }, { kind, status: "PENDING" }]) {
    const list = () => identity.rpc.gateway.listApprovals(filter, t.as("manager"));
    const plans = (await plansOf(database, list, t.tenantId)).filter(({ collection }) => collection === "approvals");
    expect([filter, plans.length]).toEqual([filter, 1]);
    expect(plans[0]).toMatchObject({ plan: expect.stringMatching(/^IXSCAN/), isSorted: false });
    expect(plans[0]!.examined).toBeLessThan(10);
  }
});

test("an API token decides nothing that is found of somebody, and sees it only where it may read compliance", async () => {
  const t = await office();
  const kind = "SCREENING_CONFIRMATION";
  const { approvalId } = (await t.ask("manager", { kind, amount: undefined })).approval!;
  const tokenOf = async (...scopes: string[]) => {
    const requested = { idempotencyKey: randomUUID(), name: "Tool", lifetime: "API_TOKEN_LIFETIME_MONTH" as const };
    const { token } = await identity.rpc.gateway.createApiToken({ ...requested, scopes, password }, t.as("second"));
    const { accessToken } = await identity.rpc.gateway.exchangeApiToken({ token }, inTenant(t.tenantId));
    return inTenant(t.tenantId, accessToken);
  };
  const [blind, seeing] = [await tokenOf("approvals:decide"), await tokenOf("approvals:decide", "compliance:read")];
  const { rpc } = identity;
  const listed = async (call: typeof blind) =>
    (await rpc.gateway.listApprovals({}, call)).approvals.map((one) => one.kind);
  expect(await listed(t.as("second"))).toEqual([kind]);
  expect(await listed(seeing)).toEqual([kind]);
  expect(await listed(blind)).toEqual([]);
  const decide = (call: typeof blind) => rpc.gateway.resolveApproval({ approvalId, approve: true, reason: "ok" }, call);
  await expect(decide(blind)).rejects.toEqual(refused("NOT_FOUND"));
  await expect(decide(seeing)).rejects.toEqual(refused("FORBIDDEN"));
  // One's own four eyes.
  await expect(t.resolve("manager", approvalId)).rejects.toEqual(refused("FORBIDDEN"));
  await expect(t.resolve("second", approvalId)).resolves.toMatchObject({ approval: { status: "APPROVED" } });
});
