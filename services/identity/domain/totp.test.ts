import { fromBase32, hotp, matchTotp, toBase32, totpStep } from "./totp.js";

const ascii = (length: number) => Buffer.from("1234567890".repeat(7).slice(0, length));

// RFC 6238, appendix B: 8 digits, T0 = 0, X = 30.
describe("RFC 6238, appendix B", () => {
  test.each([
    [59, "94287082", "46119246", "90693936"],
    [1_111_111_109, "07081804", "68084774", "25091201"],
    [1_111_111_111, "14050471", "67062674", "99943326"],
    [1_234_567_890, "89005924", "91819424", "93441116"],
    [2_000_000_000, "69279037", "90698825", "38618901"],
    [20_000_000_000, "65353130", "77737706", "47863826"],
  ])("at %i s", (seconds, sha1, sha256, sha512) => {
    const step = totpStep(new Date(seconds * 1_000));
    expect(hotp(ascii(20), step, 8)).toBe(sha1);
    expect(hotp(ascii(32), step, 8, "sha256")).toBe(sha256);
    expect(hotp(ascii(64), step, 8, "sha512")).toBe(sha512);
  });
});

test("RFC 4226, appendix D: the first ten codes", () => {
  const codes = Array.from({ length: 10 }, (_, counter) => hotp(ascii(20), counter));
  expect(codes).toEqual([
    "755224",
    "287082",
    "359152",
    "969429",
    "338314",
    "254676",
    "287922",
    "162583",
    "399871",
    "520489",
  ]);
});

test("a code counts one step before and after its own, and no further", () => {
  const at = new Date(1_111_111_111_000);
  const step = totpStep(at);
  for (const drift of [-1, 0, 1]) expect(matchTotp(ascii(20), hotp(ascii(20), step + drift), at)).toBe(step + drift);
  for (const drift of [-2, 2]) expect(matchTotp(ascii(20), hotp(ascii(20), step + drift), at)).toBeUndefined();
  for (const code of ["", "12345", "1234567", "abcdef"]) expect(matchTotp(ascii(20), code, at)).toBeUndefined();
});

// RFC 4648, section 10, without padding.
test.each([
  ["f", "MY"],
  ["fo", "MZXQ"],
  ["foo", "MZXW6"],
  ["foob", "MZXW6YQ"],
  ["fooba", "MZXW6YTB"],
  ["foobar", "MZXW6YTBOI"],
])("RFC 4648: %s is %s", (text, base32) => {
  expect(toBase32(Buffer.from(text))).toBe(base32);
  expect(fromBase32(base32).toString()).toBe(text);
});
