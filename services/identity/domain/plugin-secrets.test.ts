import type { PluginManifest } from "../../platform/plugins/manifest.js";
import { pluginTypeOf, pluginTypes } from "../../platform/plugins/types/index.js";
import { droppedBy, missingSecrets } from "./plugin-secrets.js";
import { changed, type PluginRecord, type PluginStatus } from "./plugins.js";

interface Property {
  title?: string;
  format?: string;
  isTemplate?: boolean;
  isAddress?: boolean;
  properties?: Record<string, Property>;
  items?: Property;
  additionalProperties?: Property | boolean;
}

/** By its format or by its name somebody is there; an address for e-mail or post is not called. */
function isPlace(name: string, { format = "" }: Property): boolean {
  if (format === "email" || name.endsWith("AddressLine")) return false;
  return (
    /^(ur[il]|iri|hostname|idn-hostname|ipv[46])/.test(format) ||
    /ur[il]$|^host|port$|endpoint|address|origin|server/i.test(name)
  );
}

/**
 * Paths of what would be an address and has no mark, or has one that counts
 * for nothing since it lies deeper.
 */
function unmarkedIn(schema: Property, path = ""): string[] {
  const members: Record<string, Property> = { ...schema.properties, ...(schema.items && { "[]": schema.items }) };
  if (typeof schema.additionalProperties === "object") members["*"] = schema.additionalProperties;
  return Object.entries(members).flatMap(([name, property]) => {
    const isMarked = property.isAddress === true && path === "";
    const isMisplaced = property.isAddress === true && path !== "";
    const here = (isPlace(name, property) && !isMarked) || isMisplaced ? [`${path}${name}`] : [];
    return [...here, ...unmarkedIn(property, `${path}${name}.`)];
  });
}

const marksOf = ({ configuration }: PluginManifest) =>
  Object.entries((configuration as Property).properties ?? {}).filter(([, { isAddress }]) => isAddress === true);

describe("the marks of addresses", () => {
  test.each(pluginTypes.map((type) => [type.name, type] as const))("%s has one on each", (_name, type) => {
    expect(unmarkedIn(type.configuration as Property)).toEqual([]);
    // A secret that goes nowhere would not be one.
    if (type.secrets.length > 0) expect(marksOf(type)).not.toEqual([]);
    // What is marked beside URLs is one address: two of them could not be told apart.
    const parts = marksOf(type).filter(([, { format }]) => format !== "uri");
    expect(parts.length === 0 || parts.map(([name]) => name).join(" ") === "host port").toBe(true);
  });

  test.each(pluginTypes.map((type) => [type.name, type] as const))("%s has one on each template too", (_name, type) => {
    const templates = Object.values((type.configuration as Property).properties ?? {});
    const unmarked = templates.filter(
      ({ title = "", isTemplate }) => title.includes("{{secret}}") && isTemplate !== true,
    );
    expect(unmarked).toEqual([]);
  });

  test("are found to be missing wherever a type names somebody", () => {
    const url = { type: "string", format: "uri" };
    const properties = {
      url: { ...url, isAddress: true },
      hookUrl: url,
      site: url,
      port: {},
      from: { format: "email" },
    };
    const deep = {
      list: { items: { properties: { url: { ...url, isAddress: true } } } },
      map: { additionalProperties: url },
    };
    expect(unmarkedIn({ properties: { ...properties, ...deep } })).toEqual([
      "hookUrl",
      "site",
      "port",
      "list.[].url",
      "map.*",
    ]);
  });
});

const now = new Date("2026-11-24T12:00:00Z");
const secret = { sealed: {} as never, setAt: now };

function plugin(type: string, configuration: object, status: PluginStatus = "DRAFT"): PluginRecord {
  const { kind, secrets } = pluginTypeOf(type)!;
  return {
    installationId: "plugin-1",
    type,
    kind,
    name: "Partner",
    status,
    configurationJson: JSON.stringify(configuration),
    configuredBy: "MA1",
    routes: [],
    secrets: Object.fromEntries(secrets.map(({ name }) => [name, secret])),
    droppedSecrets: [],
    revision: 1,
    testableSince: 1,
    createdAt: now,
    changedAt: now,
  };
}

