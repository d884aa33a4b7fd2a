import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createChannel, createClient as createBareClient } from "nice-grpc";
import { HealthDefinition } from "nice-grpc-server-health";
import { waitFor } from "../../../test/support/index.js";
import { createProbeNetwork, ProbeDefinition } from "../../../test/support/transport.js";
import { processMetrics } from "../telemetry/metrics.js";
import { createServiceTokenSigner, createServiceTokenVerifier } from "../tokens/service-tokens.js";
import { createClient, outgoing } from "../grpc/client.js";
import type { ServiceName } from "../grpc/context.js";
import { startGrpcServer } from "../grpc/server.js";
import { loadTls, type Tls } from "./tls.js";
import { runsFor } from "../../../test/support/time.js";

const call = outgoing({ tenantId: "acme", interactionId: "i-1" }, { timeoutMs: 2_000 });
const amount = { amountMinor: 1n, currency: "USD" };
const trustDomain = "test.internal";
const pollMs = 20;

const folder = mkdtempSync(join(tmpdir(), "manilla-tls-"));
let network: Awaited<ReturnType<typeof createProbeNetwork>>;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  network = await createProbeNetwork();
  for (const authority of ["ca", "strangers"]) makeAuthority(authority);
  for (const service of ["ledger", "wallet", "gateway"]) makeCertificate(service, "ca");
});
afterEach(async () => {
  for (const step of closing.splice(0).toReversed()) await step();
  await network.close();
  network.lines.length = 0;
});
afterAll(() => rmSync(folder, { recursive: true }));

