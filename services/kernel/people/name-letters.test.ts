import { createFaults } from "../text/faults.js";
import { checkParts, hasLetter, parseNamePart, parsePersonsName } from "./name-letters.js";

const refusedAt = (path: string) =>
  expect.objectContaining({ code: "INVALID_INPUT", details: { errors: [{ path, message: expect.any(String) }] } });

test.each([
  "7-Eleven",
  "3M",
  "1&1 Telecom",
  "O",
  "李",
  "박솔랑훈",
  "منذر",
  "Ольга",
  "ⲕⲏⲙⲉ",
  "𞤀𞤣𞤢",
  "Ａｍｉｎａ",
  "₿ank",
  "🙂 Ada",
])("%s is a name", (name) => expect(hasLetter(name)).toBe(true));

test.each(["🙂🙃", "👩‍👩‍👧", "🇳🇬", "4711", "٤٧", "-", "...", "&", "ʼʼ", "ー", "\u0301\u0301", "❤️ 24/7", " ", ""])(
  "%j is none: it has nothing to compare",
  (name) => expect(hasLetter(name)).toBe(false),
);

test("a part may be digits, or the dash of who has one name, where another part has a letter", () => {
  for (const part of ["-", ".", "3", "Ada"]) expect(parseNamePart(part, "firstName")).toBe(part);
  for (const part of ["🙂", "--", "?", "& !"])
    expect(() => parseNamePart(part, "firstName")).toThrow(refusedAt("firstName"));
  for (const name of ["4711", "🙂", "-"]) expect(() => parsePersonsName(name, "name")).toThrow(refusedAt("name"));
  const faultsOf = (...parts: (string | undefined)[]) => {
    const faults = createFaults();
    checkParts(parts, "lastName", faults);
    return () => faults.refuseIfAny();
  };
  expect(faultsOf("Suharto", "-")).not.toThrow();
  expect(faultsOf("-", undefined)).not.toThrow();
  expect(faultsOf("-", "-")).toThrow(refusedAt("lastName"));
  expect(faultsOf("3", "11")).toThrow(refusedAt("lastName"));
  // Of characters as people count them: a letter outside of the basic plane is one.
  expect(faultsOf("𠮷".repeat(34), "𠮷".repeat(35))).not.toThrow();
  expect(faultsOf("o".repeat(35), "o".repeat(35))).toThrow(refusedAt("lastName"));
});
