import { randomUUID } from "node:crypto";
import { createLedgerFixture, tenantCalls, transfer } from "../../../test/support/ledger-fixture.js";
import type { LedgerReplica } from "../../../test/support/ledger-fixture.js";
import { insist } from "../../../test/support/insist.js";
import { testTenant, waitFor } from "../../../test/support/index.js";
import type { Role } from "../../kernel/grpc/context.js";
import { createVerificationStore } from "../store/verifications.js";

let fixture: Awaited<ReturnType<typeof createLedgerFixture>>;
let ledger: LedgerReplica;
let gateway: ReturnType<LedgerReplica["as"]>;
const bank = "bank_settlement:USD";

beforeAll(async () => {
  fixture = await createLedgerFixture("ledger_verif");
  ledger = await fixture.start({ VERIFY_SWEEP_MS: "100" });
  gateway = ledger.as("gateway");
});
afterAll(() => fixture.close());

/** A tenant with three transfers, and its manager's calls. */
async function managed() {
  const tenant = tenantCalls();
  await tenant.open(ledger, ["w1", "w2"]);
  for (const key of ["k1", "k2", "k3"]) await tenant.post(ledger, transfer(key, bank, "w1", 10n));
  const as = (role: Role = "MANAGER", userId = "manager-1") =>
    tenant.call({ user: { tenantId: tenant.tenantId, role, userId } });
  const begin = (idempotencyKey: string = randomUUID(), call = as()) =>
    gateway.beginVerification({ idempotencyKey }, call);
  const ended = async (verificationId: string) => {
    const get = async () => (await gateway.getVerification({ verificationId }, as())).verification!;
    await waitFor(async () => (await get()).status !== "VERIFICATION_STATUS_RUNNING");
    return get();
  };
  return { ...tenant, as, begin, ended };
}

const refusal = (code: string) => expect.objectContaining({ code });

describe("BeginVerification", () => {
  test("has the whole journal checked, and says by whom and up to which head", async () => {
    const { begin, ended, tenantId } = await managed();
    const { verification } = await begin();
    expect(verification).toMatchObject({ status: "VERIFICATION_STATUS_RUNNING", startedBy: "manager-1", faults: [] });
    const end = await ended(verification!.verificationId);
    const call = tenantCalls(tenantId).call();
    const { sequence, hash } = await ledger.as("operator").getJournalHead({}, call);
    expect(end).toMatchObject({
      status: "VERIFICATION_STATUS_PASSED",
      checkedSequence: 3n,
      lastSequence: sequence,
      headHash: hash,
    });
    expect(end.endedAt!.getTime()).toBeGreaterThanOrEqual(end.startedAt!.getTime());
  });

  test("names what does not fit", async () => {
    const { begin, ended, tenantId } = await managed();
    const stored = fixture.database.db.collection<{ _id: string; tenantId: string }>("transfers");
    await stored.updateOne({ _id: `${tenantId}:k2`, tenantId }, { $set: { amountMinor: 11n } });
    const { verification } = await begin();
    const fault = { sequence: 2n, transferKey: "k2", accountId: "", difference: "its content does not fit its hash" };
    expect(await ended(verification!.verificationId)).toMatchObject({
      status: "VERIFICATION_STATUS_FAILED",
      checkedSequence: 1n,
      faults: [fault],
    });
  });

  test("once per key, also at once and after its end", async () => {
    const { begin, ended } = await managed();
    const key = randomUUID();
    const [one, two] = await Promise.all([insist(() => begin(key)), insist(() => begin(key))]);
    const { verificationId } = one.verification!;
    expect(two.verification!.verificationId).toBe(verificationId);
    await ended(verificationId);
    expect((await begin(key)).verification!.verificationId).toBe(verificationId);
    expect((await begin()).verification!.verificationId).not.toBe(verificationId);
  });

  test("one of a tenant at a time: a second is refused, and its key is free for later", async () => {
    const { begin, tenantId, as } = await managed();
    const other = await managed();
    const store = createVerificationStore(fixture.database.db);
    const first = await store.forTenant(tenantId).begin("somebody", new Date());
    // As if another replica worked on it for an hour.
    const stored = fixture.database.db.collection<{ tenantId: string }>("verifications");
    const away = { leaseToken: "theirs", leasedUntil: new Date(Date.now() + 3_600_000) };
    await stored.updateOne({ tenantId }, { $set: away });
    const key = randomUUID();
    await expect(begin(key)).rejects.toEqual(refusal("STATE_CONFLICT"));
    await expect(begin()).rejects.toEqual(refusal("STATE_CONFLICT"));
    expect((await other.begin()).verification).toBeDefined();
    await stored.updateOne({ tenantId }, { $set: { status: "PASSED" } });
    const next = await begin(key);
    expect(next.verification!.verificationId).not.toBe(first.verificationId);
    const { verifications } = await gateway.listVerifications({}, as());
    expect(verifications.map(({ verificationId }) => verificationId)).toEqual([
      next.verification!.verificationId,
      first.verificationId,
    ]);
  });

  test("two at once with keys of their own: one begins", async () => {
    const { begin, tenantId } = await managed();
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => begin()));
    const refused = answers.filter(({ status }) => status === "rejected");
    const begun = await fixture.database.db
      .collection<{ tenantId: string }>("verifications")
      .countDocuments({ tenantId });
    expect(begun + refused.length).toBe(5);
    expect(begun).toBeGreaterThan(0);
    for (const one of refused) expect(one).toMatchObject({ reason: refusal("STATE_CONFLICT") });
  });
});

