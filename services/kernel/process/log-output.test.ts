import { execFileSync } from "node:child_process";
import { closeSync, constants, existsSync, mkdtempSync, openSync, readFileSync, readSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "./log.js";
import { createLogOutput } from "./log-output.js";
import { waitFor } from "../../../test/support/index.js";

const onFullDisk = existsSync("/dev/full") ? test : test.skip;
const opened: number[] = [];
const open = (path: string, flags: string): number => {
  const fd = openSync(path, flags);
  opened.push(fd);
  return fd;
};
afterEach(() => {
  for (const fd of opened.splice(0)) closeSync(fd);
});

function counted(options: { fd: number; isBusy?: boolean }) {
  let lost = 0;
  const destination = createLogOutput({ ...options, onLost: (lines) => void (lost += lines) });
  return { log: createLogger({ service: "wallet", level: "info", destination }), lost: () => lost };
}

onFullDisk("a line that a full disk does not take is counted and nothing else happens", async () => {
  const plain = counted({ fd: open("/dev/full", "w") });
  for (let line = 0; line < 3; line += 1) plain.log.info("paid");
  expect(plain.lost()).toBe(3);
  const busy = counted({ fd: open("/dev/full", "w"), isBusy: true });
  for (let line = 0; line < 200; line += 1) busy.log.info({ line, text: "x".repeat(100) }, "paid");
  await waitFor(async () => busy.lost() === 200, { timeoutMs: 5_000, everyMs: 20, what: "all to be counted" });
});

test("a reader that went away costs lines", async () => {
  const fifo = join(mkdtempSync(join(tmpdir(), "log-")), "pipe");
  execFileSync("mkfifo", [fifo]);
  const reader = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
  const busy = counted({ fd: open(fifo, "w"), isBusy: true });
  busy.log.info("read");
  const isRead = async () => {
    try {
      return readSync(reader, Buffer.alloc(65_536)) > 0;
    } catch {
      return false;
    }
  };
  await waitFor(isRead, { timeoutMs: 5_000, everyMs: 20, what: "the line" });
  const plain = counted({ fd: open(fifo, "w") });
  closeSync(reader);
  plain.log.info("nobody reads this");
  busy.log.info("nor this");
  expect(plain.lost()).toBe(1);
  await waitFor(async () => busy.lost() === 1, { timeoutMs: 5_000, everyMs: 20, what: "it to be counted" });
});

test("lines come out whole and in their order, together where the process is busy", async () => {
  const folder = mkdtempSync(join(tmpdir(), "log-"));
  for (const isBusy of [false, true]) {
    const file = join(folder, String(isBusy));
    const { log, lost } = counted({ fd: open(file, "a"), isBusy });
    for (let line = 0; line < 500; line += 1) log.info({ line, text: "ü".repeat(200) }, "paid");
    const lines = () => readFileSync(file, "utf8").split("\n").slice(0, -1);
    await waitFor(async () => lines().length === 500, { timeoutMs: 5_000, everyMs: 20, what: "all lines" });
    expect(lines().map((text) => (JSON.parse(text) as { line: number }).line)).toEqual([...Array(500).keys()]);
    expect(lost()).toBe(0);
  }
});
