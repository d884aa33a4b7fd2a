import { JsonNumber, moneyNumber, parseJson, printJson } from "./json.js";
import { money } from "./money.js";

const badInput = expect.objectContaining({ code: "INVALID_INPUT" });

describe("parseJson", () => {
  test("keeps numbers as they were written", () => {
    const body = parseJson('{"a":25.000,"b":9223372036854775807,"c":[1e2,-0]}') as Record<string, unknown>;
    expect(body["a"]).toEqual(new JsonNumber("25.000"));
    expect(body["b"]).toEqual(new JsonNumber("9223372036854775807"));
    expect(body["c"]).toEqual([new JsonNumber("1e2"), new JsonNumber("-0")]);
  });

  test("round-trips exact text", () => {
    const text = '{"a":25.000,"b":[true,null,"x\\"},{"],"c":{"d":0.1000000000000000055511151231257827}}';
    expect(printJson(parseJson(text))).toBe(text);
  });

  test.each(["", "{", '{"a":1', '{"a" 1}', "[1,]", "nul", '{"a":01}', '"\u0001"', "}{", '{"\\u12":1,"\\u12":2}'])(
    "refuses %p",
    (text) => {
      expect(() => parseJson(text)).toThrow(badInput);
    },
  );

  test("never quotes the text in what it refuses", () => {
    try {
      parseJson('{"password": "hunter2-hunter2" oops');
      throw new Error("must refuse");
    } catch (error) {
      expect(error).toEqual(badInput);
      expect((error as Error).message).not.toContain("hunter2");
    }
  });

  test("refuses 10,000 levels before parsing them, and brackets inside strings do not count", () => {
    expect(() => parseJson("[".repeat(10_000) + "]".repeat(10_000))).toThrow("nested deeper than 64");
    expect(() => parseJson('{"a":'.repeat(1_000_000))).toThrow(badInput);
    expect(parseJson(JSON.stringify(["[".repeat(100)]))).toEqual(["[".repeat(100)]);
    expect(parseJson("[".repeat(3) + "]".repeat(3), { maxDepth: 3 })).toEqual([[[]]]);
    expect(() => parseJson("[".repeat(4) + "]".repeat(4), { maxDepth: 3 })).toThrow(badInput);
  });

  test("refuses a key that is given twice in one object, however it is escaped", () => {
    expect(() => parseJson('{"amount":1,"amount":2}')).toThrow("amount: is given more than once");
    expect(() => parseJson('{"amount":1,"am\\u006funt":2}')).toThrow(badInput);
    expect(parseJson('[{"a":1},{"a":"a"},{"b":{"a":["a","a"]},"a":[]}]')).toHaveLength(3);
  });

  test("cannot reach a prototype", () => {
    const body = parseJson('{"__proto__":{"admin":true},"a":{"__proto__":1,"b":"c"}}') as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(["a"]);
    expect(body["admin"]).toBeUndefined();
    expect(body["a"]).toEqual({ b: "c" });
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
  });

  test("refuses text that cannot be stored or sent as it is", () => {
    for (const text of ['"\\ud800"', '"a\\u0000b"', '{"a\\u0000":1}']) expect(() => parseJson(text)).toThrow(badInput);
    expect(parseJson('"\\ud83d\\ude00"')).toBe("😀");
  });
});

describe("printJson", () => {
  test("prints bigint and amounts as exact digits and leaves undefined out", () => {
    const amount = moneyNumber(money(9_223_372_036_854_775_807n, "USD"));
    expect(printJson({ a: 2n ** 62n, b: undefined, amount, list: [1, "x", amount] })).toBe(
      '{"a":4611686018427387904,"amount":92233720368547758.07,"list":[1,"x",92233720368547758.07]}',
    );
    expect(JSON.stringify({ amount })).toBe('{"amount":92233720368547758.07}');
  });

  test("has no words for what JSON lacks", () => {
    expect(() => printJson({ a: Number.NaN })).toThrow(TypeError);
    expect(() => printJson(undefined)).toThrow(TypeError);
    expect(() => new JsonNumber("1; drop")).toThrow(TypeError);
  });
});
