import { hash, verify } from "@node-rs/argon2";
import { createPasswordHasher } from "./passwords.js";

const cost = { memoryKib: 8, passes: 1 };

test("hashes with argon2id, anew each time, and verifies", async () => {
  const hasher = await createPasswordHasher(cost);
  const one = await hasher.hash("correct-horse-7");
  expect(one).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
  expect(await hasher.hash("correct-horse-7")).not.toBe(one);
  await expect(hasher.verify(one, "correct-horse-7")).resolves.toEqual({ ok: true, outdated: false });
  await expect(hasher.verify(one, "correct-horse-8")).resolves.toEqual({ ok: false, outdated: false });
  const dearer = await createPasswordHasher({ memoryKib: 16, passes: 1 });
  await expect(dearer.verify(one, "correct-horse-7")).resolves.toEqual({ ok: true, outdated: true });
});

test("nobody's password is never right", async () => {
  const hasher = await createPasswordHasher(cost);
  for (const given of ["", "x", "correct-horse-7"]) {
    await expect(hasher.verify(undefined, given)).resolves.toEqual({ ok: false, outdated: false });
  }
});

test("hashes no more at once than it may, all in their turn, and turns away who would wait too long", async () => {
  let running = 0;
  let most = 0;
  const slow = async (...args: Parameters<typeof hash>) => {
    most = Math.max(most, ++running);
    const hashed = await hash(...args);
    running -= 1;
    return hashed;
  };
  const hasher = await createPasswordHasher(cost, { argon2: { hash: slow, verify }, concurrency: 2 });
  const all = await Promise.allSettled(Array.from({ length: 210 }, () => hasher.hash("correct-horse-7")));
  expect(most).toBe(2);
  const refused = all.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(8);
  for (const outcome of refused) {
    expect(outcome).toMatchObject({ reason: { code: "OVERLOADED", details: { retryAfterS: 1 } } });
  }
  await expect(hasher.hash("correct-horse-7")).resolves.toBeDefined();
});

test("turns away at once who would wait more than three seconds by what hashes take, saying how long", async () => {
  let nowMs = 0;
  // Every hash takes 100 ms of this clock.
  const slow = async (...args: Parameters<typeof hash>) => {
    const hashed = await hash(...args);
    nowMs += 100;
    return hashed;
  };
  const hasher = await createPasswordHasher(cost, {
    argon2: { hash: slow, verify },
    concurrency: 1,
    nowMs: () => nowMs,
  });
  await hasher.hash("correct-horse-7");
  const all = await Promise.allSettled(Array.from({ length: 100 }, () => hasher.hash("correct-horse-7")));
  const refused = all.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  // One at work, and thirty whose turn comes within 3 s.
  expect(all.length - refused.length).toBe(31);
  expect(new Set(refused.map(({ code, details }) => `${code} ${details.retryAfterS}`))).toEqual(
    new Set(["OVERLOADED 4"]),
  );
  await expect(hasher.hash("correct-horse-7")).resolves.toBeDefined();
});

test("turns away who has waited three seconds, and goes on", async () => {
  jest.useFakeTimers();
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  let first = true;
  const stuck = async (...args: Parameters<typeof verify>) => {
    if (first) await held;
    first = false;
    return verify(...args);
  };
  const hasher = await createPasswordHasher(cost, { argon2: { hash, verify: stuck }, concurrency: 1 });
  const running = hasher.verify(undefined, "correct-horse-7");
  const waiting = hasher.verify(undefined, "correct-horse-7");
  jest.advanceTimersByTime(3_000);
  jest.useRealTimers();
  await expect(waiting).rejects.toMatchObject({ code: "OVERLOADED" });
  release();
  await expect(running).resolves.toMatchObject({ ok: false });
  await expect(hasher.verify(undefined, "correct-horse-7")).resolves.toMatchObject({ ok: false });
});

test("spares itself the work for a caller who has gone", async () => {
  const hasher = await createPasswordHasher(cost);
  await expect(hasher.hash("correct-horse-7", AbortSignal.abort())).rejects.toMatchObject({
    code: "DEADLINE_EXCEEDED",
  });
  await expect(hasher.hash("correct-horse-7")).resolves.toBeDefined();
});
