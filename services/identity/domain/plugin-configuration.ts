import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { boundedJson } from "../../kernel/formats/bounded-json.js";
import { createFaults } from "../../kernel/text/faults.js";
import { secretPlaceholder } from "../../platform/messages/sms-request.js";
import type { PluginManifest } from "../../platform/plugins/manifest.js";
import { invalidInput } from "../../kernel/refusal.js";

const maxBytes = 16_384;
const maxFaults = 20;
const testSystemProperty = "testUrl";

const ajv = new Ajv2020({
  allErrors: true,
  useDefaults: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  formats: {
    uri: (text: string) => URL.canParse(text),
    email: (text: string) => /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)+$/.test(text),
  },
});
// Of our own, and no rule for a value: PluginManifest says what it means.
ajv.addVocabulary(["isAddress", "isTemplate"]);
const compiled = new WeakMap<object, ValidateFunction>();

/**
 * The type's defaults are filled in. Refuses INVALID_INPUT, each fault by
 * its path under `configuration`.
 */
export function parseConfiguration(
  json: string,
  { configuration: schema, liveConfiguration }: PluginManifest,
  isLive: boolean,
): Record<string, unknown> {
  if (Buffer.byteLength(json) > maxBytes) throw invalidInput("configuration", `must not be above ${maxBytes} bytes`);
  const configuration = objectOf(json);
  const faults = createFaults();
  const errors = [schema, ...(isLive && liveConfiguration ? [liveConfiguration] : [])].flatMap((one) => {
    const validate = validatorOf(one);
    return validate(configuration) ? [] : (validate.errors ?? []).filter(isWhole);
  });
  for (const error of errors.slice(0, maxFaults)) faults.add(pathOf(error), wordsOf(error));
  faults.refuseIfAny();
  return configuration;
}

/** Where it names somebody to be called: its properties of the format uri, by their paths. */
export function urlsOf(
  configuration: Readonly<Record<string, unknown>>,
  { configuration: schema }: PluginManifest,
): { path: string; url: string }[] {
  const properties = (schema["properties"] ?? {}) as Record<string, { format?: string }>;
  return Object.entries(properties)
    .filter(([name, { format }]) => format === "uri" && typeof configuration[name] === "string")
    .map(([name]) => ({ path: `configuration.${name}`, url: configuration[name] as string }));
}

/** The host and port that it names where its type marks them as an address, as of mail servers. */
export function serverOf(
  { host, port }: Readonly<Record<string, unknown>>,
  { configuration: schema }: PluginManifest,
): { host: string; port: number } | undefined {
  const { host: marks } = (schema["properties"] ?? {}) as Record<string, Marks | undefined>;
  if (marks?.isAddress !== true || typeof host !== "string") return undefined;
  return { host, port: Number(port) };
}

export interface SecretPlace {
  /** What it is known again by. */
  place: string;
  /** Only tests of the partner go there. */
  isOfTests: boolean;
}

interface Marks {
  format?: string;
  isAddress?: boolean;
  isTemplate?: boolean;
}

/**
 * Where an installation's secrets are sent: the origin of each URL that its type marks, all else
 * that it marks as one address, and each text of a template that holds one.
 */
export function secretPlacesOf(configurationJson: string, { configuration: schema }: PluginManifest): SecretPlace[] {
  const configuration = objectOf(configurationJson);
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, Marks>);
  const known = properties.filter(([name]) => configuration[name] !== undefined);
  const marked = known.filter(([, { isAddress }]) => isAddress === true);
  const urls = marked.filter(([, { format }]) => format === "uri");
  const parts = marked.filter((one) => !urls.includes(one)).map(([name]) => wordOf(configuration[name]));
  const templates = known.filter(([, { isTemplate }]) => isTemplate === true);
  const always = [
    ...(parts.length === 0 ? [] : [parts.join(":")]),
    ...templates.flatMap(([name]) => secretTextsOf(name, configuration[name])),
  ];
  return [
    ...urls.map(([name]) => ({
      place: new URL(String(configuration[name])).origin,
      isOfTests: name === testSystemProperty,
    })),
    ...always.map((place) => ({ place, isOfTests: false })),
  ];
}

const wordOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value)).toLowerCase();

/** Each with its own name: the same text somewhere else is another place. */
function secretTextsOf(name: string, value: unknown): string[] {
  const texts = typeof value === "object" && value !== null ? Object.entries(value) : [["", value]];
  return texts
    .filter(([, text]) => typeof text === "string" && secretPlaceholder.test(text))
    .map(([member, text]) => JSON.stringify([name, String(member).toLowerCase(), text]));
}

/**
 * Refuses INVALID_INPUT for another value of what makes an installation this partner and no other:
 * what was begun there is asked for there, and would be asked of somebody else.
 */
export function assertSamePartner(
  beforeJson: string,
  afterJson: string,
  { fixedOnceEnabled = [] }: PluginManifest,
): void {
  const [before, after] = [objectOf(beforeJson), objectOf(afterJson)];
  const faults = createFaults();
  for (const name of fixedOnceEnabled) {
    if (JSON.stringify(before[name]) === JSON.stringify(after[name])) continue;
    faults.add(`configuration.${name}`, "stays as it is once the plugin was enabled: install another one");
  }
  faults.refuseIfAny();
}

/** Whether it is sent other work than what it has passed a test of. */
export function isTestedAnew(
  beforeJson: string,
  afterJson: string,
  { testedAnewFor = [] }: Pick<PluginManifest, "testedAnewFor">,
): boolean {
  if (testedAnewFor.length === 0) return false;
  const [before, after] = [objectOf(beforeJson), objectOf(afterJson)];
  return testedAnewFor.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** Whose books an installation lists from, as one text; undefined where it lists none. */
export function booksOf(configurationJson: string, { booksAt }: PluginManifest): string | undefined {
  if (booksAt === undefined) return undefined;
  const configuration = objectOf(configurationJson);
  return JSON.stringify(booksAt.map((name) => configuration[name] ?? ""));
}

function validatorOf(schema: object): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const fresh = ajv.compile(schema);
  compiled.set(schema, fresh);
  return fresh;
}

function objectOf(json: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = boundedJson(json);
  } catch {
    throw invalidInput("configuration", "must be JSON of at most 32 levels");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidInput("configuration", "must be an object");
  }
  return value as Record<string, unknown>;
}

/** Not why a name is none: that it is none is enough. */
const isWhole = ({ keyword, propertyName }: ErrorObject) => propertyName === undefined || keyword === "propertyNames";

function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const named = params as { missingProperty?: string; additionalProperty?: string; propertyName?: string };
  const member =
    named.missingProperty ?? named.additionalProperty ?? (keyword === "propertyNames" ? named.propertyName : undefined);
  const path = instancePath.split("/").slice(1).map(unescaped);
  return ["configuration", ...path, ...(member === undefined ? [] : [member])].join(".");
}

const unescaped = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** What it must be; what was sent is not repeated. */
function wordsOf({ keyword, params, message = "is not allowed" }: ErrorObject): string {
  if (keyword === "required") return "is required";
  if (keyword === "additionalProperties") return "is not known to this type";
  if (keyword === "enum") return choiceOf((params as { allowedValues: unknown[] }).allowedValues);
  if (keyword === "format" && (params as { format: string }).format === "uri")
    return "must be a URL, such as https://partner.example";
  if (keyword === "format") return "must be an e-mail address";
  if (keyword === "propertyNames") return "is not allowed as a name";
  return message;
}

const mostNamed = 20;

function choiceOf(allowed: readonly unknown[]): string {
  return allowed.length > mostNamed
    ? "must be one of the codes that the type's schema lists"
    : `must be one of ${allowed.join(", ")}`;
}
