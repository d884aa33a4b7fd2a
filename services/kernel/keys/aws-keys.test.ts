import { startMoto, type KeyServer } from "../../../test/support/key-servers.js";
import { createAwsKeys } from "./aws-keys.js";
import { MasterKeyError } from "./key-wrapper.js";

// The server is fetched where the cache has none.
jest.setTimeout(600_000);

const secret = Buffer.alloc(32, 7);
const context = { service: "identity", purpose: "personal-data", keyId: "1" };
const region = "eu-central-1";
let server: KeyServer;
let old: string;
let anew: string;
let foreign: string;
let credentials: { id: string; secret: string };
const before = { ...process.env };

/** As AWS's root may before anybody else is let in: the server counts these calls. */
async function open(service: "kms" | "iam", headers: Record<string, string>, body: string): Promise<string> {
  const scope = `x/20260101/${region}/${service}/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=x`;
  const response = await fetch(server.url, { method: "POST", headers: { authorization, ...headers }, body });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

async function newKey(): Promise<string> {
  const headers = { "X-Amz-Target": "TrentService.CreateKey", "Content-Type": "application/x-amz-json-1.1" };
  const made = JSON.parse(await open("kms", headers, "{}")) as { KeyMetadata: { Arn: string } };
  return made.KeyMetadata.Arn;
}

const iam = (action: string, more: Record<string, string> = {}) =>
  open(
    "iam",
    { "Content-Type": "application/x-www-form-urlencoded" },
    new URLSearchParams({ Action: action, UserName: "manilla", Version: "2010-05-08", ...more }).toString(),
  );

beforeAll(async () => {
  server = await startMoto(7);
  // The look whether it is up is the first call.
  [old, anew, foreign] = [await newKey(), await newKey(), await newKey()];
  await iam("CreateUser");
  const Action = ["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt"];
  const policy = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action, Resource: "*" }] };
  await iam("PutUserPolicy", { PolicyName: "manilla", PolicyDocument: JSON.stringify(policy) });
  const key = await iam("CreateAccessKey");
  const text = (name: string) => new RegExp(`<${name}>([^<]+)<`).exec(key)![1]!;
  credentials = { id: text("AccessKeyId"), secret: text("SecretAccessKey") };
});
beforeEach(() => signAs(credentials));
afterAll(async () => {
  process.env = before;
  await server?.stop();
});

function signAs({ id, secret: key }: { id: string; secret: string }): void {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: key });
}

const keysOf = (...keys: string[]) => createAwsKeys({ keys, endpoint: server.url });

test("a secret opens in its own place only, signed by the credentials of the environment", async () => {
  const keys = await keysOf(old);
  const wrapped = await keys.wrap(secret, context);
  expect(wrapped.masterKeyId).toBe(old);
  expect(Buffer.from(await keys.unwrap(wrapped, context))).toEqual(secret);
  for (const other of [{ service: "remittance" }, { purpose: "mac" }, { keyId: "2" }]) {
    await expect(keys.unwrap(wrapped, { ...context, ...other })).rejects.toThrow(/InvalidCiphertext/);
  }
});

test("a new key is a new version: both open, and what is wrapped anew needs the new one only", async () => {
  const wrapped = await (await keysOf(old)).wrap(secret, context);
  const both = await keysOf(old, anew);
  expect(await both.newest()).toBe(anew);
  const rewrapped = await both.rewrap(wrapped, context);
  expect(rewrapped.masterKeyId).toBe(anew);
  for (const one of [wrapped, rewrapped]) expect(Buffer.from(await both.unwrap(one, context))).toEqual(secret);
  expect(Buffer.from(await (await keysOf(anew)).unwrap(rewrapped, context))).toEqual(secret);
});

test("a key that only the database names is never asked for", async () => {
  const planted = await (await keysOf(foreign)).wrap(secret, context);
  const keys = await keysOf(old, anew);
  await expect(keys.unwrap(planted, context)).rejects.toThrow(/MASTER_KEY_AWS_KEYS does not name/);
  await expect(keys.rewrap(planted, context)).rejects.toThrow(/MASTER_KEY_AWS_KEYS does not name/);
});

test("a wrong signature is an error of the key, a server that is away is UNAVAILABLE", async () => {
  const wrapped = await (await keysOf(old)).wrap(secret, context);
  signAs({ ...credentials, secret: "another secret" });
  await expect((await keysOf(old)).unwrap(wrapped, context)).rejects.toThrow(MasterKeyError);
  signAs(credentials);
  const nobody = await createAwsKeys({ keys: [old], endpoint: "http://127.0.0.1:1", timeoutMs: 300 });
  await expect(nobody.unwrap(wrapped, context)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await server.pause();
  try {
    const hurried = await createAwsKeys({ keys: [old], endpoint: server.url, timeoutMs: 300 });
    await expect(hurried.unwrap(wrapped, context)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  } finally {
    server.goOn();
  }
});