const pay = { url: "https://pay.example/v2" };
const mail = { host: "mail.example", port: 587, security: "STARTTLS", from: "a@bank.example" };
const sms = { url: "https://sms.example/send", body: "{{to}} {{secret}}" };
const bearer = { Authorization: "Bearer {{secret}}" };
const smsByHeader = { url: "https://sms.example/send", headers: bearer, body: "{{to}} {{text}}" };

test.each([
  ["another host", "manilla-http", pay, { url: "https://elsewhere.example/v2" }, ["apiKey", "callbackSecret"]],
  ["another port", "bank-http", pay, { url: "https://pay.example:8443/v2" }, ["apiKey"]],
  ["no encryption", "identity-http", pay, { url: "http://pay.example/v2" }, ["apiKey"]],
  ["a subdomain", "card-http", pay, { url: "https://x.pay.example/v2" }, ["apiKey"]],
  ["a test system", "identity-http", pay, { ...pay, testUrl: "https://elsewhere.example" }, ["apiKey"]],
  [
    "another test system",
    "identity-http",
    { ...pay, testUrl: "https://a.example" },
    { ...pay, testUrl: "https://b.example" },
    ["apiKey"],
  ],
  ["another mail server", "smtp", mail, { ...mail, host: "elsewhere.example" }, ["password"]],
  ["another port for mail", "smtp", mail, { ...mail, port: 2525 }, ["password"]],
  ["another text message service", "http-sms", sms, { ...sms, url: "https://elsewhere.example/send" }, ["secret"]],
  [
    "a body that shows the secret",
    "http-sms",
    smsByHeader,
    { ...smsByHeader, body: "{{text}} {{ secret }}" },
    ["secret"],
  ],
  ["another text around the secret", "http-sms", sms, { ...sms, body: "{{to}} {{text}} {{secret}}" }, ["secret"]],
  [
    "another header",
    "http-sms",
    smsByHeader,
    { ...smsByHeader, headers: { "X-Text": "Bearer {{secret}}" } },
    ["secret"],
  ],
  [
    "another text of a header",
    "http-sms",
    smsByHeader,
    { ...smsByHeader, headers: { Authorization: "Basic {{secret}}" } },
    ["secret"],
  ],
  [
    "one more header",
    "http-sms",
    smsByHeader,
    { ...smsByHeader, headers: { ...bearer, "X-Key": "{{secret}}" } },
    ["secret"],
  ],
  [
    "a header's text as body",
    "http-sms",
    smsByHeader,
    { ...smsByHeader, headers: {}, body: bearer.Authorization },
    ["secret"],
  ],
  ["a test system of a connector", "manilla-http", pay, { ...pay, testUrl: "https://elsewhere.example" }, ["apiKey"]],
  ["another source of rates", "fx-http", pay, { url: "https://elsewhere.example" }, ["apiKey"]],
  ["another publisher", "screening-eu", pay, { url: "https://elsewhere.example" }, ["token"]],
  ["another verifier", "contact-http", pay, { url: "https://elsewhere.example" }, ["apiKey"]],
])("%s (%s) gets none of the secrets that there are", (_what, type, before, after, dropped) => {
  const change = { configurationJson: JSON.stringify(after) };
  expect(droppedBy(plugin(type, before), change, pluginTypeOf(type)!)).toEqual(dropped);
});

test.each([
  ["another path", "manilla-http", pay, { url: "https://pay.example/v3" }],
  ["the same in other letters", "manilla-http", pay, { url: "https://PAY.example:443/v2" }],
  ["a test system at the same place", "identity-http", pay, { ...pay, testUrl: "https://pay.example/test" }],
  ["no test system any more", "identity-http", { ...pay, testUrl: "https://a.example" }, pay],
  ["another account", "bank-http", pay, { ...pay, account: "acme" }],
  ["another sender", "smtp", mail, { ...mail, from: "b@bank.example", fromName: "Bank" }],
  ["the same host in other letters", "smtp", mail, { ...mail, host: "MAIL.example" }],
  ["a body without the secret", "http-sms", sms, { ...sms, body: "{{text}}" }],
  ["another body beside the header", "http-sms", smsByHeader, { ...smsByHeader, body: "{{text}} for {{to}}" }],
  [
    "a header without the secret",
    "http-sms",
    smsByHeader,
    { ...smsByHeader, headers: { "X-Kind": "codes", authorization: bearer.Authorization } },
  ],
])("%s (%s) keeps the secrets", (_what, type, before, after) => {
  const change = { configurationJson: JSON.stringify(after) };
  expect(droppedBy(plugin(type, before), change, pluginTypeOf(type)!)).toEqual([]);
});

