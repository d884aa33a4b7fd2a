import fc from "fast-check";
import { JsonNumber, parseJson, printJson } from "../services/kernel/json.js";
import { freeJsonToWire } from "./free-json.js";

test.each(["1", "-1.5", "0", "-0.0", "0.1", "100", "1e3", "1E-7", "123456789012345678", "9007199254740992", "0.30"])(
  "keeps %s",
  (text) => {
    // 123456789012345678 is printed by doubles as 123456789012345680: only what comes back equal is
    // kept.
    const keep = () => freeJsonToWire(new JsonNumber(text), "f");
    if (text === "123456789012345678") return expect(keep).toThrow(/send it as a string/);
    expect(keep()).toBe(Number(text));
  },
);

test.each(["9007199254740993", "0.1000000000000000055511151231257827", "1e400", "3.14159265358979323846"])(
  "refuses %s, which a double would change",
  (text) => {
    expect(() => freeJsonToWire({ a: [new JsonNumber(text)] }, "f")).toThrow(/f\.a\.0/);
  },
);

test("every double that JSON prints is kept as it is", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
      const text = JSON.stringify(double);
      expect(JSON.stringify(freeJsonToWire(new JsonNumber(text), "f"))).toBe(text);
    }),
  );
});

test("every JSON of text, truth and small numbers comes back the same", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: true } as object), (value) => {
      const text = JSON.stringify({ value });
      if (/\\u|__proto__/.test(text)) return;
      expect(printJson(freeJsonToWire(parseJson(text), "f"))).toBe(text);
    }),
  );
});
