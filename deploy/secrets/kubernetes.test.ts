import { webcrypto } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { silentLog } from "../../test/support/index.js";
import { memorySecrets } from "../../test/support/memory-secrets.js";
import { openSecrets } from "./kubernetes.js";
import { makeSecrets } from "./make-secrets.js";

interface Requested {
  method: string;
  path: string;
  token: string | undefined;
  type: string | undefined;
  body: any;
}

type Answer = (requested: Requested) => Promise<{ status: number; body?: object }>;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A certificate of its own for 127.0.0.1, and its key. */
async function ownCertificate() {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"])) as webcrypto.CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: "CN=api",
    signingAlgorithm: algorithm,
    keys,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }])],
  });
  const key = x509.PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY");
  return { key, cert: certificate.toString("pem") };
}

/** An API server that answers as it is told, and a pod's account on it. */
async function apiServer(answer: Answer) {
  const own = await ownCertificate();
  const requested: Requested[] = [];
  const server = createServer(own, (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString();
      const { authorization: token, "content-type": type } = request.headers;
      const body: unknown = text ? JSON.parse(text) : undefined;
      const one = { method: request.method!, path: request.url!, token, type, body };
      requested.push(one);
      void answer(one).then(({ status, body: content = {} }) =>
        response.writeHead(status).end(JSON.stringify(content)),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const folder = mkdtempSync(join(tmpdir(), "manilla-account-"));
  const write = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  };
  write({ "ca.crt": own.cert, namespace: "money\n", token: "first\n" });
  const { port } = server.address() as AddressInfo;
  const config = {
    KUBERNETES_SERVICE_HOST: "127.0.0.1",
    KUBERNETES_SERVICE_PORT: port,
    SERVICE_ACCOUNT_DIR: folder,
  };
  return { requested, config, write };
}

async function storeOn(answer: Answer) {
  const server = await apiServer(answer);
  const store = await openSecrets(server.config);
  closing.push(() => store.close());
  return { ...server, store };
}

const secrets = "/api/v1/namespaces/money/secrets";

/** Answers as Kubernetes does, from secrets in memory. */
function answering(stored: ReturnType<typeof memorySecrets>): Answer {
  const decoded = (data: Record<string, string>) =>
    Object.fromEntries(Object.entries(data).map(([name, text]) => [name, Buffer.from(text, "base64").toString()]));
  return async ({ method, path, body }) => {
    const name = path.slice(secrets.length + 1);
    if (method === "POST") {
      const { metadata, type, data } = body;
      const isNew = await stored.create({ ...metadata, type, entries: decoded(data) });
      return { status: isNew ? 201 : 409, body: { reason: "AlreadyExists" } };
    }
    const found = stored.secrets.get(name);
    if (found === undefined) return { status: 404 };
    if (method === "PATCH") {
      const { metadata, data } = body;
      const isDone = await stored.change({ ...found, version: metadata.resourceVersion }, decoded(data));
      return { status: isDone ? 200 : 409 };
    }
    const data = Object.entries(found.entries).map(([entry, text]) => [entry, Buffer.from(text).toString("base64")]);
    return {
      status: 200,
      body: { metadata: { name, resourceVersion: found.version }, data: Object.fromEntries(data) },
    };
  };
}

test("makes and completes secrets over the API, with the token of the moment", async () => {
  const stored = memorySecrets();
  const { requested, store, write } = await storeOn(answering(stored));
  const plan = {
    labels: { a: "b" },
    keys: { secret: "keys", services: ["wallet"], masterKey: true, marker: "keys-made" },
  };
  await makeSecrets(plan, store, silentLog);
  write({ token: "second\n" });
  await makeSecrets({ ...plan, keys: { ...plan.keys, services: ["wallet", "ledger"] } }, store, silentLog);
  expect(requested.map(({ method, path, token, type }) => [method, path, token, type])).toEqual([
    ["GET", `${secrets}/keys-made`, "Bearer first", undefined],
    ["GET", `${secrets}/keys`, "Bearer first", undefined],
    ["POST", secrets, "Bearer first", "application/json"],
    ["GET", `${secrets}/keys-made`, "Bearer first", undefined],
    ["POST", secrets, "Bearer first", "application/json"],
    ["GET", `${secrets}/keys-made`, "Bearer second", undefined],
    ["GET", `${secrets}/keys`, "Bearer second", undefined],
    ["PATCH", `${secrets}/keys`, "Bearer second", "application/merge-patch+json"],
  ]);
  expect(requested[2]!.body).toMatchObject({
    kind: "Secret",
    type: "Opaque",
    metadata: { name: "keys", labels: { a: "b" } },
  });
  // What was there is not sent again.
  expect(Object.keys(requested[7]!.body.data).toSorted()).toEqual(["ledger.crt", "ledger.key", "services.crt"]);
  expect(Object.keys(stored.secrets.get("keys")!.entries)).toHaveLength(6);
});

test("a refusal is told by secret, status and reason, and never with what was sent or answered", async () => {
  const { store } = await storeOn(async ({ body }) => ({
    status: 403,
    body: { reason: "Forbidden", message: `not ${JSON.stringify(body)}` },
  }));
  const secret = { name: "keys", type: "Opaque" as const, labels: {}, entries: { "master.key": "hunter2" } };
  await expect(store.create(secret)).rejects.toThrow(/^secret keys cannot be made: 403 Forbidden$/);
  await expect(store.get("keys")).rejects.toThrow(/^secret keys cannot be read: 403 Forbidden$/);
});

test("another version, or one that is gone by now, is looked at again rather than written over", async () => {
  for (const status of [404, 409]) {
    const { store } = await storeOn(async () => ({ status }));
    expect(await store.change({ name: "keys", entries: {}, version: "7" }, { a: "b" })).toBe(false);
  }
});

test("an API server that the pod's authority does not vouch for is told nothing", async () => {
  const { requested, config, write } = await apiServer(async () => ({ status: 200 }));
  write({ "ca.crt": (await ownCertificate()).cert });
  const store = await openSecrets(config);
  closing.push(() => store.close());
  await expect(store.get("keys")).rejects.toThrow();
  expect(requested).toEqual([]);
});
