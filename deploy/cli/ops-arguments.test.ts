import { readOpsArguments } from "./ops-arguments.js";

test("reads each command", () => {
  expect(readOpsArguments(["outbox", "list"])).toEqual({ name: "outbox list", state: "PARKED", limit: 50 });
  expect(readOpsArguments(["outbox", "list", "--service", "wallet", "--state", "due", "--limit", "5"])).toEqual({
    name: "outbox list",
    service: "wallet",
    state: "DUE",
    limit: 5,
  });
  expect(readOpsArguments(["outbox", "show", "r1", "--tenant", "demo"])).toEqual({
    name: "outbox show",
    row: "r1",
    tenant: "demo",
  });
  expect(readOpsArguments(["outbox", "drop", "r1", "--who", "ann", "--why", "paid by hand"])).toEqual({
    name: "outbox drop",
    row: "r1",
    who: "ann",
    why: "paid by hand",
  });
  expect(readOpsArguments(["reconcile", "payouts", "--tenant", "demo", "--from", "2026-11-21T00:00:00Z"])).toEqual({
    name: "reconcile payouts",
    tenant: "demo",
    from: new Date("2026-11-21T00:00:00Z"),
  });
});

test.each([
  [[], /name a command/],
  [["outbox", "burn"], /no command outbox burn/],
  [["outbox", "retry", "r1"], /--why/],
  [["outbox", "show"], /name the row/],
  [["outbox", "list", "--limit", "0"], /--limit/],
  [["reconcile", "payouts"], /--tenant/],
  [["reconcile", "payouts", "--tenant", "demo", "--to", "noon"], /--to/],
])("refuses %j", (args, message) => {
  expect(() => readOpsArguments(args)).toThrow(message);
});
