import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { SettlementServiceDefinition, type Settlement } from "../../proto/gen/ledger/v1/settlements.js";
import { ApprovalOutcomeServiceDefinition } from "../../proto/gen/identity/v1/approvals.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { declaredCrashPoints } from "../support/crash-points.js";
import { atDepth } from "../support/depth.js";
import { createInsistence } from "../support/insist.js";
import { testTenant, waitFor } from "../support/index.js";
import { transfer } from "../support/ledger-fixture.js";
import { onceUp, startLedgerProcesses, type LedgerProcesses } from "../support/ledger-processes.js";
import { createFaults } from "../support/rpc-faults.js";
import { createStandInIdentity } from "../support/stand-in-identity.js";

jest.setTimeout(240_000);

const points = declaredCrashPoints("ledger").filter((name) => name.startsWith("ledger.settlement."));
const [partner, bank] = ["partner_settlement:p1:USD", "own_bank:chase:USD"];
const rounds = atDepth({ quick: 1, ci: 1, long: 20 });
const cases = points.flatMap((point) => Array.from({ length: rounds }, (_, round) => [point, round] as const));
const insist = createInsistence({
  passing: ["UNAVAILABLE", "DEADLINE_EXCEEDED", "IDEMPOTENCY_IN_FLIGHT", "INTERNAL"],
  timeoutMs: 60_000,
});

let processes: LedgerProcesses;
let signing: Awaited<ReturnType<typeof userKeys>>;
const identity = createStandInIdentity(createFaults());

beforeAll(async () => {
  signing = await userKeys();
  processes = await startLedgerProcesses("settlements", { CRASH_LEASE_MS: "1000", WARM_UP_S: "0" }, undefined, false, {
    ...identity.handlers,
    getJwks: async () => ({ jwksJson: JSON.stringify(signing.jwks) }),
    checkRevocation: async () => ({ revoked: false }),
  });
});
afterAll(() => processes?.close());

async function userKeys() {
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "user-key", alg: "EdDSA", use: "sig" }] };
  const sign = (tenantId: string) =>
    new SignJWT({ sid: "session-1", role: "MANAGER" })
      .setProtectedHeader({ alg: "EdDSA", kid: "user-key", typ: "JWT" })
      .setIssuer("manilla")
      .setAudience(tenantId)
      .setSubject("manager-1")
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(privateKey);
  return { jwks, sign };
}

/** A tenant that owes a partner 10.00 in two lines. */
async function owing() {
  const tenantId = testTenant();
  const call = () => outgoing({ tenantId, interactionId: randomUUID() });
  const userToken = await signing.sign(tenantId);
  const asManager = () => outgoing({ tenantId, interactionId: randomUUID(), userToken });
  const [replica] = processes.replicas;
  const settlements = processes.clientOf(SettlementServiceDefinition, replica, "gateway");
  const outcomes = processes.clientOf(ApprovalOutcomeServiceDefinition, replica, "identity");
  const remittance = processes.clientOf(LedgerServiceDefinition, replica, "remittance");
  const gateway = processes.clientOf(LedgerServiceDefinition, replica, "gateway");
  const accounts = [partner, "remittance_clearing:USD"].map((accountId) => {
    return { accountId, code: accountId.split(":")[0]!, currency: "USD", name: accountId };
  });
  await onceUp(() => remittance.createAccounts({ accounts }, call()));
  const own = { idempotencyKey: "bank", code: "own_bank", currency: "USD", name: "Chase" };
  await insist(() => gateway.openBookAccount(own, asManager()));
  const groups = [400n, 600n].map((minor, at) => ({
    transfers: [transfer(`owed-${at}`, "remittance_clearing:USD", partner, minor)],
  }));
  await onceUp(() => remittance.postTransfers({ groups, createdBy: "remittance" }, call()));
  return { call, asManager, settlements, outcomes, remittance };
}

