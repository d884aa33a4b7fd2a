import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const steps = `for (const step of ["a", "b", "a"]) { crashPoint("saga." + step); console.log(step); }`;

// In a process of its own, since it is meant to die; Node strips the types itself.
function run(env: Record<string, string>, work = steps) {
  const script = `
    import { crashPoint, leaseOf } from ${JSON.stringify(join(__dirname, "crash-point.ts"))};
    ${work}`;
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

test("what a killed process had begun may be free sooner than usual", () => {
  const lease = (env: Record<string, string>) => run(env, "console.log(leaseOf(10_000))").passed;
  expect(lease({})).toBe("10000");
  expect(lease({ CRASH_LEASE_MS: "2000" })).toBe("2000");
  expect(lease({ CRASH_LEASE_MS: "2000", NODE_ENV: "production" })).toBe("10000");
});

test("is never armed in production", () => {
  expect(run({ CRASH_POINT: "saga.a", NODE_ENV: "production" })).toEqual({ signal: null, passed: "aba" });
});
