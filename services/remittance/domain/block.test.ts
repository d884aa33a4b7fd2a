import { approved, created, paidAt, paidTransaction, afterStep } from "../../../test/support/transactions.js";
import { neutral, shownStatus } from "./block-view.js";
import {
  asBlocked,
  block,
  isBlockedBy,
  isBlockUnsettled,
  isUnderBlock,
  releaseBlock,
  releasedTo,
  blockedBehind,
} from "./block.js";
import { nextAction } from "./next-action.js";
import { refund } from "./payout-refund.js";
import { refundNotPosted } from "./block.js";
import { takenBack } from "./refund.js";
import type { Payout } from "./payout.js";
import type { Transaction, TransactionStatus } from "./transaction.js";

const later = new Date(paidAt.getTime() + 1_000);
const minute = 60_000;
const release = { now: paidAt, dueAt: later };
const ours = { pickup: { codeHash: "", salt: "", tries: 0 } } as unknown as Partial<Transaction>;
const toWallet = { recipientWallet: { accountId: "w2", customerId: "c2" } };

const blocked = (before: Transaction, id = "b1") => afterStep(before, block(before, id, paidAt)!);
const released = (before: Transaction, outcome: "CONTINUE" | "REFUND", id = "b1") => {
  const step = releaseBlock(before, id, outcome, release);
  return step === undefined ? before : afterStep(before, step);
};
const unpaid = (status: TransactionStatus, part: Partial<Transaction> = {}): Transaction => ({
  ...created,
  status,
  compliance: approved,
  ...part,
});

