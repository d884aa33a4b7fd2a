import { HOTP, Secret, TOTP } from "otpauth";
import { matchTotp, newTotpSecret, totpStep } from "./totp.js";

const ascii = (length: number) => Secret.fromLatin1("1234567890".repeat(7).slice(0, length));
const codeOf = (secret: Secret, counter: number) => HOTP.generate({ secret, counter });

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
    const at = { digits: 8, timestamp: seconds * 1_000 };
    expect(TOTP.generate({ ...at, secret: ascii(20), algorithm: "SHA1" })).toBe(sha1);
    expect(TOTP.generate({ ...at, secret: ascii(32), algorithm: "SHA256" })).toBe(sha256);
    expect(TOTP.generate({ ...at, secret: ascii(64), algorithm: "SHA512" })).toBe(sha512);
    const now = new Date(seconds * 1_000);
    expect(matchTotp(ascii(20).base32, sha1.slice(2), now)).toBe(totpStep(now));
  });
});

test("RFC 4226, appendix D: the first ten codes", () => {
  const codes = Array.from({ length: 10 }, (_, counter) => codeOf(ascii(20), counter));
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
  const secret = ascii(20);
  const match = (code: string) => matchTotp(secret.base32, code, at);
  for (const drift of [-1, 0, 1]) expect(match(codeOf(secret, step + drift))).toBe(step + drift);
  for (const drift of [-2, 2]) expect(match(codeOf(secret, step + drift))).toBeUndefined();
  for (const code of ["", "12345", "1234567", "abcdef"]) expect(match(code)).toBeUndefined();
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
  expect(Secret.fromLatin1(text).base32).toBe(base32);
  expect(Secret.fromBase32(base32).latin1).toBe(text);
});

test("a new secret has 160 bits, and is another each time", () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(newTotpSecret());
});
