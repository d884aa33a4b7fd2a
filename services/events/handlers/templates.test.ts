import { randomUUID } from "node:crypto";
import { NotificationServiceDefinition } from "../../../proto/gen/events/v1/notifications.js";
import { createSecurityMessages } from "../../platform/messages/written.js";
import { Refusal } from "../../kernel/refusal.js";
import { testTenant, waitFor } from "../../../test/support/index.js";
import {
  asManager,
  createEventsWorld,
  managersMail,
  on,
  type EventsWorld,
} from "../../../test/support/events-fixture.js";
import { stateUser } from "../../../test/support/service-network.js";

let world: EventsWorld;
beforeAll(async () => {
  world = await createEventsWorld("templates");
});
afterAll(() => world.close());

const key = { kind: "transaction.completed", channel: "EMAIL", language: "en" };
const words = { subject: "{{recipient}} has it", text: "{{recipient}} has {{received}}.", html: "<p>{{received}}</p>" };

const errorsOf = (ask: Promise<unknown>) =>
  ask.then(
    () => [],
    (error: Refusal) => error.details?.errors?.map(({ path, message }) => `${path}: ${message}`) ?? [error.message],
  );

test("words are read, saved onto the revision that was read, listed and taken away", async () => {
  const call = asManager(testTenant());
  const shipped = (await world.templates.getTemplate(key, call)).template!;
  expect(shipped).toMatchObject({ ...key, revision: 0, changedBy: "" });
  const saved = await world.templates.saveTemplate({ ...key, ...words, revision: 0 }, call);
  expect(saved.template).toMatchObject({ ...key, ...words, revision: 1, changedBy: "MA1" });
  // The answer may have been lost: asked again, it is the same.
  expect(await world.templates.saveTemplate({ ...key, ...words, revision: 0 }, call)).toEqual(saved);
  const other = { ...key, ...words, text: "{{recipient}}!", revision: 0 };
  await expect(world.templates.saveTemplate(other, call)).rejects.toMatchObject({ code: "STATE_CONFLICT" });
  const next = await world.templates.saveTemplate({ ...other, revision: 1 }, call);
  expect(next.template).toMatchObject({ revision: 2, text: "{{recipient}}!" });
  const { templates } = await world.templates.listTemplates({ kind: key.kind }, call);
  expect(templates.map(({ channel, language, revision }) => [channel, language, revision])).toEqual([
    ["EMAIL", "de", 0],
    ["EMAIL", "en", 2],
    ["SMS", "de", 0],
    ["SMS", "en", 0],
  ]);
  const elsewhere = await world.templates.getTemplate(key, asManager(testTenant()));
  expect(elsewhere.template).toEqual(shipped);
  await world.templates.removeTemplate(key, call);
  expect((await world.templates.getTemplate(key, call)).template).toEqual(shipped);
  await expect(world.templates.removeTemplate(key, call)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("two managers who save at once: one is told that the words have moved on", async () => {
  const tenantId = testTenant();
  const save = (userId: string) =>
    world.templates.saveTemplate({ ...key, ...words, revision: 0 }, asManager(tenantId, userId));
  const outcomes = await Promise.allSettled([save("MA1"), save("MA2")]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const [refused] = outcomes.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  expect(refused!.reason).toMatchObject({ code: "STATE_CONFLICT" });
});

test("a language without shipped words has one's own alone", async () => {
  const call = asManager(testTenant());
  const french = { ...key, language: "fr" };
  await expect(world.templates.getTemplate(french, call)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await world.templates.saveTemplate({ ...french, ...words, revision: 0 }, call);
  expect((await world.templates.getTemplate(french, call)).template).toMatchObject(words);
  const { templates } = await world.templates.listTemplates({ language: "fr" }, call);
  expect(templates).toHaveLength(1);
});

test.each<[string, object, string[]]>([
  [
    "an unknown kind",
    { kind: "transaction.complete" },
    ["kind: is not a kind of message; did you mean transaction.completed?"],
  ],
  ["a channel that is none", { channel: "FAX" }, ["channel: must be EMAIL or SMS"]],
  ["a channel that the kind has not", { kind: "security.phone_code" }, ["channel: must be SMS"]],
  ["a language that is none", { language: "qq" }, ["language: must be the code of a language, such as en"]],
  ["a revision below 0", { revision: -1 }, ["revision: must not be below 0"]],
  ["no words", { text: " " }, ["text: must not be empty"]],
  ["no subject", { subject: "" }, ["subject: must not be empty"]],
  ["a subject of two lines", { subject: "a\nb" }, ["subject: must be one line"]],
  ["a long subject", { subject: "a".repeat(151) }, ["subject: must have at most 150 characters"]],
  ["long words", { text: "a".repeat(4_001) }, ["text: must have at most 4000 characters"]],
  [
    "a long text message",
    { channel: "SMS", subject: "", html: "", text: "a".repeat(460) },
    ["text: must have at most 459 characters"],
  ],
  ["a text message with a subject", { channel: "SMS", html: "" }, ["subject: is of e-mails alone"]],
  [
    "an unknown placeholder",
    { text: "{{recipent}} {{x}}" },
    [
      "text: has {{recipent}}, which this kind of message has not; did you mean recipient?",
      "text: has {{x}}, which this kind of message has not",
    ],
  ],
  [
    "a section",
    { text: "{{#recipient}}x{{/recipient}}" },
    ["text: has {{ or }} that is no part of a placeholder such as {{organisation}}"],
  ],
  [
    "three braces",
    { html: "{{{recipient}}}" },
    ["html: has {{ or }} that is no part of a placeholder such as {{organisation}}"],
  ],
  ["too many placeholders", { text: "{{amount}}".repeat(26) }, ["text: must have at most 25 placeholders"]],
  [
    "a value inside a tag",
    { html: "<a href='{{recipient}}'>x</a>" },
    ["html: must not have {{recipient}} inside a tag"],
  ],
  [
    "a value behind a quoted >",
    { html: '<a title=">" href={{recipient}}>' },
    ["html: must not have {{recipient}} inside a tag"],
  ],
  [
    "a value in a quote that does not end",
    { html: '<a title=">{{recipient}}' },
    ["html: must not have {{recipient}} inside a tag"],
  ],
  ...["script", "style", "STYLE media=all", "link", "base", "meta", "svg", "math"].map(
    (name): [string, object, string[]] => [
      `an active part, ${name}`,
      { html: `<${name}>a{b:url(https://x.example/{{received}})}` },
      [`html: must not have <${name.split(" ")[0]!.toLowerCase()}>`],
    ],
  ),
  ...([
    ["a picture", '<img src="https://x.example/a.png">', "must not have <img>"],
    ["an act of a tag", '<p onclick="a()">x</p>', "must not have onclick of <p>"],
    ["a style that fetches", '<p style="background:url(x)">x</p>', "must not have functions"],
    ...[
      "java&#115;cript:a()",
      "http://bank.example",
      "https://evil.example/bank.example",
      "https://bank.example@evil.example",
      "https://me@bank.example",
      "https://bank.example.evil.example",
      "//bank.example",
      "/\\\\evil.example",
      "mailto:help@evil.example",
      "mailto:help@bank.example?bcc=me@evil.example",
      "mailto:help%40evil.example,help@bank.example",
    ].map((href) => [`a link to ${href}`, `<a href="${href}">x</a>`, "must not have an href to"]),
    ["an address that is not the organisation's", "<p>Pay at evil.<b>example</b></p>", "must not show evil.example"],
    ["a comment", "<!--[if mso]><a href=https://x.example><![endif]-->", "must not have comments"],
    ["a tag that does not end", "<p>x</p><a href=https://x.example", "has a tag that does not end"],
  ].map(([what, html, fault]) => [what, { html }, [`html: ${fault}`]]) as [string, object, string[]][]),
  ...[
    "https://evil.example",
    "HTTP://bank.example",
    "evil.example/bank.example",
    "x@evil.example",
    "mailto:x@evil.example",
    "https://bank.example,evil.example",
    "bank.example\\.evil.example",
    "evil。example",
    "https://bank.example://evil.example",
    "www.evil.example/@bank.example",
    "evil.example/login?u=@bank.example",
    "evil.{{firstName}}",
    "evil\u{200b}.example",
    "evil.\u{ad}example",
    "evil․example",
    "https://bank.example/、www.evil.example",
    "203.0.113.7/a",
  ].map((text): [string, object, string[]] => [
    `words that show ${text}`,
    { subject: `At ${text}`, text: `Go to ${text}.` },
    ["subject: must not show ", "text: must not show "],
  ]),
  [
    "a reset that leads elsewhere",
    {
      kind: "security.password_reset",
      subject: "Go to evil.example",
      text: "{{token}} https://evil.example",
      html: '<p>{{token}}</p><a href="https://evil.example">enter it here</a><p>htt<b>ps://</b></p>',
    },
    [
      "html: must have no href but {{link}}",
      ...["subject", "text", "html"].map((member) => `${member}: must not have an address of the web`),
    ],
  ],
  [
    "a code that is led to a numbered address",
    { kind: "security.payment_code", subject: "", text: "{{payee}}: 203.0.113.7/{{code}}", html: "", channel: "SMS" },
    ["text: must not have an address of the web"],
  ],
  [
    "a code's message without the code",
    { kind: "security.payment_code", subject: "{{code}}", text: "pay {{amount}}", html: "" },
    [
      "subject: must not have {{code}}: subjects are shown on locked screens",
      "text: must have {{code}}",
      "text: must have {{payee}}",
    ],
  ],
])("%s is refused by its path", async (_what, more, expected) => {
  const call = asManager(testTenant());
  const request = { ...key, ...words, revision: 0, ...more };
  const errors = await errorsOf(world.templates.saveTemplate(request, call));
  for (const fault of expected) expect(errors).toContainEqual(expect.stringContaining(fault));
});

test("a preview shows a draft, or the words in force, with an example's values", async () => {
  const call = asManager(testTenant());
  const draft = { subject: "{{amount}}", text: "for {{recipient}}", html: "" };
  expect(await world.templates.previewTemplate({ ...key, draft }, call)).toEqual({
    subject: "100.00 USD",
    text: "for Chidi Okafor",
    html: "<p>for Chidi Okafor</p>",
  });
  const inForce = await world.templates.previewTemplate({ ...key, channel: "SMS", language: "de" }, call);
  expect(inForce.text).toMatch(/^Example Bank: Chidi Okafor hat 154\.300,00 NGN erhalten/);
  const wrong = world.templates.previewTemplate({ ...key, draft: { ...draft, text: "{{amunt}}" } }, call);
  expect(await errorsOf(wrong)).toEqual([expect.stringMatching(/^text: has {{amunt}}.*did you mean amount/)]);
});

test("a test goes once to the manager who asked for it, a text message's by mail", async () => {
  const tenantId = testTenant();
  const call = asManager(tenantId);
  const request = { ...key, idempotencyKey: randomUUID() };
  await world.templates.sendTemplateTest(request, call);
  await world.templates.sendTemplateTest(request, call);
  await world.templates.sendTemplateTest({ ...key, channel: "SMS", idempotencyKey: randomUUID() }, call);
  const sent = await waitFor(() => {
    const own = world.sent.filter((one) => one.tenantId === tenantId);
    return own.length === 2 ? own.toSorted((one, other) => one.subject.localeCompare(other.subject)) : undefined;
  });
  expect(sent.map(({ to, channel }) => [to, channel])).toEqual([
    [managersMail, "EMAIL"],
    [managersMail, "EMAIL"],
  ]);
  expect(sent.map(({ subject }) => subject)).toEqual([
    "Test: Bank: Chidi Okafor has the money",
    "Test: text message of transaction.completed",
  ]);
});

test("words are managers' alone; services ask for an organisation's own", async () => {
  const tenantId = testTenant();
  const customer = { ...on(tenantId), userToken: stateUser({ tenantId, role: "CUSTOMER", userId: "U1" }) };
  await expect(world.templates.getTemplate(key, customer)).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(world.templates.findOwnTemplates(key, on(tenantId))).rejects.toMatchObject({
    code: "CALLER_NOT_ALLOWED",
  });
  expect((await world.identity.findOwnTemplates(key, on(tenantId))).templates).toEqual([]);
  await world.templates.saveTemplate({ ...key, ...words, revision: 0 }, asManager(tenantId));
  expect((await world.identity.findOwnTemplates(key, on(tenantId))).templates).toMatchObject([words]);
});

test("a link may be where a tag leads", async () => {
  const link = { kind: "security.email_link", channel: "EMAIL", language: "en", subject: "Confirm", text: "{{link}}" };
  const html = '<p>Hello</p><a href="{{link}}">{{organisation}}</a>';
  const saved = await world.templates.saveTemplate({ ...link, html, revision: 0 }, asManager(testTenant()));
  expect(saved.template).toMatchObject({ html });
});

test("messages lead to the organisation's hosts, also from its sandbox, and say which those are", async () => {
  const tenantId = testTenant();
  const home =
    "See https://bank.example/help?a=b, bank.example, https://APP.bank.example:8443 or help@bank.example. The end.";
  const html =
    '<div>The end.</div><div>Go on</div><a href="https://app.bank.example/x">x</a><a href="mailto:a@bank.example?subject=b">y</a>';
  for (const id of [tenantId, `${tenantId}--sandbox`]) {
    const { template } = await world.templates.saveTemplate(
      { ...key, ...words, text: home, html, revision: 0 },
      asManager(id),
    );
    expect(template).toMatchObject({ text: home, html });
  }
  const elsewhere = { ...key, ...words, text: "See other.example", revision: 1 };
  expect(await errorsOf(world.templates.saveTemplate(elsewhere, asManager(tenantId)))).toEqual([
    "text: must not show other.example: messages lead to the organisation's own hosts alone, bank.example, " +
      "app.bank.example (a full stop needs a space after it)",
  ]);
});

test("kept words whose host is the organisation's no more are neither previewed nor tried: the member is named", async () => {
  const tenantId = testTenant();
  const call = asManager(tenantId);
  world.hosts.set(tenantId, ["old.example"]);
  await world.templates.saveTemplate({ ...key, ...words, text: "See old.example", revision: 0 }, call);
  world.hosts.set(tenantId, ["new.example"]);
  const fault = expect.stringContaining("text: must not show old.example");
  // What identity said is used for a second.
  await waitFor(async () => (await errorsOf(world.templates.previewTemplate(key, call))).length === 1 || undefined);
  expect(await errorsOf(world.templates.previewTemplate(key, call))).toEqual([fault]);
  const tried = world.templates.sendTemplateTest({ ...key, idempotencyKey: randomUUID() }, call);
  expect(await errorsOf(tried)).toEqual([fault]);
});

test("words in mails are laid out, and those that everybody starts with may be saved", async () => {
  const call = asManager(testTenant());
  const html =
    '<table width="600" cellpadding="0" style="color: rgb(1, 2, 3)"><tr><td bgcolor="#fff" align="center">{{received}}' +
    '<br><a href="https://bank.example/help" target="_blank">Help</a></td></tr></table>';
  const saved = await world.templates.saveTemplate({ ...key, ...words, html, revision: 0 }, call);
  expect(saved.template).toMatchObject({ html });
  const { templates } = await world.templates.listTemplates({}, asManager(testTenant()));
  for (const { subject, text, html: own, ...of } of templates) {
    const draft = { ...of, draft: { subject, text, html: own } };
    expect(await world.templates.previewTemplate(draft, call)).toMatchObject({ text: expect.stringMatching(/./) });
  }
});

test("what services send themselves comes in an organisation's words, and in shipped ones while events is away", async () => {
  const tenantId = testTenant();
  const requested = { kind: "security.payment_code", channel: "SMS", languages: ["de", "en"] } as const;
  const values = () => ({ organisation: "Bank", code: "314159", amount: "25.00 USD", payee: "Chidi" });
  const own = { kind: requested.kind, channel: requested.channel, language: "de", subject: "", html: "" };
  const text = "{{code}}: {{amount}} an {{payee}}";
  await world.templates.saveTemplate({ ...own, text, revision: 0 }, asManager(tenantId));
  const words = createSecurityMessages({ templates: world.identity });
  expect(await words.contentOf(on(tenantId), requested, values)).toEqual({
    subject: "",
    text: "314159: 25.00 USD an Chidi",
  });
  const nobody = world.network.client(NotificationServiceDefinition, "events", 1, "identity");
  for (const templates of [nobody, undefined]) {
    const shipped = await createSecurityMessages({ templates }).contentOf(on(tenantId), requested, values);
    expect(shipped.text).toMatch(/^314159 ist Ihr Code, um bei Bank 25.00 USD an Chidi zu zahlen/);
  }
  expect(
    JSON.stringify(await world.db.db!.collection("notification_templates").find({ tenantId }).toArray()),
  ).not.toContain("314159");
});

test("a preview writes amounts and days as its language does", async () => {
  const preview = async (language: string, kind: string, text: string) => {
    const draft = { subject: "s", text, html: "" };
    const requested = { kind, channel: "EMAIL", language, draft };
    return (await world.templates.previewTemplate(requested, asManager(testTenant()))).text;
  };
  expect(await preview("de", "transaction.completed", "{{received}}")).toBe("154.300,00 NGN");
  expect(await preview("en", "transaction.completed", "{{received}}")).toBe("154,300.00 NGN");
  expect(await preview("de", "loan.repayment_overdue", "{{amount}}, {{dueOn}}")).toBe("88,85 USD, 1. Dezember 2026");
});

test.each([
  ["FR", "did you mean fr?"],
  ["de-DE", "did you mean de?"],
  ["en_GB", "did you mean en?"],
  ["klingon", "must be the code of a language, such as en"],
])("the language %s is refused with what is meant", async (language, words) => {
  const requested = { kind: "transaction.completed", channel: "EMAIL", language };
  await expect(world.templates.getTemplate(requested, asManager(testTenant()))).rejects.toThrow(words);
});
