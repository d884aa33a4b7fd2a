import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "manilla-end-of-jest-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A process that writes its results and then does `after`, watched; how it ended. */
async function watched(name: string, after: string) {
  const [results, beats] = [join(folder, name), join(folder, `${name}.beats`)];
  const child = `
    const { writeFileSync } = require("node:fs");
    setInterval(() => writeFileSync(${JSON.stringify(beats)}, ""), 50).unref();
    writeFileSync(${JSON.stringify(beats)}, "");
    writeFileSync(${JSON.stringify(results)}, "{}"); ${after}`;
  const watcher = `
    import { spawn } from "node:child_process";
    import { endAfter } from ${JSON.stringify(join(__dirname, "..", "run", "end-of-jest.mjs"))};
    const child = spawn(process.execPath, ["-e", ${JSON.stringify(child)}]);
    const end = endAfter(${JSON.stringify(results)}, ${JSON.stringify(beats)}, child, { graceMs: 2_000, lookEveryMs: 50 });
    child.once("close", (status, signal) => console.log(JSON.stringify({ status, signal, isLockedUp: end.isLockedUp, threads: end.threads.length })));`;
  const watching = spawn(process.execPath, ["--input-type=module", "--eval", watcher]);
  let printed = "";
  watching.stdout.on("data", (text: Buffer) => (printed += text.toString()));
  await new Promise((resolve) => watching.once("close", resolve));
  return JSON.parse(printed) as unknown;
}

test("who ends is let be, whatever it took until its results", async () => {
  expect(await watched("ends", "process.exitCode = 3")).toEqual({
    status: 3,
    signal: null,
    isLockedUp: false,
    threads: 0,
  });
});

test("who is kept alive by something left open is killed, and is not taken for locked up", async () => {
  const open = await watched("open", "setInterval(() => {}, 1000)");
  expect(open).toMatchObject({ status: null, signal: "SIGKILL", isLockedUp: false });
});

test.each([
  ["waits for a thread", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)"],
  ["turns in circles", "for (;;);"],
])("whose event loop has stopped, since it %s, is locked up", async (name, after) => {
  const locked = await watched(name.replaceAll(" ", "-"), after);
  expect(locked).toMatchObject({ status: null, signal: "SIGKILL", isLockedUp: true });
});
