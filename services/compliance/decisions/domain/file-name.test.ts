import { fileNameFromWire, fileNameOf } from "./file-name.js";

test.each([
  ["passport.pdf", "application/pdf", "passport.pdf"],
  ["PASSPORT.PDF", "application/pdf", "PASSPORT.PDF"],
  ["photo.jpeg", "image/jpeg", "photo.jpeg"],
  ["photo.png", "image/jpeg", "photo.jpg"],
  ["proof.docx", "application/pdf", "proof.pdf"],
  ["proof", "image/png", "proof.png"],
  ["bill no. 12 of May", "application/pdf", "bill no. 12 of May.pdf"],
  ["bill 2026.05.01", "application/pdf", "bill 2026.05.pdf"],
  ["statement.gtbank.com.pdf", "application/pdf", "statement.gtbank.com.pdf"],
  ["my.app.pdf", "application/pdf", "my.app.pdf"],
  ["scan.img.pdf", "application/pdf", "scan.img.pdf"],
  ["what?.pdf", "application/pdf", "what_.pdf"],
] as const)("a file called %s whose content is %s is kept as %s", (name, contentType, stored) => {
  expect(fileNameOf(fileNameFromWire(name, "fileName"), contentType)).toBe(stored);
});

test.each([
  "proof.html",
  "proof.HTM",
  "proof.html.pdf",
  "proof.svg",
  "proof.svg.jpg",
  "proof.pdf.exe",
  "proof.pdf.com",
  "proof.html.",
  "proof.html ",
  "C:\\\\proof.js",
  "proof\u202efdp.exe",
  "",
  "..",
  "x".repeat(201),
])("%j is refused by the field", (name) => {
  expect(() => fileNameFromWire(name, "fileName")).toThrow(/^fileName|characters|\.(html|htm|svg|exe|com|js)/);
});