/** The replicas as they are told to be: whoever was killed comes back. */
async function revived(): Promise<number> {
  let kills = 0;
  for (const replica of processes.replicas) {
    if (replica.child.isRunning()) continue;
    kills += 1;
    await replica.start();
  }
  return kills;
}

test("each point of a settlement and of its reversal is one that this test kills at", () => {
  expect(points.toSorted()).toEqual([
    "ledger.settlement.accounts-made",
    "ledger.settlement.lines-taken",
    "ledger.settlement.posted",
    "ledger.settlement.proposed",
    "ledger.settlement.reversal-proposed",
    "ledger.settlement.reversed",
  ]);
});

test.each(cases)("killed at %s (%i), it is posted once and reversed once", async (point) => {
  const world = await owing();
  let kills = 0;
  const reviving = setInterval(() => void revived().then((more) => (kills += more)), 500);
  try {
    for (const replica of processes.replicas) replica.crashAt(point);
    const request = {
      idempotencyKey: randomUUID(),
      kind: "SETTLEMENT_KIND_PARTNER" as const,
      accountId: partner,
      amount: "10.00",
      currency: "USD",
      cost: { amount: "10.50", currency: "USD" },
      fee: "0.50",
      bankAccountId: bank,
      valueDate: new Date().toISOString().slice(0, 10),
      reference: "WIRE-1",
      lines: { throughDate: new Date().toISOString().slice(0, 10) },
    };
    const proposed = await insist(() => world.settlements.proposeSettlement(request, world.asManager()));
    const { settlementId, approvalId } = proposed.settlement!;
    await decide(world, approvalId);
    const posted = await ended(world, settlementId, "POSTED");
    expect(posted).toMatchObject({ status: "SETTLEMENT_STATUS_POSTED", lineCount: 2 });
    expect(await balances(world)).toEqual([0n, 1_050n, -50n]);
    const asked = { idempotencyKey: randomUUID(), settlementId, reason: "it was another's" };
    const reversal = await insist(() => world.settlements.reverseSettlement(asked, world.asManager()));
    await decide(world, reversal.settlement!.reversal!.approvalId);
    await ended(world, settlementId, "REVERSED");
    expect(await balances(world)).toEqual([1_000n, 0n, 0n]);
    await waitFor(async () => ((await openLines(world)) === 2 ? true : undefined), { what: "both lines open" });
    expect(kills).toBeGreaterThan(0);
  } finally {
    clearInterval(reviving);
    for (const replica of processes.replicas) replica.crashAt("");
    await revived();
  }
});

type World = Awaited<ReturnType<typeof owing>>;

async function decide({ outcomes, call }: World, approvalId: string): Promise<void> {
  const asked = identity.state.approvals.find(({ approval }) => approval.approvalId === approvalId)!;
  const approval = { ...asked.approval, status: "APPROVED", decidedBy: "manager-2", decidedAt: new Date() };
  await insist(() => outcomes.decideApproval({ approval, payloadJson: asked.payloadJson }, call()));
}

const ended = ({ settlements, asManager }: World, settlementId: string, status: string): Promise<Settlement> =>
  waitFor(
    async () => {
      const { settlement } = await insist(() => settlements.getSettlement({ settlementId }, asManager()));
      const isOver = ["REFUSED", status].some((one) => settlement!.status === `SETTLEMENT_STATUS_${one}`);
      return isOver ? settlement : undefined;
    },
    { timeoutMs: 60_000, what: status },
  );

/** Credits less debits, of the partner, the bank and what was kept. */
async function balances({ call, remittance }: World): Promise<bigint[]> {
  const accountIds = [partner, bank, "partner_fees:USD"];
  const { accounts } = await insist(() => remittance.getAccounts({ accountIds }, call()));
  return accounts.map(({ creditsPostedMinor, debitsPostedMinor }) => creditsPostedMinor - debitsPostedMinor);
}

async function openLines({ settlements, asManager }: World): Promise<number> {
  const { lines } = await insist(() => settlements.listOpenLines({ accountId: partner }, asManager()));
  return lines.length;
}
