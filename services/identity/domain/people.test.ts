import { parseName } from "../../kernel/text/one-line.js";
import { codeAlphabet, emailKey, makeCustomerCode, parseCustomerCode, parseEmail, parsePhoneNumber } from "./people.js";

test.each(["a@b.c", "Amina.Bello+x@Mail.Example", " trimmed@x.example ", "o'neil@x.example", "ñandú@x.example"])(
  "takes the e-mail address %p",
  (text) => expect(parseEmail(text)).toBe(text.trim()),
);

test.each([
  "",
  "a",
  "@x.example",
  "a@",
  "a b@x.example",
  "a@@x.example",
  "a@x..example",
  "a@.x",
  "a@x.",
  `a@${"x".repeat(253)}`,
  "a\n@x.example",
])("refuses the e-mail address %p, naming its path", (text) =>
  expect(() => parseEmail(text, "user.email")).toThrow(
    expect.objectContaining({
      code: "INVALID_INPUT",
      details: { errors: [{ path: "user.email", message: expect.any(String) }] },
    }),
  ),
);

test.each([
  ["a zero-width space", "amina\u200b@x.example"],
  ["a zero-width joiner", "ami\u200dna@x.example"],
  ["a right-to-left override", "amina\u202e@x.example"],
  ["a soft hyphen in the domain", "amina@ex\u00adample.test"],
  ["a Cyrillic letter among Latin ones", "\u0430mina@x.example"],
  ["a Cyrillic letter in the domain", "amina@p\u0430ypal.example"],
  ["the same in ASCII", "amina@xn--pypal-4ve.example"],
  ["a domain that is all Cyrillic and reads as Latin", "amina@\u0430\u0440\u0440\u04cf\u0435.example"],
  ["a full-width dot", "amina@x\uff0eexample"],
  ["a number for a domain", "amina@2130706433"],
])("refuses an e-mail address with %s", (_what, text) =>
  expect(() => parseEmail(text)).toThrow(expect.objectContaining({ code: "INVALID_INPUT" })),
);

test.each([
  "bj\u00f6rn@b\u00fccher.example",
  "\u0430\u043d\u043d\u0430@\u043f\u043e\u0447\u0442\u0430.example",
  "a_b@my_host.example",
  "x@123.example",
])("takes the e-mail address %p", (text) => expect(parseEmail(text)).toBe(text));

test("a domain is the same in Unicode and in ASCII", () => {
  expect(emailKey("Amina@B\u00dcCHER.example")).toBe("amina@xn--bcher-kva.example");
  expect(emailKey("amina@xn--bcher-kva.EXAMPLE")).toBe("amina@xn--bcher-kva.example");
  // Whatever somebody tries to log in with.
  for (const text of ["", "@", "amina", "a@b@c", "a@[::1]", "a@1"]) expect(emailKey(text)).toBe(text);
});

test.each([
  ["zero-width space", "Ami\u200bna"],
  ["right-to-left override", "Amina \u202eolleB"],
  ["isolate", "\u2066Amina\u2069"],
  ["byte order mark", "\ufeffAmi\ufeffna"],
  ["Hangul filler", "Amina \u3164"],
  ["joiner between Latin letters", "Am\u200dina"],
  ["Cyrillic letter in a Latin word", "Amin\u0430"],
  ["Greek letter in a Latin word", "\u0391mina"],
])("refuses a name with a %s", (_what, text) =>
  expect(() => parseName(text, "name")).toThrow(expect.objectContaining({ code: "INVALID_INPUT" })),
);

test("names are composed, their spaces single and plain, and joiners stay where a script needs them", () => {
  expect(parseName("Zoe\u0308  \u00a0Bello", "name")).toBe("Zo\u00eb Bello");
  for (const name of [
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u0915\u094d\u200d\u0937",
    "\u0410\u043d\u043d\u0430 Smith",
    "Nguy\u1ec5n",
    "\u674e\u5c0f\u9f99",
  ]) {
    expect(parseName(name, "name")).toBe(name);
  }
});

test("e-mail addresses are the same whatever their case, width and spaces around them", () => {
  expect(emailKey(" Amina@X.Example ")).toBe(emailKey("amina@x.example"));
  expect(emailKey("ａmina@x.example")).toBe("amina@x.example");
});

test.each([
  ["+234 801 234 5678", "+2348012345678"],
  ["+49 (30) 1234-567", "+49301234567"],
  ["+234 0801 234 5678", "+2348012345678"],
  ["", ""],
])("takes the phone number %p as %p", (text, number) => expect(parsePhoneNumber(text)).toBe(number));

test.each([
  "08012345678",
  "+0123456789",
  "+123",
  "+1234567890123456",
  "+23480x2345678",
  "+15550100",
  "+23480123456789",
])("refuses the phone number %p", (text) =>
  expect(() => parsePhoneNumber(text)).toThrow(expect.objectContaining({ code: "INVALID_INPUT" })),
);

test.each(["", "   ", "a\nb", "a\u0000", "x".repeat(101)])("refuses the name %p", (text) =>
  expect(() => parseName(text, "firstName")).toThrow(expect.objectContaining({ code: "INVALID_INPUT" })),
);

test("customer codes are kept in capitals", () => {
  expect(parseCustomerCode(" c-amina ")).toBe("C-AMINA");
  for (const text of ["", "C", "-C", "C AMINA", "C_1", "C".repeat(41), "C-Ä"]) {
    expect(() => parseCustomerCode(text)).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  }
});

test("a made customer code is C- and 8 characters, none of which looks like another", () => {
  for (const lookAlikes of ["0O", "1IL", "5S", "2Z", "8B", "UV"]) {
    for (const character of lookAlikes) expect(codeAlphabet).not.toContain(character);
  }
  let at = 0;
  const code = makeCustomerCode((below) => at++ % below);
  expect(code).toBe("C-34679ACD");
  expect(parseCustomerCode(code)).toBe(code);
});
