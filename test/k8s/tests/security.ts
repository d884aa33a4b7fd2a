import { gunzipSync } from "node:zlib";
import { connectScript, probe } from "../probe.js";
import { arrows, grpcServices, imageRef, prefixOf, processes } from "../release.js";
import { check } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";
import { helm } from "../cluster.js";

const settleMs = 8_000;

export function securityTests(suite: Suite): TestOf[] {
  const { release, tag } = suite;
  const { namespace, name } = release;
  const prefix = prefixOf(name);
  const image = imageRef(tag);
  const labelsOf = (component: string) => ({
    "app.kubernetes.io/name": "manilla",
    "app.kubernetes.io/instance": name,
    "app.kubernetes.io/component": component,
  });
  const addressOf = (service: string, port = 9090) => `${prefix}-${service}.${name}.svc.cluster.local:${port}`;
  const grpc = grpcServices.map((service) => addressOf(service));
  const stores = [addressOf("mongodb", 27_017), addressOf("redis", 6_379)];

  async function openTo(probeName: string, labels: Record<string, string>, targets: string[]): Promise<string[]> {
    const script = connectScript(targets, settleMs);
    const answers = await probe<Record<string, string>>(namespace, { name: probeName, image, labels, script });
    return targets.filter((target) => answers[target] === "open").toSorted();
  }

  return [
    {
      name: "a pod that is nobody's reaches neither the ledger nor any other service, nor MongoDB, nor Redis",
      async run() {
        const open = await openTo("stranger", {}, [...grpc, ...stores]);
        check(open.length === 0, `open: ${open.join(", ")} (does this cluster enforce NetworkPolicies?)`);
      },
    },
    {
      name: "connections open along the arrows of the chart's rows, and along no others",
      async run() {
        const found = await Promise.all(
          Object.entries(arrows).map(async ([from, to]) => {
            const open = await openTo(`as-${from}`, labelsOf(from), grpc);
            return { from, open, expected: to.map((service) => addressOf(service)).toSorted() };
          }),
        );
        for (const { from, open, expected } of found) {
          check(open.join() === expected.join(), `${from} reaches ${open.join(", ")}, not ${expected.join(", ")}`);
        }
        return `${processes.length} × ${grpc.length} pairs`;
      },
    },
    {
      name: "the ledger refuses a caller without the right certificate, or with another service's",
      async run() {
        const found = await probe<Record<string, string>>(namespace, {
          name: "certificates",
          image,
          labels: labelsOf("wallet"),
          secrets: {
            "/keys": `${prefix}-keys`,
            "/wallet": `${prefix}-wallet-tls`,
            "/gateway": `${prefix}-gateway-tls`,
          },
          script: certificateScript(addressOf("ledger"), `${prefix}.${name}.internal`),
        });
        const expected = { own: "answered", without: "UNAVAILABLE", anothers: "16", stranger: "UNAVAILABLE" };
        check(JSON.stringify(found) === JSON.stringify(expected), JSON.stringify(found));
      },
    },
    {
      name: "every rpc of every service refuses every service that its access row does not name",
      async run() {
        const names = [...processes, "operator"];
        const secrets = Object.fromEntries(names.map((one) => [`/tls/${one}`, `${prefix}-${one}-tls`]));
        const found = await probe<{ tried: number; wrong: string[] }>(namespace, {
          name: "access",
          image,
          // The network lets operators' tools reach every service; who they are is then the
          // certificate's and token's to say.
          labels: labelsOf("operator"),
          secrets: { "/keys": `${prefix}-keys`, ...secrets },
          script: accessScript(names, (service) => addressOf(service), `${prefix}.${name}.internal`),
          timeoutMs: 300_000,
        });
        check(found.wrong.length === 0, found.wrong.join("\n"));
        return `${found.tried} pairs of rpc and caller`;
      },
    },
    {
      name: "a service's MongoDB user opens its own database only",
      async run() {
        const found = await probe<Record<string, string>>(namespace, {
          name: "database",
          image,
          labels: labelsOf("wallet"),
          secrets: { "/mongodb": `${prefix}-mongodb` },
          script: databaseScript,
        });
        const expected = { own: "read", others: "Unauthorized", admin: "Unauthorized", users: "Unauthorized" };
        check(JSON.stringify(found) === JSON.stringify(expected), JSON.stringify(found));
      },
    },
    {
      name: "nothing secret is in values, releases, manifests of pods, arguments or logs",
      async run() {
        const { items } = await namespace.json<{
          items: { metadata: { name: string }; data?: Record<string, string> }[];
        }>(["get", "secrets"]);
        const own = items.filter(({ metadata }) => metadata.name.startsWith(prefix));
        const values = own.flatMap(({ data = {} }) =>
          Object.entries(data)
            .filter(([key]) => !key.endsWith(".crt") && key !== "auth.conf")
            .map(([key, encoded]) => ({ key, encoded, text: Buffer.from(encoded, "base64").toString("utf8").trim() })),
        );
        check(values.length > 20, "there are no secrets to look for");
        const pods = await namespace.pods();
        const logs = await Promise.all(
          pods.map(({ name: pod }) => namespace.run(["logs", pod, "--all-containers", "--tail=-1"]).catch(() => "")),
        );
        const releases = items.filter(({ metadata }) => metadata.name.startsWith("sh.helm.release."));
        check(releases.length > 0, "helm keeps no release to look into");
        const places = {
          releases: releases.map(({ data = {} }) => textOfRelease(data["release"] ?? "")).join("\n"),
          values: await helm(["get", "values", name, "-n", name, "-a"]),
          pods: await namespace.run(["get", "pods,deployments,statefulsets,jobs,configmaps", "-o", "json"]),
          logs: logs.join("\n"),
        };
        for (const [place, text] of Object.entries(places)) {
          for (const { key, encoded, text: secret } of values)
            check(!text.includes(secret) && !text.includes(encoded), `${key} is in ${place}`);
        }
        return `${values.length} secrets, ${Math.round(places.logs.length / 1024)} KiB of logs`;
      },
    },
  ];
}

