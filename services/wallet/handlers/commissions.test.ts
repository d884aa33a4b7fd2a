import { randomUUID } from "node:crypto";
import { createAgentDesk } from "../../../test/support/agent-desk.js";
import { outgoing } from "../../kernel/grpc/client.js";
import {
  createWalletFixture,
  eventually,
  refusalOf,
  type WalletFixture,
} from "../../../test/support/wallet-fixture.js";

let wallet: WalletFixture;
beforeAll(async () => {
  wallet = await createWalletFixture("wallet_commissions", { recoverAfterMs: 150 });
});
afterEach(() => {
  wallet.faults.clear();
  wallet.crashAt(undefined);
});
afterAll(() => wallet.close());

type Desk = Awaited<ReturnType<typeof createAgentDesk>>;

/** Once nothing is under way. */
const settled = async ({ openRows, lines }: Desk) => {
  await eventually("all to be booked", async () => ((await openRows()) === 0 ? true : undefined));
  return lines();
};

test("a sale earns once it is completed, once, however often that is told", async () => {
  const desk = await createAgentDesk(wallet);
  await desk.sell();
  expect(await desk.lines()).toEqual([]);
  await Promise.all([desk.completed(), desk.completed(), desk.completed()]);
  await desk.completed();
  expect(await settled(desk)).toEqual([["COMMISSION", 1_35n]]);
  expect([desk.commission(), desk.expense()]).toEqual([1_35n, -1_35n]);
  const [payment] = await desk.stored("payments", { status: "SUCCESS" });
  expect(payment?.["sale"].commission).toMatchObject({ planVersion: 1, byRule: [1_00n, 35n], principalMinor: 100_00n });
});

test("the bookings that the ledger is compared with have each step of it", async () => {
  const desk = await createAgentDesk(wallet);
  const bookings = async () =>
    (await wallet.operator.listBookings({ cursor: "commission " }, wallet.calls({ tenantId: desk.tenantId }))).bookings;
  await desk.sell();
  expect(await bookings()).toEqual([]);
  await desk.completed();
  await settled(desk);
  await desk.comesBack(40_00n, true);
  await settled(desk);
  await desk.comesBack(102_69n);
  await settled(desk);
  const [booked] = await bookings();
  expect(booked).toMatchObject({ kind: "commission", id: desk.transactionId, state: "DONE" });
  const signed = booked!.transfers.map(({ key, amount }) => [key.split(":")[0], amount?.amountMinor]);
  expect(signed).toEqual([
    ["commission", 1_35n],
    ["clawback", 54n],
    ["clawback", 81n],
  ]);
});

test("it earns by the plan as it was when it was sold", async () => {
  const desk = await createAgentDesk(wallet);
  await desk.sell();
  await desk.putPlan({ rules: [{ basis: "FIXED", fixedMinor: 9_00n }] });
  await desk.completed();
  expect(await settled(desk)).toEqual([["COMMISSION", 1_35n]]);
});

test("a version that is put between the look and the sale is the one it earns by", async () => {
  const desk = await createAgentDesk(wallet);
  wallet.faults.during("checkMoves", () => desk.putPlan({ rules: [{ basis: "FIXED", fixedMinor: 9_00n }] }));
  const mine = randomUUID();
  await expect(desk.sell("102.69", desk.own, mine)).rejects.toMatchObject({ code: "STATE_CONFLICT" });
  await desk.sell("102.69", desk.own, mine);
  await desk.completed();
  expect(await settled(desk)).toEqual([["COMMISSION", 9_00n]]);
});

test("a rule on the margin of the exchange counts what remittance says of it", async () => {
  const desk = await createAgentDesk(wallet, { rules: [{ basis: "FX_MARGIN", bps: 2_500 }] });
  desk.transaction.fxMarginMinor = 1_50n;
  await desk.sell();
  await desk.completed();
  // 0.375, half-even.
  expect(await settled(desk)).toEqual([["COMMISSION", 38n]]);
});

test("the parties of a split have theirs; the agent's line is of the agent's part", async () => {
  const split = [
    { party: "AGENT", bps: 7_000 },
    { party: "SUPER_AGENT", bps: 3_000 },
  ];
  const desk = await createAgentDesk(wallet, { rules: [{ basis: "FEE", bps: 4_000 }], split });
  await desk.sell();
  await desk.completed();
  expect(await settled(desk)).toEqual([["COMMISSION", 70n]]);
  expect(desk.ofLedger("commission_payable:SUPER_AGENT:USD")).toBe(30n);
  await desk.comesBack(50_00n, true);
  expect(await settled(desk)).toEqual([
    ["COMMISSION", 70n],
    ["CLAW_BACK", -35n],
  ]);
  expect(desk.ofLedger("commission_payable:SUPER_AGENT:USD")).toBe(15n);
});

