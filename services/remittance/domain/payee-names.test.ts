import fc from "fast-check";
import { isSamePayeeName, plainPayeeName } from "./payee-names.js";

const name = fc
  .array(
    fc.constantFrom("Ngozi", "Okafor", "José", "Müller", "Štěpán", "Łukasz", "Ærø", "Нина", "明", "محمد", "O'Brien"),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((words) => words.join(" "));
const title = fc.constantFrom(
  "Dr.",
  "dr",
  "DR",
  "Mr",
  "Mrs.",
  "Ms",
  "Prof.",
  "Prof. Dr.",
  "Herr",
  "Frau",
  "Mme",
  "Mlle",
);
const more = fc.constantFrom(
  "Señora",
  "Sr.",
  "Sig.ra",
  "Dott.ssa",
  "Doutora",
  "Mevr.",
  "Alhaji",
  "Engr.",
  "Hr.",
  "Dr. rer. nat.",
);

test("titles, capitals, spaces and how letters are coded make no other name", () => {
  const spaces = fc.constantFrom("", " ", "  ", "\t", "\u00a0");
  const spelled = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    (text) => text.normalize("NFD"),
    (text) => text.replaceAll(" ", "   "),
  );
  fc.assert(
    fc.property(name, fc.oneof(title, more, fc.constant("")), spaces, spelled, (plain, before, space, spell) => {
      const written = `${space}${before} ${spell(plain)}${space}`;
      expect(isSamePayeeName(written, plain)).toBe(true);
      expect(isSamePayeeName(plain, written)).toBe(true);
      expect(plainPayeeName(written).toLowerCase()).toBe(plain.normalize("NFC").toLowerCase());
    }),
  );
});

test("it is plain once it is plain, never empty, and another name stays another one", () => {
  fc.assert(
    fc.property(fc.oneof(name, fc.string({ minLength: 1 }), title), (text) => {
      const plain = plainPayeeName(text);
      expect(plainPayeeName(plain)).toBe(plain);
      if (/\p{L}/u.test(text)) expect(plain).toMatch(/\p{L}/u);
    }),
  );
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(isSamePayeeName(one, other)).toBe(one.toLowerCase() === other.toLowerCase());
    }),
  );
});

test.each([
  ["Dr. Ngozi Okafor", "Ngozi Okafor"],
  ["Prof.Dr. Hans Müller", "Hans Müller"],
  ["Dr.Ngozi Okafor ", "Ngozi Okafor"],
  ["Dr. phil. Eva Braun", "Eva Braun"],
  ["Dr. Phil Jones", "Phil Jones"],
  ["M. Jean Dupont", "Jean Dupont"],
  ["M. Okafor", "M. Okafor"],
  ["Hon Nguyen", "Hon Nguyen"],
  ["Prince Okafor", "Prince Okafor"],
  ["Mr", "Mr"],
  ["Mrs Dr", "Dr"],
  ["J. R. R. Tolkien", "J. R. R. Tolkien"],
])("%s is asked about as %s", (written, plain) => {
  expect(plainPayeeName(written)).toBe(plain);
});

test("an accent, an order and a letter are another name", () => {
  expect(isSamePayeeName("José Diaz", "Jose Diaz")).toBe(false);
  expect(isSamePayeeName("Okafor Ngozi", "Ngozi Okafor")).toBe(false);
  expect(isSamePayeeName("Ngozi Okafo", "Ngozi Okafor")).toBe(false);
});
