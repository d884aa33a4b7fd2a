import { reasonFromWire } from "./reason.js";

const refusedWith = (message: string) =>
  expect.objectContaining({ code: "INVALID_INPUT", details: { errors: [{ path: "reason", message }] } });

test.each([
  "a\u200bb",
  "\u202egnihton",
  "told apart\u2060",
  "a\u0007b",
  "a\u0000b",
  "\u001b[31mred",
  "a\ufe0fb",
  "1\ufe0f",
  "❤️\u200d",
  "❤️\ufe0f",
])("a reason is what everybody reads: %j is refused", (reason) => {
  const message = "must not hold control characters or invisible ones";
  expect(() => reasonFromWire(reason)).toThrow(refusedWith(message));
});

test.each(["", " \n ", "a".repeat(301)])("a reason has 1 to 300 characters: %j is refused", (reason) => {
  expect(() => reasonFromWire(reason)).toThrow(refusedWith("must have 1 to 300 characters"));
});

test("a reason in any script and of several lines is taken, without what stands around it", () => {
  expect(reasonFromWire("  Паспорт другого человека ")).toBe("Паспорт другого человека");
  expect(reasonFromWire("first\r\nsecond\rthird\n")).toBe("first\nsecond\nthird");
  expect(reasonFromWire("\tname\tcountry")).toBe("name country");
  for (const emoji of ["❤️", "✔️ checked", "👩🏽‍⚖️", "❤‍🔥", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇳🇬"]) expect(reasonFromWire(emoji)).toBe(emoji);
  expect(reasonFromWire("a\r\n".repeat(150))).toBe("a\n".repeat(150).trim());
  expect(reasonFromWire("", "reason", { mayBeEmpty: true })).toBe("");
});
