import type { CertifiedKey } from "../../deploy/secrets/certificates.js";

/** A MongoDB and a Redis of their own, and who may use them. */
export interface Databases {
  /** Of Manilla: its Node sets the replica set up. */
  image: string;
  /** PEM. */
  authority: string;
  mongodb: CertifiedKey & { host: string };
  redis: CertifiedKey & { host: string };
  services: readonly string[];
}

// As the operator's database team makes them: the replica set, an
// administrator, a user per service.
const setUp = `
  import mongoose from "mongoose";
  const host = process.env.MONGODB_HOST, services = process.env.SERVICES.split(",");
  const local = "mongodb://127.0.0.1:27017/?directConnection=true&tls=true&tlsAllowInvalidHostnames=true&tlsCAFile=/authority/ca.crt";
  const open = (uri) => new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 120_000 }).connect();
  const first = await open(local);
  await first.db("admin").command({ replSetInitiate: { _id: "rs0", members: [{ _id: 0, host: host + ":27017" }] } });
  while (!(await first.db("admin").command({ hello: 1 })).isWritablePrimary) await new Promise((wake) => setTimeout(wake, 200));
  await first.db("admin").command({ createUser: "root", pwd: "one-time-root", roles: ["root"] });
  await first.close();
  const root = await open(local.replace("//", "//root:one-time-root@"));
  for (const service of services) {
    const db = "manilla_" + service;
    await root.db(db).command({ createUser: db, pwd: "one-time-" + service, roles: [{ role: "readWrite", db }] });
  }
  await root.close();
  (await import("node:fs")).writeFileSync("/tmp/ready", "");
  setInterval(() => {}, 2 ** 30);`;

const restricted = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
};

/**
 * Deployments, Services and the secret with keys and certificates. Data are gone with their pods.
 */
export function databaseObjects({ image, authority, mongodb, redis, services }: Databases): object[] {
  const files = {
    "ca.crt": authority,
    "mongodb.pem": mongodb.key + mongodb.certificate,
    "redis.key": redis.key,
    "redis.crt": redis.certificate,
    keyfile: "b25lLXRpbWUta2V5LW9mLXRoZS1yZXBsaWNhLXNldA",
    "redis.conf": [
      "port 0",
      "tls-port 6379",
      "tls-cert-file /authority/redis.crt",
      "tls-key-file /authority/redis.key",
      "tls-ca-cert-file /authority/ca.crt",
      "tls-auth-clients no",
      "requirepass one-time-redis",
      "dir /data",
      'save ""',
      "maxmemory-policy noeviction",
    ].join("\n"),
  };
  const mongod = {
    name: "mongodb",
    image: process.env["MONGO_IMAGE"] || "docker.io/library/mongo:8.0",
    command: ["mongod"],
    args: [
      "--replSet=rs0",
      "--bind_ip_all",
      "--dbpath=/data",
      "--nounixsocket",
      "--tlsMode=requireTLS",
      "--tlsCertificateKeyFile=/authority/mongodb.pem",
      "--tlsCAFile=/authority/ca.crt",
      "--tlsAllowConnectionsWithoutCertificates",
      "--keyFile=/keyfile/keyfile",
      "--wiredTigerCacheSizeGB=0.25",
      "--slowOpSampleRate=0",
      "--setParameter=transactionLifetimeLimitSeconds=5",
      "--setParameter=minSnapshotHistoryWindowInSeconds=1",
    ],
    securityContext: restricted,
    volumeMounts: [...mounts("authority", "data", "keyfile"), { name: "data", mountPath: "/tmp", subPath: "tmp" }],
  };
  const copyKey =
    "const fs = require('node:fs'); fs.writeFileSync('/keyfile/keyfile', fs.readFileSync('/authority/keyfile'), { mode: 0o400 });";
  const setup = {
    name: "setup",
    image,
    args: ["--input-type=module", "-e", setUp],
    env: [
      { name: "MONGODB_HOST", value: mongodb.host },
      { name: "SERVICES", value: services.join(",") },
    ],
    readinessProbe: {
      exec: { command: ["/usr/local/bin/node", "-e", "require('node:fs').statSync('/tmp/ready')"] },
      timeoutSeconds: 5,
      periodSeconds: 3,
    },
    securityContext: restricted,
    volumeMounts: [...mounts("authority"), { name: "ready", mountPath: "/tmp" }],
  };
  const redisServer = {
    name: "redis",
    image: process.env["REDIS_TLS_IMAGE"] || process.env["REDIS_IMAGE"] || "docker.io/library/redis:7.4",
    command: ["redis-server", "/authority/redis.conf"],
    readinessProbe: { tcpSocket: { port: 6379 } },
    securityContext: restricted,
    volumeMounts: mounts("authority", "data"),
  };
  const keyfile = { name: "keyfile", image, args: ["-e", copyKey], volumeMounts: mounts("authority", "keyfile") };
  return [
    { apiVersion: "v1", kind: "Secret", metadata: { name: "authority" }, stringData: files },
    ...deployed("mongodb", "percona-server-mongodb", 27017, { initContainers: [keyfile], containers: [mongod, setup] }),
    ...deployed("redis", "redis", 6379, { containers: [redisServer] }),
  ];
}

function mounts(...names: string[]): object[] {
  return names.map((name) => ({ name, mountPath: `/${name}`, ...(name === "authority" && { readOnly: true }) }));
}

/** `label` is the one by which the chart's example knows its pods. */
function deployed(name: string, label: string, port: number, spec: object): object[] {
  const labels = { "app.kubernetes.io/name": label };
  const emptyDirs = ["data", "keyfile", "ready"].map((one) => ({ name: one, emptyDir: {} }));
  const pod = {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 5,
    securityContext: { runAsNonRoot: true, runAsUser: 999, fsGroup: 999, seccompProfile: { type: "RuntimeDefault" } },
    volumes: [{ name: "authority", secret: { secretName: "authority", defaultMode: 0o440 } }, ...emptyDirs],
    ...spec,
  };
  return [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name },
      spec: {
        replicas: 1,
        strategy: { type: "Recreate" },
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: pod },
      },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name },
      // The replica set's only member asks for itself by this name before it is ready.
      spec: { selector: labels, ports: [{ port }], publishNotReadyAddresses: true },
    },
  ];
}
