import { isSameName } from "./names.js";

test.each([
  ["Amina Okafor", "amina okafor"],
  ["Amina Okafor", "OKAFOR,  Amina "],
  ["José María Núñez", "Nunez Jose Maria"],
  ["Zoë O'Brien-Smith", "zoe obrien smith"],
])("%s is %s", (a, b) => expect(isSameName(a, b)).toBe(true));

test.each([
  ["Amina Okafor", "Amina Okafo"],
  ["Amina Okafor", "Amina"],
  ["Amina Okafor", ""],
  ["", ""],
  ["Amina Okafor", "Amina Amina Okafor"],
])("%s is not %s", (a, b) => expect(isSameName(a, b)).toBe(false));
