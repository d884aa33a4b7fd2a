import { deflateSync } from "node:zlib";
import { activeContentOf } from "./active-content.js";

const pdf = (...parts: (string | Buffer)[]) =>
  Buffer.concat([
    Buffer.from("%PDF-1.7\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n"),
    ...parts.map((part) => Buffer.from(part)),
    Buffer.from("\ntrailer <</Root 1 0 R>>\n%%EOF\n"),
  ]);
const stream = (dictionary: string, bytes: Buffer) =>
  Buffer.concat([Buffer.from(`5 0 obj <<${dictionary}>>\nstream\r\n`), bytes, Buffer.from("\r\nendstream endobj\n")]);
const objects = (content: string, dictionary = "/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode") =>
  stream(dictionary, deflateSync(Buffer.from(content)));
const contentOf = (bytes: Buffer) => activeContentOf(bytes, "application/pdf");
const script = "<</S /JavaScript /JS (app.alert(1))>>";

test.each([
  ["a script", pdf(`3 0 obj ${script} endobj`), "/JavaScript"],
  ["a script when it opens", pdf("3 0 obj <</OpenAction <</S /Rendition /JS 4 0 R>>>> endobj"), "/JS"],
  ["a script whose name is written in codes", pdf("3 0 obj <</S /J#61vaScrip#74 /#4AS (x)>> endobj"), "/JavaScript"],
  ["a program", pdf("3 0 obj <</S/Launch/F(cmd.exe)>> endobj"), "/Launch"],
  ["a file within", pdf("3 0 obj <</Type /EmbeddedFile>> endobj"), "/EmbeddedFile"],
  ["files that its names list", pdf("3 0 obj <</Names <</EmbeddedFiles 4 0 R>>>> endobj"), "/EmbeddedFiles"],
  ["a script among packed objects", pdf(objects(`3 0 ${script}`)), "/JavaScript"],
  ["a script behind what only looks like packed bytes", pdf("(stream\n) 3 0 obj", script, "endstream"), "/JavaScript"],
  [
    "a script far within",
    pdf(`${" ".repeat(300_000)}3 0 obj ${script}`, objects(`${"0 ".repeat(200_000)}`)),
    "/JavaScript",
  ],
])("a PDF with %s is named by it", async (_what, bytes, name) => {
  expect(await contentOf(bytes)).toBe(`the PDF has ${name}`);
});

test("packed objects that nobody can look at are refused", async () => {
  const other = objects("3 0 <<>>", "/Type /ObjStm /Filter [/ASCII85Decode /FlateDecode]");
  expect(await contentOf(pdf(other))).toBe("the PDF has parts that cannot be looked at");
  expect(await contentOf(pdf(stream("/Type /ObjStm /Filter /FlateDecode", Buffer.from("broken"))))).toContain("cannot");
});

test("packed objects that are more in all than anybody looks at are refused", async () => {
  const half = objects(" ".repeat(33 * 1_024 * 1_024));
  expect(await contentOf(pdf(half))).toBeUndefined();
  expect(await contentOf(pdf(half, half))).toBe("the PDF is packed too much to be looked at");
});

test.each([
  ["in its trailer", pdf("trailer <</Root 1 0 R /Encrypt 7 0 R>>")],
  ["written in codes", pdf("trailer <</Root 1 0 R /#45ncrypt<</Filter /Standard /V 5>>>>")],
  ["in its table of objects", pdf(stream("/Type /XRef /Encrypt 7 0 R /Filter /FlateDecode", Buffer.from("x")))],
  ["with parts that nobody can unpack", pdf("8 0 obj <</Encrypt 7 0 R>>", objects("3 0 <<>>").subarray(0, 60))],
  [
    "behind parts that nobody can unpack",
    pdf(
      stream("/Type /ObjStm /N 1 /Filter /FlateDecode", Buffer.from("secret")),
      stream("/Type /XRef /Encrypt 7 0 R /Filter /FlateDecode", Buffer.from("x")),
    ),
  ],
])("a PDF that says %s that it is encrypted is refused with what to do", async (_where, bytes) => {
  expect(await contentOf(bytes)).toBe("the PDF is encrypted and cannot be looked at: save it without a password");
});

test("what is only shown passes: its destinations, packed pictures, and words that hold such a name", async () => {
  const innocent = pdf(
    "3 0 obj <</OpenAction [4 0 R /Fit] /JSON 1 /Launcher 2 /EncryptMetadata false>> endobj",
    objects("3 0 <</Type /Page>>"),
    stream("/Subtype /Image /Filter /DCTDecode", Buffer.from([0x2f, 0x4a, 0x53, 0x20, 0, 1, 2])),
  );
  expect(await contentOf(innocent)).toBeUndefined();
  expect(await activeContentOf(Buffer.from(script), "image/png")).toBeUndefined();
});
