import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// In a process of its own, since it is meant to die; Node strips the types itself.
function run(env: Record<string, string>) {
  const script = `
    import { crashPoint } from ${JSON.stringify(join(__dirname, "crash-point.ts"))};
    for (const step of ["a", "b", "a"]) { crashPoint("saga." + step); console.log(step); }`;
  const child = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    env: { PATH: process.env["PATH"], ...env },
    encoding: "utf8",
  });
  return { signal: child.signal, passed: child.stdout.split("\n").join("") };
}

test("does nothing unless it is named", () => {
  expect(run({})).toEqual({ signal: null, passed: "aba" });
  expect(run({ CRASH_POINT: "saga" })).toEqual({ signal: null, passed: "aba" });
});

test("kills the process before the next line runs", () => {
  expect(run({ CRASH_POINT: "saga.b" })).toEqual({ signal: "SIGKILL", passed: "a" });
});

test("can wait for the nth pass", () => {
  expect(run({ CRASH_POINT: "saga.a:2" })).toEqual({ signal: "SIGKILL", passed: "ab" });
});

test("can be armed by a file, for one kill", () => {
  const file = join(mkdtempSync(join(tmpdir(), "manilla-crash-")), "point");
  expect(run({ CRASH_POINT_FILE: file })).toEqual({ signal: null, passed: "aba" });
  writeFileSync(file, "saga.b");
  expect(run({ CRASH_POINT_FILE: file })).toEqual({ signal: "SIGKILL", passed: "a" });
  expect(existsSync(file)).toBe(false);
  expect(run({ CRASH_POINT_FILE: file })).toEqual({ signal: null, passed: "aba" });
});

test("is never armed in production", () => {
  expect(run({ CRASH_POINT: "saga.a", NODE_ENV: "production" })).toEqual({ signal: null, passed: "aba" });
});
