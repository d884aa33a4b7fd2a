import { randomBytes } from "node:crypto";
import { assertMayTry, isPickupCode, maxTries, newPickupCode, type Pickup } from "./pickup.js";

const fresh: Pickup = { pointId: "p1", tries: 0 };
const locked = expect.objectContaining({ code: "PICKUP_CODE_LOCKED" });

test("a code is known however it is written, and only its hash is kept", async () => {
  const { code, pickup } = await newPickupCode(fresh, "ADA", randomBytes);
  expect(code).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/);
  for (const text of [code, code.toLowerCase(), code.replace("-", " ")])
    expect(await isPickupCode(pickup, text)).toBe(true);
  expect(await isPickupCode(pickup, `${code.slice(0, -1)}${code.endsWith("2") ? "3" : "2"}`)).toBe(false);
  expect(JSON.stringify(pickup)).not.toContain(code);
});

test("it may be tried until five were wrong, and not before the sender has asked for one", async () => {
  const { pickup } = await newPickupCode({ ...fresh, tries: maxTries }, "ADA", randomBytes);
  expect(maxTries).toBe(5);
  for (let tries = 0; tries < 5; tries++) expect(() => assertMayTry({ ...pickup, tries })).not.toThrow();
  for (const tries of [5, 6]) expect(() => assertMayTry({ ...pickup, tries })).toThrow(locked);
  expect(() => assertMayTry(fresh)).toThrow(locked);
  expect(pickup.tries).toBe(0);
});