test("refunds take it back pro rata of the principal, and all of it at the end", async () => {
  const desk = await createAgentDesk(wallet);
  await desk.sell();
  await desk.completed();
  await settled(desk);
  await desk.comesBack(33_33n, true);
  await settled(desk);
  await desk.comesBack(66_66n, true, 33_33n);
  await settled(desk);
  await desk.comesBack(102_69n, false, 36_03n);
  // 45.00 and 89.99 of 135 at 33.33 and 66.66.
  expect(await settled(desk)).toEqual([
    ["COMMISSION", 1_35n],
    ["CLAW_BACK", -45n],
    ["CLAW_BACK", -45n],
    ["CLAW_BACK", -45n],
  ]);
  expect([desk.commission(), desk.expense()]).toEqual([0n, 0n]);
});

test.each([
  ["before the completion is told", [false, true]],
  ["and the completion at once", [true, true]],
])("a refund %s", async (_when, [atOnce]) => {
  const desk = await createAgentDesk(wallet);
  await desk.sell();
  if (atOnce) await Promise.all([desk.comesBack(50_00n, true), desk.completed()]);
  else {
    await desk.comesBack(50_00n, true);
    expect(await settled(desk)).toEqual([]);
    await desk.completed();
  }
  expect(await settled(desk)).toEqual([
    ["COMMISSION", 1_35n],
    ["CLAW_BACK", -68n],
  ]);
  expect(desk.commission()).toBe(67n);
});

test("what never was completed earns nothing", async () => {
  const desk = await createAgentDesk(wallet);
  await desk.sell();
  await desk.comesBack(102_69n);
  expect(await settled(desk)).toEqual([]);
  const { posted } = wallet.ledger;
  const ofDesk = posted.filter((entry) => entry.tenantId === desk.tenantId).map(({ transfer }) => transfer.kind);
  expect(ofDesk).not.toContain("commission");
});

test.each([
  "wallet.commission.completion-noted",
  "wallet.commission.posted",
  "wallet.commission.ended",
  "wallet.commission.claw-back-begun",
])("died at %s it is booked once", async (point) => {
  const desk = await createAgentDesk(wallet);
  await desk.sell();
  wallet.crashAt(point);
  await desk.completed().catch(() => desk.completed());
  await settled(desk);
  await desk.comesBack(50_00n, true);
  expect(await settled(desk)).toEqual([
    ["COMMISSION", 1_35n],
    ["CLAW_BACK", -68n],
  ]);
  expect([desk.commission(), wallet.crashedAt(point)]).toEqual([67n, true]);
});

test("a refund that is told while another is taken back is a step of its own", async () => {
  const desk = await createAgentDesk(wallet);
  await desk.sell();
  await desk.completed();
  await settled(desk);
  const point = "wallet.commission.claw-back-begun";
  wallet.crashAt(point);
  await desk.comesBack(50_00n, true);
  await eventually("it to have begun", () => (wallet.crashedAt(point) ? true : undefined));
  await desk.comesBack(102_69n, false, 52_69n);
  expect(await settled(desk)).toEqual([
    ["COMMISSION", 1_35n],
    ["CLAW_BACK", -68n],
    ["CLAW_BACK", -67n],
  ]);
  expect(desk.commission()).toBe(0n);
});

test("a payment that has not paid for it, and one that is not there, are refused", async () => {
  const desk = await createAgentDesk(wallet);
  await desk.sell();
  expect(await refusalOf(desk.completed({ transactionId: randomUUID() }))).toMatchObject({ code: "STATE_CONFLICT" });
  expect(await refusalOf(desk.completed({ paymentId: randomUUID() }))).toMatchObject({ code: "NOT_FOUND" });
  expect(await refusalOf(desk.completed({ paymentId: "" }))).toMatchObject({ code: "INVALID_INPUT" });
  const other = wallet.clientOf("lending").markTransactionCompleted({}, outgoing(wallet.calls(desk.manager) as never));
  expect(await refusalOf(other)).toMatchObject({ code: "CALLER_NOT_ALLOWED" });
});
