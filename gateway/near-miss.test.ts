import { z } from "zod";
import { JsonNumber } from "../services/kernel/json.js";
import { nearMisses, unknownParameters } from "./near-miss.js";

const schema = z.object({
  pin: z.string(),
  amount: z.string().optional(),
  totalCheckOutAmount: z.string(),
  inner: z
    .object({ originCountry: z.string() })
    .nullish()
    .transform((value) => value ?? undefined),
  list: z.array(z.object({ key: z.string(), bankAccountId: z.string() })).optional(),
  free: z.record(z.string(), z.unknown()).optional(),
});

test.each([
  [{ Pin: 1 }, "Pin", "pin"],
  [{ amuont: 1 }, "amuont", "amount"],
  [{ amounts: 1 }, "amounts", "amount"],
  [{ Amoun: 1 }, "Amoun", "amount"],
  [{ totalCheckoutAmount: 1 }, "totalCheckoutAmount", "totalCheckOutAmount"],
  [{ totalChekOutAmont: 1 }, "totalChekOutAmont", "totalCheckOutAmount"],
  [{ inner: { OriginCountry: 1 } }, "inner.OriginCountry", "originCountry"],
  [{ list: [{}, { bankAcountId: 1 }] }, "list.1.bankAcountId", "bankAccountId"],
])("%j is told the right spelling", (value, path, meant) => {
  expect(nearMisses(schema, value)).toEqual([{ path, message: `is not a field; did you mean ${meant}?` }]);
});

test.each([
  [{ pins: 1 }],
  [{ pan: 1 }],
  [{ amountInWords: 1 }],
  [{ totalAmount: 1 }],
  [{ free: { Amount: 1, amounts: 2 } }],
  [{ list: [{ keys: 1 }] }],
  [{ amount: 1, pin: 2 }],
  [{ inner: null, list: "x" }],
])("%j is left alone", (value) => {
  expect(nearMisses(schema, value)).toEqual([]);
});

test("a number is no object, however it is kept", () => {
  const number = new JsonNumber("5");
  expect(nearMisses(schema, { inner: number, list: [number], pin: number })).toEqual([
    { path: "inner", message: "must be an object" },
    { path: "list.0", message: "must be an object" },
  ]);
});

describe("parameters of a query", () => {
  const query = z.object({ to: z.string(), size: z.string(), sendCurrency: z.string() });

  test.each([
    ["siz", "did you mean size?"],
    ["SIZE", "did you mean size?"],
    ["tto", "did you mean to?"],
    ["sendCurency", "did you mean sendCurrency?"],
    ["limit", "did you mean size?"],
    ["until", "did you mean to?"],
    ["since", "it takes to, size, sendCurrency"],
    ["constructor", "it takes to, size, sendCurrency"],
  ])("%s is told the nearest name", (name, said) => {
    const message = `is not a parameter of this operation; ${said}`;
    expect(unknownParameters(query, { [name]: "1", size: "2" })).toEqual([{ path: name, message }]);
  });

  test("an operation without any takes none", () => {
    const message = "is not a parameter of this operation; it takes none";
    expect(unknownParameters(undefined, { a: "1" })).toEqual([{ path: "a", message }]);
    expect(unknownParameters(undefined, {})).toEqual([]);
  });
});