test("a verification of another tenant, or none, is NOT_FOUND", async () => {
  const { begin } = await managed();
  const other = await managed();
  const { verificationId } = (await begin()).verification!;
  const requested = [verificationId, "nothing"].map((id) =>
    gateway.getVerification({ verificationId: id }, other.as()),
  );
  for (const one of await Promise.allSettled(requested)) expect(one).toMatchObject({ reason: refusal("NOT_FOUND") });
  expect((await gateway.listVerifications({}, other.as())).verifications).toEqual([]);
});

test("verifications are listed page by page, and a cursor is its own list's", async () => {
  const { begin, ended, as } = await managed();
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    const { verificationId } = (await begin()).verification!;
    await ended(verificationId);
    ids.unshift(verificationId);
  }
  const first = await gateway.listVerifications({ pageSize: 2 }, as());
  const second = await gateway.listVerifications({ pageSize: 2, cursor: first.nextCursor }, as());
  const listed = [...first.verifications, ...second.verifications].map(({ verificationId }) => verificationId);
  expect([listed, second.nextCursor]).toEqual([ids, ""]);
  const other = await managed();
  const foreign = gateway.listVerifications({ cursor: first.nextCursor }, other.as());
  await expect(foreign).rejects.toEqual(refusal("INVALID_INPUT"));
});

describe("who may", () => {
  const asks: Record<
    string,
    (client: typeof gateway, call: Parameters<typeof gateway.getChart>[1]) => Promise<unknown>
  > = {
    beginVerification: (client, call) => client.beginVerification({ idempotencyKey: randomUUID() }, call),
    getVerification: (client, call) => client.getVerification({ verificationId: "v" }, call),
    listVerifications: (client, call) => client.listVerifications({}, call),
    listJournalTransfers: (client, call) => client.listJournalTransfers({}, call),
    getAccount: (client, call) => client.getAccount({ accountId: "w1" }, call),
    listAccounts: (client, call) => client.listAccounts({}, call),
    getChart: (client, call) => client.getChart({}, call),
    getBalance: (client, call) => client.getBalance({ accountId: "w1" }, call),
    listAccountEntries: (client, call) => client.listAccountEntries({ accountId: "w1" }, call),
    getTransfer: (client, call) => client.getTransfer({ key: "k1" }, call),
    getTrialBalance: (client, call) => client.getTrialBalance({}, call),
  };
  const forManagersAlone = ["beginVerification", "getVerification", "listVerifications", "listJournalTransfers"];

  test.each(Object.entries(asks))("%s: through the gateway a manager, and nobody else", async (rpc, ask) => {
    const { as, call } = await managed();
    const asManager = await ask(gateway, as()).then(
      () => "answered",
      (error: { code: string }) => error.code,
    );
    expect(asManager).toBe(rpc === "getVerification" ? "NOT_FOUND" : "answered");
    for (const role of ["AGENT", "CASHIER", "CUSTOMER"] as const) {
      await expect(ask(gateway, as(role))).rejects.toEqual(refusal("FORBIDDEN"));
    }
    await expect(ask(gateway, call())).rejects.toEqual(refusal("UNAUTHENTICATED"));
    const elsewhere = tenantCalls(testTenant()).call({
      user: { tenantId: "another", role: "MANAGER", userId: "manager-1" },
    });
    await expect(ask(gateway, elsewhere)).rejects.toEqual(refusal("UNAUTHENTICATED"));
  });

  test.each(Object.entries(asks))("%s: a service, whoever's token it carries along", async (rpc, ask) => {
    const { as } = await managed();
    const answer = ask(ledger.wallet, as("CUSTOMER"));
    if (forManagersAlone.includes(rpc)) await expect(answer).rejects.toEqual(refusal("CALLER_NOT_ALLOWED"));
    else await expect(answer).resolves.toBeDefined();
  });
});
