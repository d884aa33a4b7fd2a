import { randomUUID } from "node:crypto";
import type { ClientSession } from "mongoose";
import { ApprovalOutcomeServiceDefinition } from "../../../proto/gen/identity/v1/approvals.js";
import { testCall } from "../../../test/support/calls.js";
import { decideAsShown } from "../../../test/support/asking-service.js";
import { newTenant, startTestIdentity, type TestIdentity } from "../../../test/support/identity.js";
import { testDatabase, waitFor, type TestDatabase } from "../../../test/support/index.js";
import type { EffectLog } from "./approval-effects.js";
import { serveApprovalOutcomes, type ApprovalOutcome } from "./approval-outcomes.js";
import { createApprovals, type ApprovalRequest } from "./approvals.js";
import { createClient, outgoing, type Client } from "../../kernel/grpc/client.js";
import { startGrpcServer, type GrpcServer } from "../../kernel/grpc/server.js";
import { tenantCollection } from "../../kernel/mongo/tenant-collection.js";
import { createServiceTokenSigner, createServiceTokenVerifier } from "../../kernel/tokens/service-tokens.js";

interface Note {
  tenantId: string;
  loanId: string;
  status: string;
  decidedBy: string;
}

let identity: TestIdentity;
let database: TestDatabase;
let lending: GrpcServer;
let toLending: Client<ApprovalOutcomeServiceDefinition> & { close(): void };
const published: ApprovalOutcome[] = [];
const publishedOf = (approvalId: string) => published.filter((one) => one.approvalId === approvalId);
/** Loans that go along with one by now. */
const others = new Map<string, string[]>();
let failures = 0;
let woken = 0;

const notesOf = (tenantId: string) => tenantCollection<Note>(database.db, "notes").forTenant(tenantId);

/**
 * A service that asks, on MongoDB: what it does with an outcome is written in the transaction that
 * remembers it.
 */
async function writeDown(
  outcome: ApprovalOutcome,
  session: ClientSession,
  tenantId: string,
  effects: EffectLog,
): Promise<void> {
  const { status, decidedBy, payload } = outcome;
  const loanId = String(payload["loanId"]);
  for (const id of [loanId, ...(others.get(loanId) ?? [])]) {
    await notesOf(tenantId).insertOne({ loanId: id, status, decidedBy }, { session });
    effects.add({ kind: "LOAN_WRITTEN_OFF", subject: `loan:${id}`, amount: { minor: 2_500n, currency: "USD" } });
  }
  effects.foresee(async () => [{ kind: "WALLET_FROZEN", subject: "wallet:w-1" }]);
  if (outcome.decidedBecause === "foreseen") return;
  published.push(outcome);
  if (failures > 0) {
    failures -= 1;
    throw new Error("not now");
  }
}

beforeAll(async () => {
  database = await testDatabase("approvals");
  await database.db.createCollection("notes");
  identity = await startTestIdentity({
    startNeighbours: async ({ keys, log }) => {
      lending = await startGrpcServer({
        service: "lending",
        ...serveApprovalOutcomes({
          service: "lending",
          db: database.db,
          handlers: { WRITE_OFF: (outcome, session, call, log) => writeDown(outcome, session, call.tenantId, log) },
          outbox: { wake: () => void (woken += 1) },
        }),
        host: "127.0.0.1",
        port: 0,
        verifyServiceToken: createServiceTokenVerifier({ self: "lending", jwks: keys.jwks }),
        log,
      });
      const address = `127.0.0.1:${lending.port}`;
      toLending = createClient(ApprovalOutcomeServiceDefinition, {
        address,
        audience: "lending",
        signer: createServiceTokenSigner({ service: "identity", privateJwk: keys.privateJwk }),
      });
      return { LENDING_ADDRESS: address };
    },
  });
});
afterAll(async () => {
  toLending.close();
  await identity.stop();
  await lending.stop();
  await database.close();
});
beforeEach(() => {
  [failures, woken] = [0, 0];
});