function openssl(...args: string[]): void {
  execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

function makeAuthority(name: string, days = 2): void {
  openssl(
    "req",
    "-x509",
    ...newKey,
    "-days",
    String(days),
    "-subj",
    `/CN=${name}`,
    "-keyout",
    `${name}.key`,
    "-out",
    `${name}.crt`,
  );
}

/** A folder as Kubernetes mounts a TLS secret. */
function makeCertificate(service: string, authority: string, dir: string = service): string {
  const subject = ["-subj", `/CN=${service}`, "-addext", `subjectAltName=DNS:${service}.${trustDomain}`];
  const issuer = ["-CA", `${authority}.crt`, "-CAkey", `${authority}.key`];
  execFileSync("mkdir", ["-p", join(folder, dir)]);
  openssl(
    "req",
    "-x509",
    ...newKey,
    "-days",
    "2",
    ...subject,
    ...issuer,
    "-keyout",
    `${dir}/tls.key`,
    "-out",
    `${dir}/tls.crt`,
  );
  cpSync(join(folder, `${authority}.crt`), join(folder, dir, "ca.crt"));
  return join(folder, dir);
}

async function tlsOf(dir: string): Promise<Tls> {
  const tls = await loadTls({ dir: join(folder, dir), trustDomain, pollMs });
  closing.push(() => tls.close());
  return tls;
}

async function serve(tls: Tls, options: { port?: number; healthPort?: number } = {}) {
  const row = { callers: ["wallet", "ledger"] as const };
  const server = await startGrpcServer({
    service: "ledger",
    definition: ProbeDefinition,
    handlers: { read: async (request) => request, write: async (request) => request },
    access: { read: row, write: row },
    host: "127.0.0.1",
    port: 0,
    ...options,
    tls,
    verifyServiceToken: createServiceTokenVerifier({ self: "ledger", jwks: network.keys.jwks }),
    log: network.log,
    reflection: false,
  });
  closing.push(() => server.stop(100));
  return `127.0.0.1:${server.port}`;
}

function clientOf(
  address: string,
  service: "wallet" | "gateway",
  tls: Tls | undefined,
  audience: ServiceName = "ledger",
) {
  const signer = createServiceTokenSigner({ service, privateJwk: network.keys.private[service], tls });
  const client = createClient(ProbeDefinition, { address, audience, signer });
  closing.push(() => client.close());
  return client;
}

test("a call goes through when certificate and token are of one service that the rpc knows", async () => {
  const address = await serve(await tlsOf("ledger"));
  await expect(clientOf(address, "wallet", await tlsOf("wallet")).read(amount, call)).resolves.toEqual(amount);
});

test("a service that the rpc does not know is refused, certificate or not", async () => {
  const address = await serve(await tlsOf("ledger"));
  const gateway = clientOf(address, "gateway", await tlsOf("gateway"));
  await expect(gateway.read(amount, call)).rejects.toMatchObject({ code: "CALLER_NOT_ALLOWED" });
});

test("a token of one service under the certificate of another is refused", async () => {
  const address = await serve(await tlsOf("ledger"));
  const thief = clientOf(address, "wallet", await tlsOf("gateway"));
  // UNAUTHENTICATED without a refusal: never the user's fault.
  await expect(thief.read(amount, call)).rejects.toMatchObject({ code: 16 });
  expect(network.lines).toContainEqual(
    expect.objectContaining({ msg: expect.stringContaining("certificate is not that of the service token's issuer") }),
  );
});

test("no certificate, or one of another authority, does not get as far as a call", async () => {
  const address = await serve(await tlsOf("ledger"));
  makeCertificate("wallet", "strangers", "stranger");
  // Trusts ours, so that it is the server that turns it away.
  cpSync(join(folder, "ca.crt"), join(folder, "stranger", "ca.crt"));
  for (const tls of [undefined, await tlsOf("stranger")]) {
    const client = clientOf(address, "wallet", tls);
    await expect(client.write(amount, call)).rejects.toMatchObject({
      code: expect.stringMatching(/UNAVAILABLE|DEADLINE/),
    });
  }
  expect(network.lines.filter(({ rpc }) => rpc !== undefined)).toEqual([]);
});

test("a client talks to nobody but the service it means, whatever answers at the address", async () => {
  const address = await serve(await tlsOf("gateway"));
  const client = clientOf(address, "wallet", await tlsOf("wallet"));
  await expect(client.write(amount, call)).rejects.toMatchObject({
    code: expect.stringMatching(/UNAVAILABLE|DEADLINE/),
  });
});

test("new certificates and a new authority are in use without a restart, and half a change is not", async () => {
  makeCertificate("ledger", "ca", "rotating-ledger");
  makeCertificate("wallet", "ca", "rotating-wallet");
  const [serverTls, clientTls] = [await tlsOf("rotating-ledger"), await tlsOf("rotating-wallet")];
  const address = await serve(serverTls);
  await clientOf(address, "wallet", clientTls).read(amount, call);

  // A key that does not fit its certificate: the old pair stays in use.
  writeFileSync(join(folder, "rotating-ledger", "tls.key"), "-----BEGIN PRIVATE KEY-----\nhalf\n");
  await runsFor(5 * pollMs);
  await expect(clientOf(address, "wallet", clientTls).read(amount, call)).resolves.toEqual(amount);

  makeAuthority("next-ca");
  makeCertificate("ledger", "next-ca", "rotating-ledger");
  makeCertificate("wallet", "next-ca", "rotating-wallet");
  await runsFor(10 * pollMs);
  await expect(clientOf(address, "wallet", clientTls).read(amount, call)).resolves.toEqual(amount);
  // Who has not renewed is a stranger now.
  await expect(clientOf(address, "wallet", await tlsOf("wallet")).write(amount, call)).rejects.toThrow();
});

test("probes without a certificate get health, and nothing else, on a port of its own", async () => {
  const healthPort = 20_000 + Math.floor(Math.random() * 9_000);
  await serve(await tlsOf("ledger"), { healthPort });
  const channel = createChannel(`127.0.0.1:${healthPort}`);
  closing.push(() => channel.close());
  await expect(createBareClient(HealthDefinition, channel).check({ service: "" })).resolves.toMatchObject({
    status: 1,
  });
  const client = clientOf(`127.0.0.1:${healthPort}`, "wallet", undefined);
  await expect(client.read(amount, call)).rejects.toMatchObject({ code: 12 });
});

test("shows when the certificate in use ends, and the last of the CAs, also after they were renewed", async () => {
  const ends = async () =>
    (await processMetrics.text()).body
      .split("\n")
      .filter((line) => line.startsWith("manilla_certificate_expiry"))
      .map((line) => Number(line.split(" ")[1]) * 1_000);
  const endOf = (...path: string[]) => new X509Certificate(readFileSync(join(folder, ...path))).validToDate.getTime();
  const dir = makeCertificate("wallet", "ca", "shown");
  await tlsOf("shown");
  expect(await ends()).toEqual([endOf("shown", "tls.crt"), endOf("ca.crt")]);
  makeAuthority("next", 30);
  writeFileSync(
    join(dir, "ca.crt"),
    Buffer.concat(["ca.crt", "next.crt"].map((one) => readFileSync(join(folder, one)))),
  );
  await waitFor(async () => (await ends())[1] === endOf("next.crt"));
  expect(endOf("next.crt")).toBeGreaterThan(endOf("ca.crt"));
});

test("names the file that is at fault", async () => {
  const dir = makeCertificate("wallet", "ca", "broken");
  cpSync(join(folder, "ledger", "tls.key"), join(dir, "tls.key"));
  await expect(loadTls({ dir, trustDomain })).rejects.toThrow(/tls\.key: is not the key of .*tls\.crt/);
  writeFileSync(join(dir, "ca.crt"), "none");
  await expect(loadTls({ dir, trustDomain })).rejects.toThrow(/ca\.crt: not in PEM form/);
  rmSync(join(dir, "tls.crt"));
  await expect(loadTls({ dir, trustDomain })).rejects.toThrow(/tls\.crt: ENOENT/);
});
