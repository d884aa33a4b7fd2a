import { createOutboxHarness } from "../../../test/support/outbox.js";
import { waitFor } from "../../../test/support/index.js";
import { stillDue, triedOnceMore } from "../../../test/support/event-patience.js";
import { Refusal } from "../../kernel/refusal.js";
import { blockRow, freezeRow, releaseRow } from "../decisions/store/block-rows.js";
import { decisionRow, statusRow, withdrawalRow } from "../common/store/outbox-rows.js";
import { startComplianceRelay, type RelayDeps } from "./relay.js";

test("an event waits for events however long that is away", async () => {
  // Handlers of other rows touch what they are given when such a row comes.
  const others = { checks: {}, cases: {}, store: {}, screenings: {}, subjects: {} } as unknown as RelayDeps;
  const start = (deps: object) =>
    startComplianceRelay({ ...others, remittance: undefined, events: undefined, ...deps });
  expect(await triedOnceMore("compliance", start)).toEqual(stillDue);
});

test("what one customer's row has to tell and is refused is set aside, its neighbours' of every kind are told", async () => {
  const harness = await createOutboxHarness("compliance_told");
  const { tenantId, database } = harness;
  const outbox = harness.make({ service: "compliance" });
  const published: string[] = [];
  /** A neighbour that takes nothing of whoever is poisoned. */
  const takes = (rpc: string, idOf: (request: never) => string, answer: object = {}) => ({
    async [rpc](request: never) {
      const id = idOf(request);
      if (id.startsWith("poisoned")) throw new Refusal("STATE_CONFLICT", "it cannot be taken");
      published.push(`${rpc} ${id}`);
      return answer;
    },
  });
  const customer = ({ customerId }: { customerId: string }) => customerId;
  const block = ({ blockId }: { blockId: string }) => blockId;
  const stopped = { effects: [], transactionIds: [], tooLate: [], underWay: 0 };
  const neighbours = {
    identity: {
      ...takes("noteCustomerStatus", customer),
      ...takes("withdrawApproval", ({ approvalId }: { approvalId: string }) => approvalId),
      ...takes("noteApprovalEffects", block),
    },
    remittance: {
      ...takes("decideTransaction", ({ transactionId }: { transactionId: string }) => transactionId),
      ...takes("blockTransactions", block, stopped),
      ...takes("releaseBlockedTransactions", block, { transactions: [], effects: [] }),
      ...takes("resumeHeldPayouts", customer),
    },
    wallet: takes("setCustomerWalletsFrozen", block, { wallets: [], effects: [] }),
  };
  const hit = { hitId: "h", state: "CONFIRMED" };
  // Of a search no case hears.
  const screening = { screeningId: "s", hits: [hit], subject: { kind: "SEARCH" } };
  const screenings = { forTenant: () => ({ find: async () => screening }) };
  const store = { transaction: harness.commit };
  const times = { forTenant: async () => ({ now: () => new Date() }) };
  const origin = { tenantId, interactionId: "told:1", actor: "compliance" };
  const rowsOf = (which: string) => {
    const known = { screeningId: "s", approvalId: "a", hitId: "h", customerId: `${which}-c`, recipientCode: "" };
    const payload = { ...known, transactionIds: [], stopped: [], tooLate: [] };
    const decision = { transactionId: `${which}-t`, version: 1, decision: "APPROVED", outstandingRequirements: [] };
    const status = { customerId: `${which}-c`, status: "CONFIRMED", sequence: 1, at: new Date() };
    const release = { ...known, outcome: "CONTINUE" as const, reconsiders: false };
    return [
      decisionRow(origin, decision as never),
      statusRow(origin, status as never),
      withdrawalRow(origin, `${which}-a`),
      blockRow(origin, { ...payload, blockId: `${which}-b1` }),
      releaseRow(origin, { ...release, blockId: `${which}-b2` }),
      freezeRow(origin, { ...known, blockId: `${which}-b3` }),
    ];
  };
  const [poisoned, sound] = [rowsOf("poisoned"), rowsOf("sound")];
  await harness.add(outbox, ...poisoned.flatMap((row, index) => [row, sound[index]!]));
  const deps = { checks: {}, cases: {}, subjects: {}, events: undefined, clock: { now: () => new Date() }, pollMs: 20 };
  const all = { ...deps, ...neighbours, outbox, store, screenings, times } as unknown as RelayDeps;
  const relay = startComplianceRelay(all);
  const rows = database.db.db!.collection<{ aggregate: string; state: string; kind: string }>("outbox");
  try {
    await waitFor(async () => (await rows.countDocuments({ tenantId, state: "DUE" })) === 0, { timeoutMs: 20_000 });
  } finally {
    await relay.stop();
  }
  const states = await rows.find({ tenantId, aggregate: /:(poisoned|sound)-/ }).toArray();
  const stateOf = new Map(states.map(({ aggregate, state }) => [aggregate, state]));
  expect(poisoned.map(({ aggregate }) => stateOf.get(aggregate))).toEqual(poisoned.map(() => "PARKED"));
  expect(sound.map(({ aggregate }) => stateOf.get(aggregate))).toEqual(sound.map(() => "DONE"));
  expect(published.toSorted()).toEqual([
    "blockTransactions sound-b1",
    "decideTransaction sound-t",
    "noteCustomerStatus sound-c",
    "releaseBlockedTransactions sound-b2",
    "setCustomerWalletsFrozen sound-b3",
    "withdrawApproval sound-a",
  ]);
  await harness.close();
});
