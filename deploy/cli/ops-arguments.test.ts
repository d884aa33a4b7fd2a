import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { readOpsArguments } from "./ops-arguments.js";
import { urisOf } from "./places.js";

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

test("reads what reaches databases", () => {
  const both = ["--from", "mongodb://a", "--to", "places.json"];
  expect(readOpsArguments(["tenant", "copy", "--tenant", "acme", ...both])).toEqual({
    name: "tenant copy",
    from: "mongodb://a",
    to: "places.json",
    tenant: "acme",
    takesLock: false,
  });
  const at = ["--uri", "mongodb://a"];
  expect(readOpsArguments(["shards", "zones", "--tenant", "acme", "--shard", "rs1", "--dry-run", ...at])).toEqual({
    name: "shards zones",
    uri: "mongodb://a",
    tenant: "acme",
    shard: "rs1",
    isDryRun: true,
  });
  expect(readOpsArguments(["backup", "barrier", "--run", "snapshot.sh", ...at])).toEqual({
    name: "backup barrier",
    uri: "mongodb://a",
    run: "snapshot.sh",
    runMinutes: 10,
    takesLock: false,
  });
  expect(readOpsArguments(["tenant", "release", "--tenant", "*", "--take-lock", ...at])).toEqual({
    name: "tenant release",
    uri: "mongodb://a",
    tenant: "*",
    takesLock: true,
  });
});

test("a file of places names each service's database, or one for all others", () => {
  const read = (text: string) => () => text;
  const uris = urisOf("places.json", read('{"*": "mongodb://a", "ledger": "mongodb://b"}'));
  expect([uris.get("wallet"), uris.get("ledger")]).toEqual(["mongodb://a", "mongodb://b"]);
  expect(() => urisOf("places.json", read('{"ledger": "mongodb://b"}'))).toThrow("no database for identity");
  expect(urisOf("mongodb://c").get("identity")).toBe("mongodb://c");
});

test.each([
  [["tenant", "hold", "--uri", "mongodb://a"], /--tenant/],
  [["tenant", "copy", "--tenant", "acme", "--from", "mongodb://a"], /--to/],
  [["shards", "zones", "--tenant", "acme", "--uri", "mongodb://a"], /--shard/],
  [["backup", "barrier", "--uri", "mongodb://a", "--run-minutes", "soon"], /--run-minutes/],
  [["reconcile", "all"], /--tenant/],
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

/** A tool as a person runs it, from its source. */
const tool = (path: string, ...args: string[]) =>
  spawn(process.execPath, ["--import", "./test/bench/edge/hooks.mjs", `deploy/${path}`, ...args], {
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });

test.each(["cli/ops.ts", "cli/admin.ts", "cli/ledger.ts", "partner/cli.ts"])(
  "%s does its work to the end where nobody reads it any more",
  async (path) => {
    const child = tool(path, "help");
    child.stdout.destroy();
    const [printed, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect([code, printed]).toEqual([0, ""]);
  },
);

test("a value that begins with a dash is told by its option, and how to write it, without the usage", async () => {
  const child = tool("partner/cli.ts", "credit", "--sender", "-1+2");
  const [printed, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect(printed).toContain("'--sender=-XYZ'");
  expect([code, printed.includes("npm run partner")]).toEqual([2, false]);
});
