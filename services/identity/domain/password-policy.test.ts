import { countCommonPasswords } from "./common-passwords.js";
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

test("the list of the commonest has at least 3,000 that the length would let through (ASVS 5.0, 6.2.4)", () => {
  expect(countCommonPasswords(8)).toBeGreaterThanOrEqual(3_000);
});

test.each(["87654321", "0987654321", "0123456789", "abcdefgh", "12341234", "123123123", "xyxyxyxy", "19871987"])(
  "refuses the run or repetition %p, which the list leaves out",
  (password) => expect(() => parseNewPassword(password, email)).toThrow(refused),
);

test.each(["12345679x", "13579111", "abcdabce", "lagos-2031-x"])("takes %p", (password) =>
  expect(parseNewPassword(password, email)).toBe(password),
);

test("refuses what was refused before there was a dictionary", () => {
  const before =
    `0123456789 0987654321 11223344 1122334455 12121212 123123123 123321123 12341234 12345678 123456789 1234567890 12345678910 123456abc 12345abc 1234abcd 1234qwer 123abc123 123qweasd 147258369 159357456 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 456789123 741852963 789456123 87654321 987654321 9876543210 a1234567 a12345678 a123456789 a1b2c3d4 aa123456 aa12345678 abc12345 abc123456 abcd1234 abcdefg1 abcdefgh admin123 admin1234 admin@123 administrator alexander arsenal1 asdf1234 asdfghjk asdfghjkl ashley12 baseball baseball1 basketball batman123 blessed1 blessing changeme changeme1 changeme123 charlie1 chelsea1 christian computer danielle default1 dragon12 dragon123 emmanuel football football1 freedom1 godisgood godisgreat hunter12 ilovejesus iloveyou iloveyou1 iloveyou2 internet jennifer jessica1 jesus123 jesuschrist jonathan lagos123 letmein1 letmein123 liverpool liverpool1 loveyou1 manchester manutd123 master123 michael1 michelle minecraft monkey12 monkey123 mypassword newpassword nigeria1 p@ssw0rd p@ssw0rd1 p@ssw0rd123 p@ssword pa$$word pa55word passw0rd passw0rd1 passw0rd123 password password! password01 password1 password1! password12 password123 password123! password1234 password12345 password2 password99 passwords passwort pokemon1 princess princess1 q1w2e3r4 q1w2e3r4t5 qazwsxedc qweasdzxc qwer1234 qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyui qwertyuiop samantha secret123 shadow12 shadow123 spiderman starwars summer2024 summer2025 sunshine sunshine1 superman superman1 test1234 testing1 testing123 trustno1 victoria welcome1 welcome12 welcome123 welcome@123 whatever winter2024 winter2025 zaq12wsx zxcvbnm1 zxcvbnm123`.split(
      " ",
    );
  expect(before.filter((password) => !isRefused(password))).toEqual([]);
});

function isRefused(password: string): boolean {
  try {
    parseNewPassword(password, email);
    return false;
  } catch {
    return true;
  }
}

test("nothing as long as a book is hashed as it stands", () => {
  expect(isBeyondPassword("x".repeat(513))).toBe(true);
  expect(isBeyondPassword("x".repeat(128))).toBe(false);
});
