import { commonPasswords } from "./common-passwords.js";
import { isBeyondPassword, normalizePassword, parseNewPassword } from "./password-policy.js";

const email = "amina.bello@x.example";
const refused = expect.objectContaining({ code: "INVALID_INPUT" });

test.each(["correct-horse-7", "ünïcödé-wörds", "x".repeat(120) + "12345678", "😀😁😂😃😄😅😆😇"])(
  "takes %p",
  (password) => expect(parseNewPassword(password, email)).toBe(password),
);

test.each([
  ["7 characters", "horse-7"],
  ["7 characters in more code units", "😀😁😂😃😄😅😆"],
  ["129 characters", "ab".repeat(64) + "c"],
  ["one of the commonest", "password123"],
  ["one of the commonest in other case", "PassWord123"],
  ["one character again and again", "zzzzzzzzzz"],
  ["the e-mail address", "Amina.Bello@x.example"],
  ["its local part", "amina.bello"],
])("refuses %s", (_, password) => expect(() => parseNewPassword(password, email)).toThrow(refused));

test("the refusal does not repeat the password", () => {
  expect(() => parseNewPassword("password123", email)).toThrow(expect.not.stringContaining("password123"));
});

test("a password is the same however the keyboard composed it", () => {
  expect(normalizePassword("cafe\u0301-au-lait")).toBe(normalizePassword("caf\u00e9-au-lait"));
});

test("the list of the commonest has at least 100, all of which the length would let through", () => {
  expect(commonPasswords.size).toBeGreaterThanOrEqual(100);
  for (const password of commonPasswords) {
    expect(password.length).toBeGreaterThanOrEqual(8);
    expect(password).toBe(password.toLowerCase());
  }
});

test("nothing as long as a book is hashed as it stands", () => {
  expect(isBeyondPassword("x".repeat(513))).toBe(true);
  expect(isBeyondPassword("x".repeat(128))).toBe(false);
});