test("what is marked as an address and is an object is compared by what is in it", () => {
  const properties = { peers: { type: "object", isAddress: true } };
  const type = { ...pluginTypeOf("manilla-http")!, configuration: { properties } };
  const dropped = (host: string) =>
    droppedBy(
      plugin("manilla-http", { peers: { host: "a.example" } }),
      { configurationJson: JSON.stringify({ peers: { host } }) },
      type,
    );
  expect(dropped("a.example")).toEqual([]);
  expect(dropped("b.example")).toEqual(["apiKey", "callbackSecret"]);
});

describe("an installation whose address changes", () => {
  const moved = { action: "plugin.change", configurationJson: '{"url":"https://elsewhere.example"}' } as const;
  const manifest = pluginTypeOf("manilla-http")!;
  const fresh = { sealed: {} as never, setAt: new Date("2026-11-25T12:00:00Z") };
  const change = (before: PluginRecord, secrets?: Record<string, typeof secret>) => {
    const values = secrets && Object.fromEntries(Object.keys(secrets).map((name) => [name, "value"]));
    const requested = { ...moved, ...(values && { secrets: values }) };
    return changed(before, requested, secrets, { actor: "m", now, manifest });
  };

  test.each([
    ["DRAFT", "DRAFT"],
    ["TESTED", "DRAFT"],
    ["ENABLED", "PAUSED"],
    ["PAUSED", "PAUSED"],
  ] as const)("and is %s is %s without them", (status, then) => {
    const after = change(plugin("manilla-http", pay, status));
    expect(after).toMatchObject({ status: then, secrets: {}, revision: 2, testableSince: 2 });
    expect(missingSecrets(after, manifest)).toEqual(["apiKey", "callbackSecret"]);
  });

  test("has those that come with the change, and goes on where none is missing", () => {
    const some = change(plugin("manilla-http", pay, "ENABLED"), { apiKey: fresh });
    expect(some).toMatchObject({ status: "PAUSED", secrets: { apiKey: fresh } });
    expect(missingSecrets(some, manifest)).toEqual(["callbackSecret"]);
    const all = change(plugin("manilla-http", pay, "ENABLED"), { apiKey: fresh, callbackSecret: fresh });
    expect(all).toMatchObject({ status: "ENABLED", secrets: { apiKey: fresh, callbackSecret: fresh } });
    expect(missingSecrets(all, manifest)).toEqual([]);
  });

  test("lacks also what its type does not require, until that is given anew", () => {
    const type = pluginTypeOf("smtp")!;
    const by = { actor: "m", now, manifest: type };
    const elsewhere = JSON.stringify({ ...mail, host: "elsewhere.example" });
    const without = changed(
      plugin("smtp", mail, "ENABLED"),
      { action: "plugin.change", configurationJson: elsewhere },
      undefined,
      by,
    );
    expect([without.status, missingSecrets(without, type)]).toEqual(["PAUSED", ["password"]]);
    const back = { action: "plugin.change", configurationJson: JSON.stringify(mail) } as const;
    expect(missingSecrets(changed(without, back, undefined, by), type)).toEqual(["password"]);
    const rotate = { action: "plugin.rotate-secret", secrets: { password: "value" } } as const;
    const given = changed(without, rotate, { password: fresh }, by);
    expect([given.secrets, missingSecrets(given, type)]).toEqual([{ password: fresh }, []]);
    // Who never had one needs none.
    expect(missingSecrets({ ...plugin("smtp", mail), secrets: {} }, type)).toEqual([]);
  });
});
