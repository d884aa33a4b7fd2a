import { isLei } from "./lei.js";

// Of the Global LEI Foundation, Deutsche Bank, Apple and Bloomberg, as gleif.org publishes them.
const published = ["506700GE1G29325QX363", "7LTWFZYICNSX8D621K86", "HWUPKR0MPOU8FGXBT394", "5493001KJTIIGC8Y1R12"];

test.each(published)("%s is a legal entity identifier", (lei) => {
  expect(isLei(lei)).toBe(true);
});

test.each(published)("%s is none with another character in any place, or two changed about", (lei) => {
  for (let at = 0; at < lei.length; at += 1) {
    const other = /\d/.test(lei[at]!) ? (Number(lei[at]) + 1) % 10 : lei[at] === "Q" ? "R" : "Q";
    expect(isLei(lei.slice(0, at) + other + lei.slice(at + 1))).toBe(false);
  }
  expect(isLei(`${lei[1]}${lei[0]}${lei.slice(2)}`)).toBe(lei[0] === lei[1]);
});

test.each(["", "506700ge1g29325qx363", "506700GE1G29325QX36", "506700GE1G29325QX3633", "506700GE1G29325QX363 "])(
  "%p is none",
  (text) => {
    expect(isLei(text)).toBe(false);
  },
);
