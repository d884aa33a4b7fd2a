import { decimal, isDecimal } from "./decimal.js";
import { readJson, writeBody, type Wire } from "./json.js";

const wire: Wire = {
  amounts: new Set(["newBalance"]),
  plain: new Map([["inclussive", "inclusive"]]),
  free: new Set(["dynamicFields"]),
};

describe.each([
  ["by the source text that a reviver is shown", true],
  ["without it, as on Node 20", false],
])("reading %s", (_how, knowsSource) => {
  const read = (text: string) => readJson(text, wire, knowsSource);

  test("an amount that is a number comes digit by digit", () => {
    expect(read('{"newBalance": 9007199254740993.01, "list": [{"newBalance":20}]}')).toEqual({
      newBalance: "9007199254740993.01",
      list: [{ newBalance: "20" }],
    });
  });

  test("a whole number that JavaScript holds exactly is a number, every other one text", () => {
    const text = '{"count":12,"zero":0,"less":-7,"rate":1525.750,"most":9007199254740993,"power":1e3,"items":[1,2.5]}';
    expect(read(text)).toEqual({
      count: 12,
      zero: 0,
      less: -7,
      rate: "1525.750",
      most: "9007199254740993",
      power: "1e3",
      items: [1, "2.5"],
    });
  });

  test("text stays text, whatever looks like a number in it", () => {
    const value = {
      amount: "20.00",
      text: 'a "12.5", {"newBalance": 1.5} \\ 3',
      nul: "\u0000n12",
      "\u0000s1": 7,
      none: null,
      yes: true,
    };
    expect(read(JSON.stringify(value))).toEqual(value);
  });

  test("odd names become plain, but not in what is the caller's own", () => {
    expect(read('{"data":[{"inclussive":true,"dynamicFields":{"inclussive":{"inclussive":1}}}]}')).toEqual({
      data: [{ inclusive: true, dynamicFields: { inclussive: { inclussive: 1 } } }],
    });
  });

  test.each(["", "{", '{"a":1', '{"a":01}', "<html>", '{"a":1.}', '{"a":-}'])(
    "what is no JSON is refused: %s",
    (text) => {
      expect(() => read(text)).toThrow(SyntaxError);
    },
  );
});

describe("writing", () => {
  test("an amount goes as it is, as a number where the wire wants one", () => {
    const body = { totalCheckOutAmount: decimal("9007199254740993.01"), sendAmount: "9007199254740993.01" };
    expect(writeBody(body, {}, ["totalCheckOutAmount"])).toBe(
      '{"totalCheckOutAmount":9007199254740993.01,"sendAmount":"9007199254740993.01"}',
    );
  });

  test("numbers that JavaScript holds exactly, and nothing that was not given", () => {
    const body = {
      a: 102.69,
      b: 20,
      c: 9007199254740993n,
      d: undefined,
      e: [1.5, null],
      f: { g: -0.25, h: undefined },
    };
    expect(writeBody(body)).toBe('{"a":102.69,"b":20,"c":9007199254740993,"e":[1.5,null],"f":{"g":-0.25}}');
  });

  test("odd names are written for plain ones of the body alone", () => {
    const body = { inclusive: true, dynamicFields: { inclusive: 1 }, constructor: "c" };
    expect(writeBody(body, { inclusive: "inclussive" })).toBe(
      '{"inclussive":true,"dynamicFields":{"inclusive":1},"constructor":"c"}',
    );
  });

  test.each([
    ["more than 15 digits", Number("1234567890123.4567")],
    ["a sum of floats", 0.1 + 0.2],
    ["beyond what is exact", 2 ** 53],
    ["an exponent", 1e-7],
    ["no number", Number.NaN],
    ["without end", Infinity],
  ])("a number is refused: %s", (_why, amount) => {
    expect(() => writeBody({ fees: [{ amount }] })).toThrow(
      /^fees\.0\.amount is a number that JavaScript does not hold/,
    );
  });

  test("text that is no decimal is refused where the wire wants a number", () => {
    for (const text of ["1,00", "1e3", "+1", "01", ".5", "", "1}"]) {
      expect(() => writeBody({ amount: text }, {}, ["amount"])).toThrow('amount is not decimal text such as "20.00"');
    }
  });
});

test("a decimal is read from text, or from a number that is exact", () => {
  expect([decimal("9007199254740993.01"), decimal(20), decimal(102.69), decimal(3n)]).toEqual([
    "9007199254740993.01",
    "20",
    "102.69",
    "3",
  ]);
  for (const wrong of ["1,5", "1e3", "", "--1", 0.1 + 0.2]) expect(() => decimal(wrong)).toThrow();
  expect(isDecimal("20.00")).toBe(true);
});