describe("a block", () => {
  // Where it stood; what whoever may not know is shown; what is done next;
  // how it goes on; how it goes back.
  test.each<[string, Transaction, string, string, string, string]>([
    [
      "waits for compliance",
      unpaid("AWAITING_COMPLIANCE", { compliance: { ...approved, decision: "REVIEW" } }),
      "AWAITING_COMPLIANCE",
      "NOTHING",
      "AWAITING_COMPLIANCE",
      "CANCELLED",
    ],
    ["payable", unpaid("AWAITING_PAYMENT"), "AWAITING_COMPLIANCE", "NOTHING", "AWAITING_PAYMENT", "CANCELLED"],
    ["paid", paidTransaction("PAID"), "PAID", "NOTHING", "PAID", "CANCELLING NOT_SENT"],
    ["paid, ours to hand out", paidTransaction("PAID", {}, ours), "PAID", "NOTHING", "PAID", "CANCELLING NOT_SENT"],
    ["at the partner", paidTransaction("PROCESSING"), "PROCESSING", "RECALL", "PROCESSING", "CANCELLING"],
    [
      "into a wallet",
      paidTransaction("PROCESSING", {}, toWallet),
      "PROCESSING",
      "FIND_CREDIT",
      "PROCESSING",
      "CANCELLING",
    ],
    ["ready there", paidTransaction("READY_FOR_PICKUP"), "PROCESSING", "RECALL", "READY_FOR_PICKUP", "CANCELLING"],
    [
      "ready at our desk",
      paidTransaction("READY_FOR_PICKUP", {}, ours),
      "PROCESSING",
      "NOTHING",
      "READY_FOR_PICKUP",
      "CANCELLING NOT_SENT",
    ],
    ["being recalled", paidTransaction("CANCELLING"), "CANCELLING", "RECALL", "CANCELLING", "CANCELLING"],
    [
      "being given back",
      paidTransaction("CANCELLING", { outcome: "NOT_SENT" }),
      "CANCELLING",
      "FIND_REFUND",
      "CANCELLING NOT_SENT",
      "CANCELLING NOT_SENT",
    ],
    [
      "refused",
      paidTransaction("FAILED", { outcome: "REFUSED" }),
      "FAILED",
      "FIND_REFUND",
      "FAILED REFUSED",
      "FAILED REFUSED",
    ],
    [
      "come back",
      paidTransaction("RETURNED", { outcome: "RETURNED", settledAt: paidAt }),
      "RETURNED",
      "FIND_REFUND",
      "RETURNED RETURNED",
      "RETURNED RETURNED",
    ],
  ])("on one that is %s", (_what, before, shown, next, on, back) => {
    const after = blocked(before);
    expect([after.status, shownStatus(after), nextAction(after, paidAt).do]).toEqual(["BLOCKED", shown, next]);
    expect(asBlocked(after).status).toBe(before.status);
    expect([isUnderBlock(after), isBlockedBy(after, "b1"), isBlockedBy(after, "b2")]).toEqual([true, true, false]);
    expect(isBlockUnsettled(after)).toBe(next !== "NOTHING");
    // Told again it changes nothing.
    expect(block(after, "b1", later)).toBeUndefined();
    const end = ({ status, payout }: Transaction) => [status, payout?.outcome].filter(Boolean).join(" ");
    expect([end(released(after, "CONTINUE")), end(released(after, "REFUND"))]).toEqual([on, back]);
    const over = released(after, "CONTINUE");
    const isReturning = ["CANCELLING", "FAILED", "RETURNED"].includes(before.status);
    expect(releasedTo(over, "b1")).toBe(isReturning ? "BACK" : "ON");
    expect(releasedTo(released(after, "REFUND"), "b1")).toBe("BACK");
    expect(isUnderBlock(over)).toBe(false);
    expect(releaseBlock(over, "b1", "REFUND", release)).toBeUndefined();
    // Late, it lays nothing on what it held.
    expect(block(over, "b1", later)).toBeUndefined();
  });

  test.each(["CANCELLED", "EXPIRED", "REJECTED", "REFUNDED"] as const)("changes nothing that is %s", (status) => {
    expect(block(unpaid(status), "b1", paidAt)).toBeUndefined();
  });

  test("leaves one alone whose creation has still to store compliance's first answer", () => {
    expect(block(created, "b1", paidAt)).toBeUndefined();
  });

  test("waits behind a payment that is under way, and stops it right after", () => {
    const paying = blocked(unpaid("PAYING"));
    expect([paying.status, isBlockUnsettled(paying)]).toEqual(["PAYING", true]);
    for (const [status, shown] of [
      ["AWAITING_PAYMENT", "AWAITING_COMPLIANCE"],
      ["PAID", "PAID"],
    ] as const) {
      const after = afterStep(paying, { change: blockedBehind(paying, { status, reason: "" }), drive: "NONE" });
      expect([after.status, shownStatus(after), asBlocked(after).status]).toEqual(["BLOCKED", shown, status]);
      expect(after.timeline.slice(-2).map((one) => one.status)).toEqual([status, "BLOCKED"]);
    }
    // It ended before the payment did: nothing is stopped.
    const free = released(paying, "CONTINUE");
    expect(free.status).toBe("PAYING");
    expect(blockedBehind(free, { status: "PAID", reason: "" })).not.toHaveProperty("stopped");
  });

  test("is noted on what is paid out, and stops it when the bank or the wallet gives it back", () => {
    const refunds = [{ refundId: "r1", status: "APPROVED", amount: { minor: 1n, currency: "USD" }, reason: "" }];
    const part = { ...toWallet, refunds } as unknown as Partial<Transaction>;
    const late = blocked(paidTransaction("COMPLETED", { outcome: "PAID", settledAt: paidAt }, part));
    expect([late.status, isBlockUnsettled(late)]).toEqual(["COMPLETED", false]);
    const step = takenBack(late, "r1", later)!;
    expect([afterStep(late, step).status, step.drive]).toEqual(["BLOCKED", "NONE"]);
    const free = paidTransaction("COMPLETED", { outcome: "PAID", settledAt: paidAt }, part);
    expect(afterStep(free, takenBack(free, "r1", later)!).status).toBe("RETURNED");
  });
});

