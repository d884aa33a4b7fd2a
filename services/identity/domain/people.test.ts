import {
  codeAlphabet,
  emailKey,
  makeCustomerCode,
  parseCustomerCode,
  parseEmail,
  parseName,
  parsePhoneNumber,
} from "./people.js";

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

test("e-mail addresses are the same whatever their case, width and spaces around them", () => {
  expect(emailKey(" Amina@X.Example ")).toBe(emailKey("amina@x.example"));
  expect(emailKey("ａmina@x.example")).toBe("amina@x.example");
});

test.each([
  ["+234 801 234 5678", "+2348012345678"],
  ["+49 (30) 1234-567", "+49301234567"],
  ["", ""],
])("takes the phone number %p as %p", (text, number) => expect(parsePhoneNumber(text)).toBe(number));

test.each(["08012345678", "+0123456789", "+123", "+1234567890123456", "+23480x2345678"])(
  "refuses the phone number %p",
  (text) => expect(() => parsePhoneNumber(text)).toThrow(expect.objectContaining({ code: "INVALID_INPUT" })),
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
