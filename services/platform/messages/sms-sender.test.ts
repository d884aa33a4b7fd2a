import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { startSilentServer } from "../../../test/support/mail-server.js";
import type { Installation } from "../plugins/installations.js";
import { createSmsSender } from "./sms-sender.js";
import { templateFaults, type SmsConfiguration } from "./sms-request.js";

interface Received {
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
}
const received: Received[] = [];
let answer: { status: number; headers?: Record<string, string> };
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { method = "", headers } = request;
    received.push({ method, headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(answer.status, answer.headers).end("a secret was sent");
  });
});
const deps = {
  resolve: async (host: string) => (host === "inside.example" ? ["10.0.0.7"] : ["93.184.215.14"]),
  allowedOf: (tenantId: string) => (tenantId.endsWith("--sandbox") ? ["http://127.0.0.1:*"] : []),
};
const sms = createSmsSender(deps);
beforeAll(() => new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening)));
beforeEach(() => {
  received.length = 0;
  answer = { status: 200 };
});
afterAll(() => {
  sms.close();
  return new Promise((closed) => server.close(closed));
});

const secret = 'key "of" ünusual & letters';
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/messages`;
const json: Partial<SmsConfiguration> = {
  contentType: "application/json",
  body: '{"to":"{{to}}","text":"{{ text }}","ref":"{{id}}","key":"{{secret}}"}',
};
const form: Partial<SmsConfiguration> = {
  contentType: "application/x-www-form-urlencoded",
  body: "To={{to}}&Body={{text}}&Key={{secret}}",
};
const installed = (configuration: Partial<SmsConfiguration>, key = secret): Installation => ({
  installationId: "sms-1",
  type: "http-sms",
  status: "ENABLED",
  configuration: { url: url(), method: "POST", ...configuration },
  secrets: key === "" ? {} : { secret: key },
  name: "Ours",
  missingSecrets: [],
  routes: [],
  revision: 1,
});
const send = (installation: Installation, text = "Your code is 123456", tenantId = "bank--sandbox") =>
  sms.send({ reference: "r-1", channel: "SMS", to: "+2348012345678", subject: "", text }, { tenantId, installation });

const awkward = [
  'He said "no", didn\'t he? \\',
  "two\nlines\r\nand a \ttab\u0000",
  "ñandú 😀 中文 \u2028",
  "half a pair: \ud83d",
  "{{secret}} {{to}} $& $1",
  '","to":"+1555',
  "&To=%2B1555",
];

test.each(awkward)("text stays text in JSON and in a form: %j", async (text) => {
  expect(await send(installed(json), text)).toEqual({ outcome: "OK", status: 200, why: "" });
  await send(installed(form), text);
  const [asJson, asForm] = received;
  expect(JSON.parse(asJson!.body)).toEqual({
    to: "+2348012345678",
    text: text.toWellFormed(),
    ref: "r-1",
    key: secret,
  });
  expect([...new URLSearchParams(asForm!.body)]).toEqual([
    ["To", "+2348012345678"],
    ["Body", text.toWellFormed()],
    ["Key", secret],
  ]);
  expect(asForm!.headers["content-type"]).toBe("application/x-www-form-urlencoded");
});

test("headers have the secret and nothing of the message, and none ends its line or says how the body is framed", async () => {
  const headers = {
    Authorization: "Bearer {{secret}}",
    "X-Text": "{{text}}",
    "X-Split": "a\r\nX-Evil: 1",
    Host: "other.example",
    "Transfer-Encoding": "chunked",
    "Content-Length": "1",
  };
  await send(installed({ ...json, method: "PUT", headers }, "s3cret"));
  expect(received).toMatchObject([
    { method: "PUT", headers: { authorization: "Bearer s3cret", "x-text": "{{text}}", host: new URL(url()).host } },
  ]);
  expect(received[0]!.headers).not.toHaveProperty("x-evil");
  expect(received[0]!.headers).not.toHaveProperty("x-split");
  expect(received[0]!.headers["content-length"]).toBe(String(Buffer.byteLength(received[0]!.body)));
});

test.each([
  [200, undefined, "OK"],
  [204, undefined, "OK"],
  [200, [202], "UNKNOWN"],
  [202, [202], "OK"],
  [400, undefined, "REFUSED"],
  [422, undefined, "REFUSED"],
  // They speak of the key, or of the moment.
  [401, undefined, "UNKNOWN"],
  [404, undefined, "UNKNOWN"],
  [429, undefined, "UNKNOWN"],
  [503, undefined, "UNKNOWN"],
] as const)("a service that answers %d where %j is success: %s", async (status, successStatus, outcome) => {
  answer = { status };
  const sent = await send(installed({ ...json, ...(successStatus && { successStatus }) }));
  expect(sent).toMatchObject({ outcome, status });
  expect(JSON.stringify(sent)).not.toContain("secret");
});

test("a redirect is not followed", async () => {
  answer = { status: 307, headers: { location: url() } };
  expect(await send(installed(json))).toMatchObject({ outcome: "UNKNOWN", status: 307 });
  expect(received).toHaveLength(1);
});

test("nothing is sent to an address that is not public, and never by a live tenant to what sandboxes may reach", async () => {
  const inside = { outcome: "UNKNOWN", why: "the address is not public" };
  expect(await send(installed(json), "t", "bank")).toMatchObject(inside);
  for (const place of ["https://127.0.0.1/", "https://inside.example/", "https://[::1]/", "http://93.184.215.14/"]) {
    expect(await send(installed({ ...json, url: place }))).toMatchObject(inside);
  }
  expect(received).toEqual([]);
});

test("a service that hangs is given up in time", async () => {
  const silent = await startSilentServer();
  const impatient = createSmsSender({ ...deps, timeoutMs: 200 });
  const installation = installed({ ...json, url: `http://127.0.0.1:${silent.port}/` });
  const message = { reference: "r", channel: "SMS", to: "+1", subject: "", text: "t" } as const;
  expect(await impatient.send(message, { tenantId: "bank--sandbox", installation })).toEqual({
    outcome: "UNKNOWN",
    status: 0,
    why: "no answer within 200 ms",
  });
  impatient.close();
  await silent.close();
});

describe("a template", () => {
  const faults = (change: Partial<SmsConfiguration>, hasSecret = true) =>
    templateFaults({ url: "https://x.example", method: "POST", ...json, ...change } as SmsConfiguration, hasSecret);

  test("that makes requests has no fault", () => {
    expect(faults({ headers: { Authorization: "Bearer {{secret}}" } })).toEqual([]);
    expect(faults(form)).toEqual([]);
  });

  test.each([
    [{ body: '{"to":"{{to}}"}' }, "the body has no {{text}}"],
    [{ body: '{"to":"{{to}}","text":"{{text}}","from":"{{sender}}"}' }, "the body has an unknown {{sender}}"],
    [{ body: '{"to":{{to}},"text":{{text}}}' }, "the body is not JSON once it is filled in"],
    [{ headers: { "X-To": "{{to}}" } }, "the header X-To may have {{secret}} alone"],
    [{ headers: { Host: "other.example" } }, "the header Host cannot be sent"],
    [{ headers: { "X-Split": "a\nb" } }, "the header X-Split cannot be sent"],
  ] as const)("%j: %s", (change, fault) => {
    expect(faults(change)).toEqual([fault]);
  });

  test("that uses a secret needs one", () => {
    expect(faults({}, false)).toEqual(["{{secret}} is used, and no secret is set"]);
  });
});