describe("two blocks", () => {
  test.each([
    ["CONTINUE", "CONTINUE", "PAID"],
    ["REFUND", "CONTINUE", "CANCELLING"],
    ["CONTINUE", "REFUND", "CANCELLING"],
  ] as const)("released with %s and %s: it moves when both are, and back where one says so", (one, two, end) => {
    const both = blocked(blocked(paidTransaction("PAID")), "b2");
    expect(both.timeline.map(({ status }) => status)).toEqual(["BLOCKED"]);
    const half = released(both, one);
    expect([half.status, isUnderBlock(half), isBlockedBy(half, "b1")]).toEqual(["BLOCKED", true, false]);
    const whole = released(half, two, "b2");
    expect(whole.status).toBe(end);
    expect([releasedTo(whole, "b1"), releasedTo(whole, "b2")]).toEqual([undefined, end === "PAID" ? "ON" : "BACK"]);
  });
});

describe("a refund that was on its way when the block came", () => {
  const before = blocked(paidTransaction("FAILED", { outcome: "REFUSED" }));
  const usd = { minor: 102_69n, currency: "USD" };

  test("is over where the ledger has it, and the block says that it came too late", () => {
    const after = afterStep(before, refund(before, usd, later)!);
    expect([after.status, after.payout!.refunded, isBlockedBy(after, "b1")]).toEqual(["REFUNDED", usd, true]);
    expect(after.block).toEqual({ by: [{ blockId: "b1", at: paidAt }] });
  });

  test("is looked for as long as it may come, and then its money is kept", () => {
    const soon = refundNotPosted(before, later)!;
    expect([soon.change, soon.drive]).toEqual([{}, { at: new Date(later.getTime() + 1_000) }]);
    const unposted = afterStep(before, refundNotPosted(before, new Date(paidAt.getTime() + minute))!);
    expect([unposted.status, isBlockUnsettled(unposted), nextAction(unposted, later).do]).toEqual([
      "BLOCKED",
      false,
      "NOTHING",
    ]);
    expect(refundNotPosted(unposted, later)).toBeUndefined();
    // Who still tells of the refund finds that nobody waits for it.
    expect(refund(unposted, usd, later)).toBeUndefined();
  });
});

describe("whoever may not know of a block", () => {
  const at = (payout: Partial<Payout> = {}) => ({
    ...paidTransaction("PROCESSING", payout),
    timeline: (["PAID", "PROCESSING"] as const).map((status) => ({
      status,
      at: paidAt,
      actor: "remittance",
      reason: "",
    })),
  });
  const statuses = ({ timeline }: Transaction) => timeline.map(({ status, actor, reason }) => [status, actor, reason]);

  test("is shown no stop, no end of it and nobody who did it", () => {
    const whole = at();
    const shown = [
      ["PAID", "remittance", ""],
      ["PROCESSING", "remittance", ""],
    ];
    expect(statuses(neutral(blocked(whole)))).toEqual(shown);
    expect(statuses(neutral(released(blocked(whole), "CONTINUE")))).toEqual(shown);
    expect(statuses(neutral(released(blocked(whole), "REFUND")))).toEqual([...shown, ["CANCELLING", "remittance", ""]]);
    expect(neutral(blocked(whole))).not.toHaveProperty("block");
    // Managers are told.
    expect(statuses(blocked(whole)).at(-1)).toEqual(["BLOCKED", "compliance", "block b1"]);
  });

  test("is shown what was payable as every review, whatever compliance decides meanwhile", () => {
    for (const decision of ["APPROVED", "REJECTED"] as const) {
      const payable = unpaid("AWAITING_PAYMENT", { expiresAt: later, compliance: { ...approved, decision } });
      const { status, compliance, expiresAt } = neutral(blocked(payable));
      expect({ status, expiresAt }).toEqual({ status: "AWAITING_COMPLIANCE", expiresAt: undefined });
      expect(compliance).toMatchObject({ decision: "REVIEW", reasonCode: "", message: "" });
    }
  });

  test("is shown equal entries that are no block's own", () => {
    const part = (reason: string) => ({ status: "PARTIALLY_REFUNDED" as const, at: paidAt, actor: "m", reason });
    const twice = { ...paidTransaction("PARTIALLY_REFUNDED"), block: { by: [] }, timeline: [part("1"), part("2")] };
    expect(neutral(twice).timeline.map(({ reason }) => reason)).toEqual(["1", "2"]);
  });
});
