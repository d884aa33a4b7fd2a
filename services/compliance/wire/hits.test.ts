import { hitReasonFromWire } from "./hits.js";

test.each(["a\u200bb", "\u202egnihton", "told apart\u2060"])(
  "a reason is what everybody reads: %j is refused",
  (reason) => {
    expect(() => hitReasonFromWire(reason)).toThrow(
      expect.objectContaining({
        code: "INVALID_INPUT",
        details: { errors: [{ path: "reason", message: "must not hold invisible or direction-changing characters" }] },
      }),
    );
  },
);

test("a reason in any script is taken, without what stands around it", () => {
  expect(hitReasonFromWire("  Паспорт другого человека ")).toBe("Паспорт другого человека");
});
