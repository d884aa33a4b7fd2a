import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { makeAuthority, makeCertificate } from "../../../deploy/secrets/certificates.js";
import { helm, kubectl, namespaceOf, type Namespace } from "../cluster.js";
import { databaseObjects, type Databases } from "../private-ca-databases.js";
import { chart, imageRef, releaseOf, type Values } from "../release.js";
import { check } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";

const services = ["identity", "compliance", "remittance", "wallet", "investment", "lending", "ledger", "events"];

/**
 * A release of its own, on a MongoDB and a Redis that speak TLS alone, with certificates of an
 * authority that nobody else knows.
 */
export function privateCaTests(suite: Suite): TestOf[] {
  const release = releaseOf(`${suite.release.name}-ca`);
  const databases = namespaceOf(`${release.name}-databases`);
  const host = (name: string) => `${name}.${databases.name}.svc.cluster.local`;
  let reached: Databases;

  return [
    {
      name: "installs with the example's values on databases that speak TLS alone, of an authority of their own",
      async run() {
        // Both at once are much for one node.
        await suite.release.namespace.remove();
        for (const namespace of [release.namespace, databases]) await namespace.remove();
        await release.createNamespace();
        await kubectl(["create", "namespace", databases.name]);
        const trustDomain = `${databases.name}.svc.cluster.local`;
        const authority = await makeAuthority(trustDomain);
        const certificate = (name: string) => makeCertificate(authority, name, { trustDomain, days: 30 });
        reached = {
          image: imageRef(suite.tag),
          authority: authority.certificate,
          mongodb: { host: host("mongodb"), ...(await certificate("mongodb")) },
          redis: { host: host("redis"), ...(await certificate("redis")) },
          services,
        };
        await databases.apply(databaseObjects(reached));
        for (const name of ["mongodb", "redis"]) {
          await databases.run(["rollout", "status", `deployment/${name}`, "--timeout=300s"]);
        }
        await release.namespace.apply(secretsOf(reached));
        const startedAt = performance.now();
        await release.install(valuesOf(suite.values, databases), ["--wait", "--timeout", "10m"]);
        await release.ready();
        await release.jobsDone("operator");
        return `${Math.round((performance.now() - startedAt) / 1_000)} s from install to the demo tenants`;
      },
    },
    {
      name: "a payment goes through all of it",
      async run() {
        const log = await helm(["test", release.name, "-n", release.namespace.name, "--logs", "--timeout", "5m"]);
        check(/helm test: paid out/.test(log), log);
      },
    },
    {
      name: "neither answers without TLS, nor to whoever does not know the authority",
      async run() {
        for (const [name, port] of Object.entries({ mongodb: 27017, redis: 6379 })) {
          const target = { host: host(name), port };
          const trusted = await connect(databases, `tls.connect({ ...target, servername: target.host, ca })`, target);
          check(trusted === "secure", `${name} with the authority: ${trusted}`);
          const unknown = await connect(databases, `tls.connect({ ...target, servername: target.host })`, target);
          check(/CERT|SIGNATURE/.test(unknown), `${name} without the authority: ${unknown}`);
          const plain = await connect(databases, `net.connect(target)`, target);
          check(/closed|ECONNRESET/.test(plain), `${name} without TLS: ${plain}`);
        }
      },
    },
    {
      name: "both namespaces go again",
      async run() {
        if (process.env["KEEP"]) return "kept";
        for (const namespace of [release.namespace, databases]) await namespace.remove();
      },
    },
  ];
}

/**
 * "secure", or how the connection ended: what is no TLS is told a
 * greeting that both servers refuse.
 */
async function connect(databases: Namespace, expression: string, target: object): Promise<string> {
  const script = `
    const [net, tls, fs] = await Promise.all(["net", "tls", "fs"].map((name) => import("node:" + name)));
    const ca = fs.readFileSync("/authority/ca.crt"), target = ${JSON.stringify(target)};
    const socket = ${expression};
    const end = (text) => { console.log(text); process.exit(0); };
    socket.on("secureConnect", () => end("secure")).on("error", ({ code }) => end(code)).on("close", () => end("closed"));
    socket.on("connect", () => net.Socket === socket.constructor && socket.write("PING\\r\\n".repeat(8)));
    setTimeout(() => end("silent"), 10_000);`;
  const node = ["/usr/local/bin/node", "--input-type=module", "-e", script];
  return (await databases.run(["exec", "deployment/mongodb", "-c", "setup", "--", ...node])).trim();
}

function secretsOf({ mongodb, redis, authority, services: names }: Databases): object[] {
  const uriOf = (service: string) =>
    `mongodb://manilla_${service}:one-time-${service}@${mongodb.host}:27017/?replicaSet=rs0&tls=true&authSource=manilla_${service}`;
  const uris = Object.fromEntries(names.map((service) => [`${service}-uri`, uriOf(service)]));
  const secret = (name: string, stringData: object) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name },
    stringData,
  });
  return [
    secret("manilla-mongodb", uris),
    secret("manilla-redis", { url: `rediss://:one-time-redis@${redis.host}:6379` }),
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "database-authority" },
      data: { "ca.crt": authority },
    },
  ];
}

interface Example {
  mongodb: { embedded: object; external: object };
  redis: { embedded: object; external: object };
  defaults: object;
}

/** The chart's own example; only the databases' namespace is another. */
function valuesOf(values: Values, databases: Namespace): Values {
  const file = readFileSync(join(chart, "examples", "private-ca.yaml"), "utf8");
  const example = parse(file.replaceAll("name: databases", `name: ${databases.name}`)) as Example;
  check(JSON.stringify(example).includes(databases.name), "the example names no namespace of databases any more");
  return { ...values, ...example, defaults: { ...(values["defaults"] as object), ...example.defaults } };
}
