import { xirr } from "./xirr.js";

const flows = (rows: [string, number][]) =>
  rows.map(([date, amount]) => ({ date: Temporal.PlainDate.from(date), minor: BigInt(amount * 100) }));

test.each<[string, [string, number][], string]>([
  [
    "Microsoft, XIRR function: 0.373362535, accurate to 0.000001 percent",
    [
      ["2008-01-01", -10_000],
      ["2008-03-01", 2_750],
      ["2008-10-30", 4_250],
      ["2009-02-15", 3_250],
      ["2009-04-01", 2_750],
    ],
    "0.373362534",
  ],
  [
    "OpenOffice Calc, XIRR function: approximately 0.124",
    [
      ["2008-02-05", -2_750],
      ["2008-07-05", 1_000],
      ["2009-01-05", 2_000],
    ],
    "0.123631096",
  ],
  [
    "the crate xirr, as LibreOffice Calc: 0.1635371584432641, with flows out of order",
    [
      ["2015-06-11", -1_000],
      ["2015-07-21", -9_000],
      ["2018-06-10", 20_000],
      ["2015-10-17", -3_000],
    ],
    "0.163537158",
  ],
  [
    "Google Sheets, XIRR: more lost than gained",
    [
      ["2012-01-01", -4_000],
      ["2012-06-23", 200],
      ["2013-05-12", 250],
      ["2014-02-09", 300],
    ],
    "-0.644085534",
  ],
])("%s", (_source, rows, expected) => {
  expect(xirr(flows(rows))?.toFixed(9)).toBe(expected);
});

test("there is none without money both ways, or where all of it is on one day", () => {
  expect(xirr([])).toBeUndefined();
  expect(xirr(flows([["2025-01-01", -1]]))).toBeUndefined();
  expect(
    xirr(
      flows([
        ["2025-01-01", -1],
        ["2025-01-01", 2],
      ]),
    ),
  ).toBeUndefined();
});
