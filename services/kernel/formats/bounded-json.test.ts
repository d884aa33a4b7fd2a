import { boundedJson, boundedJsonOf, JsonFault, partnerJsonBounds } from "./bounded-json.js";

const { bytes, depth } = partnerJsonBounds;
const nested = (levels: number, open = "[", close = "]") => open.repeat(levels) + close.repeat(levels);
const reasonOf = (content: string | Uint8Array) => {
  try {
    return boundedJson(content);
  } catch (error) {
    return error instanceof JsonFault ? error.message : error;
  }
};

test("what is within the bounds is read, also brackets inside of texts", () => {
  expect(boundedJson('{"a":[1,{"b":"[[[[{{{{\\"["}]}', { bytes: 100, depth: 3 })).toEqual({
    a: [1, { b: '[[[[{{{{"[' }],
  });
  expect(boundedJson(Buffer.from("null"))).toBeNull();
  expect(boundedJson(nested(depth))).toBeDefined();
});

test.each<[string, string | Uint8Array, string]>([
  ["deeper arrays", nested(depth + 1), `is JSON nested deeper than ${depth} levels`],
  ["deeper objects", '{"a":'.repeat(100_000), `is JSON nested deeper than ${depth} levels`],
  ["more bytes", `"${"a".repeat(bytes)}"`, `is JSON of more than ${bytes} bytes`],
  ["more bytes than letters", `"${"é".repeat(bytes / 2)}"`, `is JSON of more than ${bytes} bytes`],
  ["a text without end", '{"a":"', "is no JSON"],
  ["bytes that are no UTF-8", Uint8Array.of(0x22, 0xff, 0x22), "is no JSON"],
  ["nothing", "", "is no JSON"],
])("%s are refused by a sentence", (_what, content, reason) => {
  expect(reasonOf(content)).toBe(reason);
});

test("an answer without end is given up at the bound", async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
  });
  await expect(boundedJsonOf(new Response(endless))).rejects.toThrow(`is an answer of more than ${bytes} bytes`);
  expect(sent).toBeLessThan(2 * bytes);
});
