import fc from "fast-check";
import { Refusal, refusalTable, type RefusalCode } from "../refusal.js";
import { refusalFromTrailer, refusalToTrailer } from "./refusal-trailer.js";

const text = fc.string({ unit: "binary", maxLength: 60 });
const refusals = fc
  .record(
    {
      code: fc.constantFrom(...(Object.keys(refusalTable) as RefusalCode[])),
      message: text,
      details: fc.record(
        {
          errors: fc.array(fc.record({ path: text, message: text }), { maxLength: 5 }),
          figures: fc.dictionary(text, text, { maxKeys: 5 }),
          retryAfterS: fc.nat(),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ["code", "message"] },
  )
  .map(({ code, message, details }) => new Refusal(code, message, details));

test("any refusal comes back as it was, through header values of printable ASCII", () => {
  fc.assert(
    fc.property(refusals, (refusal) => {
      const trailer = refusalToTrailer(refusal);
      expect(trailer).toMatch(/^[ -~]*$/);
      const back = refusalFromTrailer(trailer);
      expect(back).toBeInstanceOf(Refusal);
      expect([back?.code, back?.message]).toEqual([refusal.code, refusal.message]);
      // As JSON: a name such as "__proto__" is a name like any other.
      expect(JSON.stringify(back?.details)).toBe(JSON.stringify(refusal.details));
    }),
  );
});

test("a trailer stays small, however much a refusal has to say", () => {
  const errors = Array.from({ length: 500 }, () => ({ path: "\u{1F4B8}".repeat(40), message: "ü".repeat(500) }));
  const trailer = refusalToTrailer(new Refusal("INVALID_INPUT", "ü".repeat(9_000), { errors, retryAfterS: 1 }));
  expect(trailer.length).toBeLessThan(16_000);
  expect(refusalFromTrailer(trailer)?.details).toMatchObject({ retryAfterS: 1 });
});

test.each([undefined, "", "{", "null", "7", '{"code":7,"message":"x"}', '{"code":"FORBIDDEN"}'])(
  "%p is no refusal",
  (trailer) => {
    expect(refusalFromTrailer(trailer)).toBeUndefined();
  },
);

test("a code that only a newer version knows is still a refusal", () => {
  const refusal = refusalFromTrailer('{"code":"LOAN_OVERDUE","message":"x"}');
  expect(refusal).toMatchObject({ code: "INTERNAL", message: expect.stringContaining("LOAN_OVERDUE") });
});