/**
 * What Helm keeps of a release: JSON, compressed, in base64, which Kubernetes encodes once more.
 */
function textOfRelease(data: string): string {
  const packed = Buffer.from(Buffer.from(data, "base64").toString("utf8"), "base64");
  const { manifest, hooks, chart, config } = JSON.parse(gunzipSync(packed).toString("utf8")) as Record<string, unknown>;
  return JSON.stringify([manifest, hooks, chart, config]);
}

const imports = `
  import { loadServiceKeys, createServiceTokenSigner } from "/app/dist/services/kernel/tokens/service-tokens.js";
  import { createClient, outgoing } from "/app/dist/services/kernel/grpc/client.js";
  import { loadTls } from "/app/dist/services/kernel/tokens/tls.js";
  import { LedgerServiceDefinition } from "/app/dist/proto/gen/ledger/v1/ledger.js";
  import { setTimeout as sleep } from "node:timers/promises";
  const call = outgoing({ tenantId: "demo", interactionId: "probe" }, { timeoutMs: 5000 });`;

/** Calls the ledger with wallet's token under four certificates. */
function certificateScript(address: string, trustDomain: string): string {
  return `${imports}
    import { X509Certificate } from "node:crypto";
    await sleep(${settleMs});
    const keys = await loadServiceKeys({ keyFile: "/keys/wallet.key", jwksFile: "/keys/services.crt" });
    const as = async (tls) => {
      const signer = createServiceTokenSigner({ service: "wallet", privateJwk: keys.privateJwk, tls });
      const client = createClient(LedgerServiceDefinition, { address: ${JSON.stringify(address)}, audience: "ledger", signer });
      try { await client.getAccounts({ accountIds: ["nobody"] }, call); return "answered"; }
      catch (error) { return ["NOT_FOUND", "ACCOUNT_NOT_FOUND", "INVALID_INPUT"].includes(error.code) ? "answered" : String(error.code); }
      finally { client.close(); }
    };
    const tlsOf = (dir) => loadTls({ dir, trustDomain: ${JSON.stringify(trustDomain)} });
    // The key of services' tokens is Ed25519 and self-signed: a certificate of nobody that the
    // ledger trusts.
    const wallet = await tlsOf("/wallet");
    const { mkdirSync, writeFileSync, readFileSync } = await import("node:fs");
    mkdirSync("/dev/shm/stranger", { recursive: true });
    for (const [from, to] of [["/keys/wallet.crt", "tls.crt"], ["/keys/wallet.key", "tls.key"], ["/wallet/ca.crt", "ca.crt"]])
      writeFileSync("/dev/shm/stranger/" + to, readFileSync(from));
    const found = { own: await as(wallet), without: await as(undefined), anothers: await as(await tlsOf("/gateway")), stranger: await as(await tlsOf("/dev/shm/stranger")) };
    console.log("RESULT " + JSON.stringify(found));
    process.exit(0);`;
}

