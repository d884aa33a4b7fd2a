import { Webhook } from "standardwebhooks";
import { webhooks } from "./index.js";

const secret = `whsec_${Buffer.from("a secret of 24 bytes, so").toString("base64")}`;
const other = `whsec_${Buffer.from("another one of 24 bytes.").toString("base64")}`;
const body =
  '{"id":"e-1","type":"transaction.paid","data":{"id":"t-1","inclussive":true,"sendAmount":"20.00"},"sequence":2,"n":"é"}';

test("takes what the reference library signs, and signs what it takes", async () => {
  const at = new Date();
  const reference = new Webhook(secret);
  const headers = {
    "Webhook-Id": "e-1",
    "Webhook-Timestamp": String(Math.floor(at.getTime() / 1000)),
    "Webhook-Signature": reference.sign("e-1", at, body),
  };
  const event = await webhooks.unwrap(body, headers, secret);
  if (event.type !== "transaction.paid") throw new Error("another type");
  expect([event.data.sendAmount, event.data.inclusive]).toEqual(["20.00", true]);
  expect(() => reference.verify(body, signedHeaders)).not.toThrow();
});
let signedHeaders: Record<string, string>;
beforeAll(async () => {
  signedHeaders = await webhooks.sign(body, secret, "e-1");
});

test("takes bytes, Headers and any secret of a rotation", async () => {
  const bytes = new TextEncoder().encode(body);
  await expect(webhooks.unwrap(bytes, new Headers(signedHeaders), [other, secret])).resolves.toMatchObject({
    id: "e-1",
  });
  const both = { ...signedHeaders, "webhook-signature": `v1,AAAA v2,x ${signedHeaders["webhook-signature"]}` };
  await expect(webhooks.unwrap(body, both, secret)).resolves.toMatchObject({ id: "e-1" });
});

test.each([
  ["another secret", body, {}, other],
  ["another body", `${body} `, {}, secret],
  ["another id", body, { "webhook-id": "e-2" }, secret],
  ["no secrets", body, {}, []],
  ["no signature that can be read", body, { "webhook-signature": "v1,%%% v1a,x" }, secret],
])("refuses %s", async (_what, text, headers, secrets) => {
  await expect(webhooks.unwrap(text, { ...signedHeaders, ...headers }, secrets)).rejects.toThrow(
    "the webhook's signature is of none of the secrets",
  );
});

test("refuses what is too old, too early, without time or without header", async () => {
  for (const shiftS of [-301, 302]) {
    const headers = await webhooks.sign(body, secret, "e-1", new Date(Date.now() + shiftS * 1000));
    await expect(webhooks.unwrap(body, headers, secret)).rejects.toThrow("timestamp is not within 300 s");
    await expect(webhooks.unwrap(body, headers, secret, { toleranceS: 600 })).resolves.toMatchObject({ id: "e-1" });
  }
  await expect(webhooks.unwrap(body, { ...signedHeaders, "webhook-timestamp": "soon" }, secret)).rejects.toThrow(
    "timestamp",
  );
  await expect(webhooks.unwrap(body, { ...signedHeaders, "webhook-id": undefined }, secret)).rejects.toThrow(
    "has no header webhook-id",
  );
});

test("says what a secret looks like, without showing it", async () => {
  const failure: unknown = await webhooks.unwrap(body, signedHeaders, "whsec_!!").catch((error: unknown) => error);
  expect(String(failure)).toMatch(/^ConfigurationError: a webhook's secret is whsec_ and base64/);
  expect(String(failure)).not.toContain("!!");
});
