/** Of the type `http-sms`, as its schema has it. */
export interface SmsConfiguration {
  url: string;
  method: "POST" | "PUT";
  contentType: "application/json" | "application/x-www-form-urlencoded";
  headers?: Readonly<Record<string, string>>;
  body: string;
  successStatus?: readonly number[];
}

export interface SmsValues {
  to: string;
  text: string;
  /** The message's reference. */
  id: string;
  secret: string;
}

export interface SmsRequest {
  headers: Record<string, string>;
  body: string;
}

const placeholder = /\{\{\s*([A-Za-z]*)\s*\}\}/g;
/** Where a template has the secret put in. */
export const secretPlaceholder = /\{\{\s*secret\s*\}\}/;
const everySecret = new RegExp(secretPlaceholder, "g");
const names: readonly string[] = ["to", "text", "id", "secret"];

/** What a connection is made and framed by: ours alone. */
const ours: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const headerText = /^[\t\x20-\x7e]*$/;

/**
 * The request of a template. Values are put in once, escaped for the body's form, so that none of
 * them can end its own place; a header that could end its line is left out.
 */
export function smsRequestOf({ contentType, headers = {}, body }: SmsConfiguration, values: SmsValues): SmsRequest {
  const escape = contentType === "application/json" ? inJson : encodeURIComponent;
  const own = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), headerOf(value, values)] as const)
    .filter(([name, value]) => !ours.has(name) && headerText.test(value));
  return {
    headers: { ...Object.fromEntries(own), "content-type": contentType },
    body: filled(body, (name) => escape(values[name as keyof SmsValues].toWellFormed())),
  };
}

const headerOf = (value: string, { secret }: SmsValues) => value.replaceAll(everySecret, () => secret);

/** What is none of our placeholders stays as it is. */
const filled = (template: string, valueOf: (name: string) => string) =>
  template.replaceAll(placeholder, (whole, name: string) => (names.includes(name) ? valueOf(name) : whole));

const inJson = (value: string) => JSON.stringify(value).slice(1, -1);

/** What is wrong with a template, a sentence each; empty where it makes requests. */
export function templateFaults(configuration: SmsConfiguration, hasSecret: boolean): string[] {
  const { body, headers = {}, contentType } = configuration;
  const placeholders = [...body.matchAll(placeholder)].map(([, name]) => name!);
  const inHeaders = Object.entries(headers).flatMap(([name, value]) =>
    [...value.matchAll(placeholder)].map(([, one]) => ({ name, one: one! })),
  );
  const usesSecret = placeholders.includes("secret") || inHeaders.some(({ one }) => one === "secret");
  const example = { to: "+15550100", text: 'He said "no" \\ yes\n& so on: ñ 😀 {{secret}}', id: "test", secret: "s" };
  return [
    ...["to", "text"].filter((name) => !placeholders.includes(name)).map((name) => `the body has no {{${name}}}`),
    ...placeholders.filter((name) => !names.includes(name)).map((name) => `the body has an unknown {{${name}}}`),
    ...inHeaders
      .filter(({ one }) => one !== "secret")
      .map(({ name }) => `the header ${name} may have {{secret}} alone`),
    ...Object.entries(headers)
      .filter(([name, value]) => ours.has(name.toLowerCase()) || !headerText.test(value))
      .map(([name]) => `the header ${name} cannot be sent`),
    ...(usesSecret && !hasSecret ? ["{{secret}} is used, and no secret is set"] : []),
    ...(contentType === "application/json" && !isJson(smsRequestOf(configuration, example).body)
      ? ["the body is not JSON once it is filled in"]
      : []),
  ];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