/**
 * Calls every rpc as every service that may not: each must be refused before its request is looked
 * at.
 */
function accessScript(names: readonly string[], addressOf: (service: string) => string, trustDomain: string): string {
  const addresses = Object.fromEntries(grpcServices.map((service) => [service, addressOf(service)]));
  return `${imports}
    await sleep(${settleMs});
    const addresses = ${JSON.stringify(addresses)};
    const found = { tried: 0, wrong: [] };
    const { existsSync } = await import("node:fs");
    for (const service of Object.keys(addresses)) {
      const definitionName = service[0].toUpperCase() + service.slice(1) + "ServiceDefinition";
      const definition = (await import("/app/dist/proto/gen/" + service + "/v1/" + service + ".js"))[definitionName];
      const files = ["access.js", "handlers.js", "handlers/index.js"].map((file) => "/app/dist/services/" + service + "/" + file);
      const modules = await Promise.all(files.filter((file) => existsSync(file)).map((file) => import(file)));
      const access = modules.map((one) => one[service + "Access"] ?? one.access).find((one) => one !== undefined);
      if (access === undefined) { found.wrong.push("who may call " + service + " was not found"); continue; }
      for (const caller of ${JSON.stringify(names)}) {
        const keys = await loadServiceKeys({ keyFile: "/keys/" + caller + ".key", jwksFile: "/keys/services.crt", tls: { dir: "/tls/" + caller, trustDomain: ${JSON.stringify(trustDomain)} } });
        const signer = createServiceTokenSigner({ service: caller, privateJwk: keys.privateJwk, tls: keys.tls });
        const client = createClient(definition, { address: addresses[service], audience: service, signer });
        for (const rpc of Object.keys(definition.methods)) {
          if (access[rpc].callers.includes(caller)) continue;
          found.tried++;
          try { await client[rpc]({}, call); found.wrong.push(caller + " was answered by " + service + "." + rpc); }
          catch (error) { if (error.code !== "CALLER_NOT_ALLOWED") found.wrong.push(caller + " calling " + service + "." + rpc + ": " + error.code + " " + error.message); }
        }
        client.close();
        keys.tls.close();
      }
    }
    console.log("RESULT " + JSON.stringify(found));
    process.exit(0);`;
}

const databaseScript = `
  import { readFileSync } from "node:fs";
  import { setTimeout as sleep } from "node:timers/promises";
  import mongoose from "mongoose";
  await sleep(${settleMs});
  const client = await new mongoose.mongo.MongoClient(readFileSync("/mongodb/wallet-uri", "utf8")).connect();
  const tried = async (work) => { try { await work(); return "read"; } catch (error) { return error.codeName; } };
  const found = {
    own: await tried(() => client.db("manilla_wallet").collection("migrations").findOne({})),
    others: await tried(() => client.db("manilla_ledger").collection("transfers").findOne({})),
    admin: await tried(() => client.db("admin").command({ listDatabases: 1, authorizedDatabases: false })),
    users: await tried(() => client.db("manilla_wallet").command({ createUser: "me", pwd: "me", roles: ["root"] })),
  };
  console.log("RESULT " + JSON.stringify(found));
  process.exit(0);`;
