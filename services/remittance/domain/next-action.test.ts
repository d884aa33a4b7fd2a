import { paidAt, paidTransaction } from "../../../test/support/transactions.js";
import { nextAction, type Action } from "./next-action.js";
import type { Transaction } from "./transaction.js";

describe("what is done next", () => {
  const soon = new Date(paidAt.getTime() + 1_000);
  test.each<[string, Transaction, Action]>([
    ["at once", paidTransaction("PAID"), { do: "START" }],
    ["a window", paidTransaction("PAID", {}, { processingMode: "NONE_AGGREGATION" }), { do: "FIND_WINDOW" }],
    [
      "before the window",
      paidTransaction("PAID", { windowAt: soon }, { processingMode: "NONE_AGGREGATION" }),
      { do: "WAIT", until: soon },
    ],
    [
      "in the window",
      paidTransaction("PAID", { windowAt: paidAt }, { processingMode: "NONE_AGGREGATION" }),
      { do: "START" },
    ],
    ["a batch", paidTransaction("PAID", {}, { processingMode: "AGGREGATION" }), { do: "JOIN_BATCH" }],
    ["in a batch", paidTransaction("PAID", { batchId: "b" }, { processingMode: "AGGREGATION" }), { do: "NOTHING" }],
    ["with the partner", paidTransaction("PROCESSING"), { do: "ASK" }],
    ["completed and hinted", paidTransaction("COMPLETED"), { do: "ASK" }],
    ["cancelling", paidTransaction("CANCELLING"), { do: "RECALL" }],
    ["recalled", paidTransaction("CANCELLING", { outcome: "RECALLED" }), { do: "REFUND" }],
    ["failed", paidTransaction("FAILED"), { do: "REFUND" }],
    ["returned", paidTransaction("RETURNED"), { do: "REFUND" }],
    ["refunded", paidTransaction("REFUNDED"), { do: "NOTHING" }],
    ["awaiting payment", paidTransaction("AWAITING_PAYMENT"), { do: "NOTHING" }],
  ])("%s", (_name, before, action) => {
    expect(nextAction(before, paidAt)).toEqual(action);
  });
});
