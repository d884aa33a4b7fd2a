import { isCountry, toAlpha3 } from "./countries.js";

test.each([
  ["NG", "NGA"],
  ["NGA", "NGA"],
  ["gb", "GBR"],
  ["Ken", "KEN"],
  ["XK", "XKX"],
  ["XKX", "XKX"],
])("%s is %s", (text, alpha3) => {
  expect(toAlpha3(text, "country")).toBe(alpha3);
  expect(isCountry(text)).toBe(true);
});

test.each(["", "N", "UK", "ZZZ", "566", "Nigeria", "NG ", "__proto__", "XKK"])("refuses %p at its path", (text) => {
  expect(isCountry(text)).toBe(false);
  expect(() => toAlpha3(text, "originCountry")).toThrow(
    expect.objectContaining({
      code: "INVALID_INPUT",
      details: { errors: [expect.objectContaining({ path: "originCountry" })] },
    }),
  );
});