const requested = (change: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  idempotencyKey: randomUUID(),
  kind: "WRITE_OFF",
  subject: "loan:l-1",
  summary: "Write off 25.00 USD",
  amount: { minor: 2_500n, currency: "USD" },
  reason: "nobody can be found",
  payload: { loanId: "l-1", reference: "r" },
  ...change,
});

const writtenOff = (id: string) => ({ kind: "LOAN_WRITTEN_OFF", subject: `loan:${id}` });

async function office() {
  const tenant = await newTenant(identity);
  const { tenantId } = tenant;
  const asker = await tenant.staff("MANAGER");
  const second = await tenant.staff("MANAGER", "second");
  const { accessToken } = await tenant.login("manager");
  const { accessToken: secondToken } = await tenant.login("second");
  const call = testCall({ tenantId, userToken: accessToken });
  const resolve = (approvalId: string, approve = true) =>
    decideAsShown(
      identity.rpc.gateway,
      { approvalId, approve, reason: "seen" },
      outgoing({ tenantId, interactionId: "i-1", userToken: secondToken }),
    );
  const asSecond = testCall({ tenantId, userToken: secondToken });
  return { tenantId, asker, second, call, asSecond, resolve, notes: () => notesOf(tenantId).find({}) };
}

const approvals = () => createApprovals({ identity: identity.rpc.lending });

test("what another MANAGER approves is carried out once, with its payload, by whoever asked", async () => {
  const t = await office();
  const request = requested();
  const { approvalId, status } = await approvals().ask(t.call, request);
  expect(status).toBe("PENDING");
  expect(await approvals().ask(t.call, request)).toMatchObject({ approvalId });
  await t.resolve(approvalId);
  await waitFor(async () => (await t.notes()).length > 0);
  expect(await t.notes()).toMatchObject([{ loanId: "l-1", status: "APPROVED", decidedBy: t.second.userId }]);
  expect(publishedOf(approvalId)).toMatchObject([
    {
      approvalId,
      kind: "WRITE_OFF",
      subject: "loan:l-1",
      amount: { minor: 2_500n, currency: "USD" },
      askedBy: t.asker.userId,
      askedBecause: "nobody can be found",
      decidedBecause: "seen",
      payload: { loanId: "l-1", reference: "r" },
    },
  ]);
  await waitFor(() => woken > 0);
});

test("what is approved is what was shown: else it is refused with what is done now, which the same person may approve", async () => {
  const t = await office();
  const { gateway } = identity.rpc;
  const loanId = randomUUID();
  const [second, third, fourth] = [`${loanId}-2`, `${loanId}-3`, `${loanId}-4`];
  const { approvalId } = await approvals().ask(t.call, requested({ payload: { loanId } }));
  const read = async () =>
    (await gateway.getApproval({ approvalId, withEffects: true }, outgoing(t.asSecond))).approval!;
  const approve = (digest: string) =>
    gateway.resolveApproval({ approvalId, approve: true, reason: "seen", digest }, outgoing(t.asSecond));
  const frozen = { kind: "WALLET_FROZEN", subject: "wallet:w-1" };

  const shown = await read();
  expect(shown).toMatchObject({ effects: [writtenOff(loanId), frozen], effectCount: 2, status: "PENDING" });
  expect(await t.notes()).toEqual([]);
  await expect(approve("")).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { errors: [{ path: "digest" }] },
  });

  others.set(loanId, [second, third]);
  const refused = await approve(shown.digest).catch((error: unknown) => error);
  const now = await read();
  expect(now.effects).toMatchObject([writtenOff(loanId), writtenOff(second), writtenOff(third), frozen]);
  expect(refused).toMatchObject({
    code: "APPROVAL_CHANGED",
    details: {
      errors: [
        { path: "effects.0", message: `LOAN_WRITTEN_OFF loan:${loanId} 25.00 USD` },
        { path: "effects.1", message: `LOAN_WRITTEN_OFF loan:${second} 25.00 USD` },
        { path: "effects.2", message: `LOAN_WRITTEN_OFF loan:${third} 25.00 USD` },
        { path: "effects.3", message: "WALLET_FROZEN wallet:w-1" },
      ],
      figures: { digest: now.digest, effects: "4" },
    },
  });
  expect(now).toMatchObject({ status: "PENDING", joined: [] });

  // One more joins behind the approval, before it is carried out.
  failures = 1;
  await approve(now.digest);
  await waitFor(() => failures === 0);
  others.set(loanId, [second, third, fourth]);
  await waitFor(async () => (identity.passMs(500), (await read()).joined.length > 0), { timeoutMs: 15_000 });
  const done = await read();
  expect(done).toMatchObject({ status: "APPROVED", effects: now.effects, digest: now.digest, effectCount: 4 });
  expect(done.joined).toMatchObject([writtenOff(fourth)]);
  expect((await t.notes()).map((note) => note.loanId).toSorted()).toEqual([loanId, second, third, fourth].toSorted());
  const { approvals: listed } = await gateway.listApprovals({}, outgoing(t.asSecond));
  expect(listed).toMatchObject([{ approvalId, effects: [], joined: [], digest: "" }]);
});

