import fc from "fast-check";

import { divideRounded, formatDecimal, multiplyMoney, parseDecimal } from "../../services/kernel/decimal.js";
import { moneyNumber, parseJson, printJson, type JsonNumber } from "../../services/kernel/json.js";
import {
  addMoney,
  allocate,
  formatMoney,
  maxInt64,
  minInt64,
  parseMoney,
  parseSignedMoney,
  subtractMoney,
} from "../../services/kernel/money.js";

const currency = fc.constantFrom(["JPY", 0] as const, ["USD", 2] as const, ["KWD", 3] as const);
// Both ends of the range, where wrapping would show, as often as the middle.
const minor = fc.oneof(
  fc.bigInt({ min: 0n, max: maxInt64 }),
  fc.bigInt({ min: maxInt64 - 1_000n, max: maxInt64 }),
  fc.bigInt({ min: 0n, max: 1_000n }),
);
const refused = (code: string) => expect.objectContaining({ code });

describe("parsing and printing", () => {
  test("an amount survives its own text, and JSON", () => {
    fc.assert(
      fc.property(currency, minor, ([code], units) => {
        const amount = { minor: units, currency: code };
        expect(parseMoney(formatMoney(amount), code)).toEqual(amount);
        const again = parseJson(printJson({ amount: moneyNumber(amount) })) as { amount: JsonNumber };
        expect(parseMoney(again.amount.text, code)).toEqual(amount);
      }),
    );
  });

  test("a signed amount survives its own text", () => {
    fc.assert(
      fc.property(currency, fc.bigInt({ min: minInt64, max: maxInt64 }), ([code], units) => {
        const amount = { minor: units, currency: code };
        expect(parseSignedMoney(formatMoney(amount), code)).toEqual(amount);
      }),
    );
  });

  test("prints exactly the currency's decimals", () => {
    fc.assert(
      fc.property(currency, minor, ([code, digits], units) => {
        const [, decimals = ""] = formatMoney({ minor: units, currency: code }).split(".");
        expect(decimals).toHaveLength(digits);
      }),
    );
  });

  test("padding zeros change nothing; a digit beyond the currency's decimals is refused", () => {
    fc.assert(
      fc.property(
        currency,
        minor,
        fc.nat({ max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        ([code], units, zeros, digit) => {
          const text = formatMoney({ minor: units, currency: code });
          const padded = (text.includes(".") ? text : `${text}.`) + "0".repeat(zeros + 1);
          expect(parseMoney(padded, code).minor).toBe(units);
          expect(() => parseMoney(padded + String(digit), code)).toThrow(refused("INVALID_INPUT"));
        },
      ),
    );
  });

  test("everything beyond 2^63-1 minor units is refused", () => {
    fc.assert(
      fc.property(currency, fc.bigInt({ min: maxInt64 + 1n, max: 2n ** 70n }), ([code, digits], units) => {
        const text = units.toString();
        const whole = text.slice(0, text.length - digits);
        const printed = digits === 0 ? whole : `${whole}.${text.slice(-digits)}`;
        expect(() => parseMoney(printed, code)).toThrow(refused("AMOUNT_TOO_LARGE"));
      }),
    );
  });

  test("any other text is refused, never read as something", () => {
    fc.assert(
      fc.property(currency, fc.string(), ([code], text) => {
        fc.pre(!/^(0|[1-9]\d*)(\.\d+)?$/.test(text));
        expect(() => parseMoney(text, code)).toThrow(refused("INVALID_INPUT"));
      }),
    );
  });
});

describe("arithmetic", () => {
  test("a sum is exact or refused, and subtracting undoes it", () => {
    fc.assert(
      fc.property(currency, minor, minor, ([code], a, b) => {
        const [one, other] = [a, b].map((units) => ({ minor: units, currency: code })) as [never, never];
        if (a + b > maxInt64) {
          expect(() => addMoney(one, other)).toThrow(refused("AMOUNT_TOO_LARGE"));
        } else {
          expect(subtractMoney(addMoney(one, other), other)).toEqual(one);
        }
      }),
    );
  });

  test("multiplying by one changes nothing, and rounding is off by less than one unit", () => {
    fc.assert(
      fc.property(
        currency,
        fc.bigInt({ min: -(2n ** 40n), max: 2n ** 40n }),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        fc.constantFrom("half-even", "half-up", "down", "up"),
        ([code], units, divisor, rounding) => {
          const amount = { minor: units, currency: code };
          expect(multiplyMoney(amount, parseDecimal("1"), code, rounding)).toEqual(amount);
          const error = divideRounded(units, divisor, rounding) * divisor - units;
          expect(error < divisor && error > -divisor).toBe(true);
          if (rounding.startsWith("half")) expect(2n * error <= divisor && 2n * error >= -divisor).toBe(true);
        },
      ),
    );
  });

  test("a rate survives its own text", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.nat({ max: 12 }), (digits, scale) => {
        const value = parseDecimal(formatDecimal({ digits, scale }));
        expect(value.digits * 10n ** BigInt(scale)).toBe(digits * 10n ** BigInt(value.scale));
        expect(parseDecimal(formatDecimal(value))).toEqual(value);
      }),
    );
  });
});

describe("allocation", () => {
  const weights = fc
    .array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 20 })
    .filter((all) => all.some((weight) => weight > 0n));

  test("sums to the total, and no share is a unit or more away from its part", () => {
    fc.assert(
      fc.property(currency, minor, weights, fc.boolean(), ([code], units, all, negative) => {
        const total = negative ? -units : units;
        const shares = allocate({ minor: total, currency: code }, all);
        const sum = all.reduce((one, other) => one + other, 0n);
        expect(shares.reduce((left, share) => left + share.minor, 0n)).toBe(total);
        shares.forEach((share, index) => {
          const off = share.minor * sum - total * (all[index] ?? 0n);
          expect(off < sum && off > -sum).toBe(true);
          if (all[index] === 0n) expect(share.minor).toBe(0n);
        });
      }),
    );
  });
});
