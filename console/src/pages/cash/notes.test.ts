import { notesOf, piecesOf, worthOf } from "./notes";

it("adds notes and coins exactly", () => {
  const pieces = piecesOf(["100.00", "20.00", "0.25", "0.01"], ["1", "", " 30 ", "3"]);
  expect(pieces).toEqual([
    { value: "100.00", count: 1 },
    { value: "0.25", count: 30 },
    { value: "0.01", count: 3 },
  ]);
  expect(worthOf(pieces ?? [])).toBe("107.53");
  expect(worthOf([])).toBe("0.00");
});

it("takes no count that is none", () => {
  expect(["-1", "1.5", "two", "12345678"].map((typed) => piecesOf(["5.00"], [typed]))).toEqual(
    Array(4).fill(undefined),
  );
});

it("has the values of a currency from the largest down, each once", () => {
  for (const currency of ["AED", "CAD", "EUR", "GBP", "GHS", "INR", "KES", "NGN", "USD"]) {
    const values = notesOf(currency).map(Number);
    expect(values).toEqual([...new Set(values)].toSorted((one, other) => other - one));
  }
  expect(notesOf("XXX")).toEqual([]);
});
