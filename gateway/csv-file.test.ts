import { parse } from "csv-parse/sync";
import { buffer } from "node:stream/consumers";
import type { Readable } from "node:stream";
import { turnEnds, type TurnEnd } from "../services/kernel/time/turns.js";
import { plainCell } from "../services/kernel/formats/csv-lines.js";
import { csvFile } from "./csv-file.js";

const printed = async (pages: { name: string; amount?: bigint }[][]) =>
  (await buffer(csvFile("names.csv", ["name", "amount"], pages).content as Readable)).toString();

test.each([
  ["=1+1", "'=1+1"],
  ["+2348031234567", "'+2348031234567"],
  ["-cmd", "'-cmd"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", "'\tx"],
  ["\rx", "'\rx"],
  ["\nx", "'\nx"],
  ["  =1", "'  =1"],
  ["＝1+1", "'＝1+1"],
  ["-25.00", "-25.00"],
  ["-5", "-5"],
  ["--5", "'--5"],
  ["-5+A1", "'-5+A1"],
  ["1+1", "1+1"],
  ["Łukasz = 1", "Łukasz = 1"],
  ["", ""],
])("the cell %j is printed as %j", (cell, plain) => expect(plainCell(cell)).toBe(plain));

test("a file has a mark, a header and CRLF, and gives back what it was given", async () => {
  const names = ['Łukasz "Ł", Żółć', "two\nlines", "محمد"];
  const file = await printed([names.map((name) => ({ name, amount: -5n })), [{ name: "none" }]]);
  expect(file.startsWith("\ufeffname,amount\r\n")).toBe(true);
  expect(file.endsWith("none,\r\n")).toBe(true);
  expect(parse(file, { bom: true, columns: true })).toEqual([
    ...names.map((name) => ({ name, amount: "-5" })),
    { name: "none", amount: "" },
  ]);
});

test("a page of any length is printed in turns of 200 rows", async () => {
  const units: number[] = [];
  const note = (end: unknown) => {
    if ((end as TurnEnd).work === "csv") units.push((end as TurnEnd).units);
  };
  turnEnds.subscribe(note);
  await printed([Array.from({ length: 1_001 }, () => ({ name: "x" }))]);
  turnEnds.unsubscribe(note);
  expect(units).toEqual([200, 200, 200, 200, 200, 1]);
});
