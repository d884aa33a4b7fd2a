import { randomUUID } from "node:crypto";
import { inTenant, newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";
import { decideAsShown, startAskingService } from "../../../test/support/asking-service.js";
import { tracesIn } from "../../../test/support/erasure.js";
import { waitFor } from "../../../test/support/index.js";

jest.setTimeout(120_000);

let identity: TestIdentity;
let compliance: Awaited<ReturnType<typeof startAskingService>>;
beforeAll(async () => {
  identity = await startTestIdentity({
    startNeighbours: async (world) => {
      compliance = await startAskingService("compliance", world);
      return { COMPLIANCE_ADDRESS: compliance.address };
    },
  });
});
afterAll(async () => {
  await identity.stop();
  await compliance.stop();
});

/** Words that nothing else has by chance. */
const words = ["Quillonmarra", "Plimsorrow", "Tessaquent"] as const;
const [subject, asks, decides] = words;

async function office(recordRetentionYears = 1) {
  const tenant = await newTenant(identity, { recordRetentionYears });
  await tenant.staff("MANAGER");
  await tenant.staff("MANAGER", "second");
  const amina = await tenant.customer("amina");
  const tokens = new Map<string, string>();
  const loginAgain = async () => {
    for (const name of ["manager", "second"]) tokens.set(name, (await tenant.login(name)).accessToken);
  };
  await loginAgain();
  const as = (name: string) => inTenant(tenant.tenantId, tokens.get(name)!);
  const asking = () => ({
    idempotencyKey: randomUUID(),
    kind: "SCREENING_CONFIRMATION",
    subject: "screening:s1",
    summary: `Confirm hit 1 of ${subject}`,
    reason: `is the same as ${asks}`,
    payloadJson: "{}",
    customerId: amina.customerId,
    changes: [{ field: "name", before: "", after: asks, currency: "" }],
    moreChanges: 3,
  });
  const ask = async (requested = asking()) =>
    (await identity.rpc.compliance.askApproval(requested, as("manager"))).approval!.approvalId;
  const resolve = async (approvalId: string) => {
    const answer = { approvalId, approve: true, reason: `${decides} was seen` };
    return (await decideAsShown(identity.rpc.gateway, answer, as("second"))).approval!;
  };
  const read = async (approvalId: string) =>
    (await identity.rpc.gateway.getApproval({ approvalId }, as("second"))).approval!;
  /** Erases who it is about; what identity itself has done since. */
  const erase = async () => {
    const { customerId } = amina;
    const call = inTenant(tenant.tenantId);
    await identity.rpc.operator.eraseCustomer({ customerId, reason: "asked for it" }, call);
    return async () => {
      const { erasure } = await identity.rpc.operator.getErasure({ customerId }, call);
      return erasure!.services.find(({ service }) => service === "identity")!;
    };
  };
  return { ...tenant, amina, as, asking, ask, resolve, read, erase, loginAgain };
}

const open = {
  summary: `Confirm hit 1 of ${subject}`,
  askedBecause: `is the same as ${asks}`,
  changes: [{ field: "name", before: "", after: asks, currency: "" }],
  moreChanges: 3,
  decidedBecause: `${decides} was seen`,
};
const gone = { summary: "erased", askedBecause: "erased", decidedBecause: "erased", changes: [], moreChanges: 0 };

test("what is written in an approval lies sealed in every collection; who may read the approval reads it", async () => {
  const t = await office();
  const requested = t.asking();
  const approvalId = await t.ask(requested);
  // The kept answer too says nothing of it.
  expect(await t.ask(requested)).toBe(approvalId);
  expect(await t.resolve(approvalId)).toMatchObject(open);
  expect(await t.read(approvalId)).toMatchObject({ ...open, status: "APPROVED" });
  const { approvals } = await identity.rpc.gateway.listApprovals({}, t.as("second"));
  expect(approvals).toMatchObject([{ approvalId, ...open }]);
  expect(await tracesIn(identity.db.databaseName, t.tenantId, [asks, decides])).toEqual([]);
  // The summary is the asking service's, and is told with the event; it lies nowhere else.
  const traces = await tracesIn(identity.db.databaseName, t.tenantId, [subject]);
  expect(traces.filter((trace) => trace !== `outbox: ${subject}`)).toEqual([]);
});

test("what is sealed in one approval cannot be moved to another", async () => {
  const t = await office();
  const [one, other] = [await t.ask(), await t.ask()];
  const approvals = identity.db.collection<{ _id: string; asked: object }>("approvals");
  const moved = await approvals.findOne({ _id: one, tenantId: t.tenantId });
  await approvals.updateOne({ _id: other, tenantId: t.tenantId }, { $set: { asked: moved!.asked } });
  await expect(t.read(other)).rejects.toMatchObject({ code: "INTERNAL" });
  expect(await t.read(one)).toMatchObject({ askedBecause: open.askedBecause });
});

test("the words stay until the customer's retention is over, and go then; those about others stay", async () => {
  const t = await office();
  const yara = await t.customer("yara");
  const decided = await t.ask();
  await t.resolve(decided);
  const about = await t.ask({ ...t.asking(), customerId: yara.customerId });
  await t.resolve(about);
  const own = await t.erase();
  await waitFor(async () => (await own()).state === "RETAINING", { what: "identity to answer" });
  expect(await own()).toMatchObject({ erased: [], kept: [{ kind: "approval-reasons", records: 1n }] });
  expect(await t.read(decided)).toMatchObject(open);

  // A day later it is asked for once more, and when the year is over for the rest.
  const isErased = async () => {
    identity.passMs(190 * 86_400_000);
    return (await own()).state === "ERASED";
  };
  await waitFor(isErased, { timeoutMs: 30_000, everyMs: 500, what: "the words to go" });
  await t.loginAgain();
  expect(await t.read(decided)).toMatchObject({ ...gone, status: "APPROVED" });
  expect(await t.read(about)).toMatchObject(open);
});

test("what waits for a second person keeps its words until it is decided, also when nothing is to be kept", async () => {
  const t = await office(0);
  const approvalId = await t.ask();
  const own = await t.erase();
  const retained = [{ kind: "approval-reasons", records: 1n }];
  await waitFor(async () => (await own()).state === "RETAINING", { what: "identity to answer" });
  expect(await own()).toMatchObject({ erased: [], kept: retained });
  expect(await t.resolve(approvalId)).toMatchObject({ ...open, status: "APPROVED" });
  const isErased = async () => {
    identity.passMs(3_600_000 + 60_000);
    return (await own()).state === "ERASED";
  };
  await waitFor(isErased, { timeoutMs: 30_000, everyMs: 500, what: "the words to go" });
  await t.loginAgain();
  expect(await t.read(approvalId)).toMatchObject({ ...gone, status: "APPROVED" });
});