test("a refusal is told too", async () => {
  const t = await office();
  const { approvalId } = await approvals().ask(t.call, requested());
  await t.resolve(approvalId, false);
  await waitFor(async () => (await t.notes()).length > 0);
  expect(await t.notes()).toMatchObject([{ status: "REFUSED" }]);
});

test("an outcome that could not be carried out leaves nothing behind and is told again", async () => {
  const t = await office();
  const { approvalId } = await approvals().ask(t.call, requested());
  failures = 1;
  await t.resolve(approvalId);
  await waitFor(() => publishedOf(approvalId).length > 0);
  identity.passMs(10_000);
  await waitFor(async () => (identity.passMs(500), (await t.notes()).length > 0), { timeoutMs: 15_000 });
  expect(await t.notes()).toHaveLength(1);
  expect(publishedOf(approvalId)).toHaveLength(2);
});

describe("DecideApproval", () => {
  const outcome = (change: object = {}) => ({
    approval: {
      approvalId: randomUUID(),
      kind: "WRITE_OFF",
      subject: "loan:l-2",
      status: "APPROVED",
      service: "lending",
      decidedBy: "u-2",
      ...change,
    },
    payloadJson: '{"loanId":"l-2"}',
  });

  test("carries out once what is told several times at the same moment", async () => {
    const t = await office();
    const request = outcome();
    await Promise.all(Array.from({ length: 6 }, () => toLending.decideApproval(request, outgoing(t.call))));
    await toLending.decideApproval(request, outgoing(t.call));
    expect(await t.notes()).toHaveLength(1);
  });

  test("told again answers what was done the first time", async () => {
    const t = await office();
    const request = outcome();
    const first = await toLending.decideApproval(request, outgoing(t.call));
    expect(first.effects).toMatchObject([writtenOff("l-2")]);
    others.set("l-2", ["l-9"]);
    expect(await toLending.decideApproval(request, outgoing(t.call))).toEqual(first);
    others.delete("l-2");
  });

  test.each([
    ["INVALID_INPUT", { kind: "REFUND" }],
    ["INVALID_INPUT", { status: "PENDING" }],
    ["INVALID_INPUT", { approvalId: "" }],
    ["FORBIDDEN", { service: "remittance" }],
  ])("refuses %s for %o", async (code, change) => {
    const t = await office();
    const { tenantId, interactionId } = t.call;
    await expect(toLending.decideApproval(outcome(change), { tenantId, interactionId })).rejects.toMatchObject({
      code,
    });
    expect(await t.notes()).toEqual([]);
  });
});
