import { examplesOf } from "./amounts.js";
import { channels, kindNames, kinds } from "./kinds.js";
import { placeholder, render } from "./template.js";
import {
  chosenTemplate,
  isLanguage,
  languageOf,
  shippedLanguages,
  shippedTemplate,
  type OwnTemplate,
} from "./words.js";

const shipped = kindNames.flatMap((kind) =>
  channels
    .filter((channel) => kinds[kind].channels.includes(channel))
    .flatMap((channel) => shippedLanguages.map((language) => [kind, channel, language] as const)),
);
const namesIn = (words: string) => [...words.matchAll(placeholder)].map(([, name]) => name!);

test.each(shipped)(
  "%s as %s in %s has its placeholders, and keeps secrets out of the subject",
  (kind, channel, language) => {
    const template = shippedTemplate(kind, channel, language)!;
    const { placeholders, required, secret } = kinds[kind];
    const known = Object.keys(placeholders);
    expect(namesIn(`${template.subject} ${template.text}`).filter((name) => !known.includes(name))).toEqual([]);
    expect(namesIn(template.text)).toEqual(expect.arrayContaining([...required]));
    expect(namesIn(template.subject).filter((name) => secret.includes(name))).toEqual([]);
    const { subject, text, html } = render(channel, template, examplesOf(kind, language));
    expect(`${subject}${text}${html ?? ""}`).not.toMatch(/\{\{|\}\}/);
    expect(subject === "").toBe(channel === "SMS");
    if (channel === "SMS") expect(text.length).toBeLessThanOrEqual(306);
  },
);

test("values are one line, escaped in HTML, and break neither subject nor tags", () => {
  const template = { subject: "For {{name}}", text: "A & B: {{name}}\n\nsecond\nline", html: "" };
  const name = `<b onclick="x">O'Neil\r\nBcc: evil@x.example`;
  expect(render("EMAIL", template, { name })).toEqual({
    subject: `For <b onclick="x">O'Neil Bcc: evil@x.example`,
    text: `A & B: <b onclick="x">O'Neil Bcc: evil@x.example\n\nsecond\nline`,
    html:
      "<p>A &amp; B: &lt;b onclick&#61;&quot;x&quot;&gt;O&#39;Neil Bcc: evil@x.example</p>\n" + "<p>second<br>line</p>",
  });
  const own = render("EMAIL", { ...template, html: "<h1>{{ name }}</h1>" }, { name: "<i>" });
  expect(own.html).toBe("<h1>&lt;i&gt;</h1>");
  expect(render("SMS", template, { name: "x" })).toEqual({ subject: "", text: "A & B: x\n\nsecond\nline" });
});

test("a value that is a name of an object's own members, or is missing, says nothing", () => {
  const template = { subject: "", text: "[{{constructor}}{{missing}}]", html: "" };
  expect(render("SMS", template, {}).text).toBe("[]");
});

test("a long value is cut, a link never, and a subject has 200 characters at most", () => {
  const link = `https://x.example/${"a".repeat(400)}`;
  const template = { subject: "{{long}}{{long}}", text: "{{long}} {{link}}", html: "" };
  const { subject, text } = render("EMAIL", template, { long: "word ".repeat(80), link });
  expect(text).toBe(`${"word ".repeat(80).slice(0, 199)}… ${link}`);
  expect(subject).toHaveLength(200);
});

test("one's own words come before shipped ones, the first language before the second, English last", () => {
  const requested = { kind: "transaction.completed", channel: "EMAIL" } as const;
  const own = (language: string): OwnTemplate => ({ ...requested, language, subject: "own", text: language, html: "" });
  const languageIn = (languages: string[], written: OwnTemplate[]) => {
    const { language, subject } = chosenTemplate({ ...requested, languages }, written);
    return `${subject === "own" ? "own " : ""}${language}`;
  };
  expect(languageIn(["de"], [])).toBe("de");
  expect(languageIn(["de", "en"], [own("de"), own("en")])).toBe("own de");
  expect(languageIn(["fr", "de"], [])).toBe("de");
  expect(languageIn(["fr", "de"], [own("fr")])).toBe("own fr");
  expect(languageIn(["yo"], [])).toBe("en");
  expect(languageIn(["yo"], [own("en")])).toBe("own en");
  const other: OwnTemplate = { ...own("en"), channel: "SMS" };
  expect(languageIn(["en"], [other])).toBe("en");
});

test("a language is that of a tag, and a code that is one", () => {
  expect(["en-NG", "de-DE", "fil-PH", ""].map(languageOf)).toEqual(["en", "de", "fil", "en"]);
  expect(["en", "yo", "fil"].every(isLanguage)).toBe(true);
  expect(["", "EN", "english", "qq", "en-NG"].some(isLanguage)).toBe(false);
});
