import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { until, type Namespace } from "../cluster.js";
import { runAny, wordsOf } from "../command.js";
import { probe } from "../probe.js";
import { imageRef } from "../release.js";
import { check, Skip } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";

interface ComposeService {
  image: string;
  command: string[];
  environment?: Record<string, string>;
}

const pod = "compose";
const compose = parse(readFileSync("compose.yaml", "utf8")) as {
  services: Record<"mongodb" | "redis" | "manilla", ComposeService>;
};

/**
 * compose.yaml is for people with Docker: what it says is run here as one pod, whose containers
 * share a network as its own do.
 */
export function composeTests(suite: Suite): TestOf[] {
  const { namespace } = suite.release;
  return [
    {
      name: "compose.yaml is read by Compose",
      async run() {
        const words = wordsOf("COMPOSE", "docker compose");
        const version = await runAny([...words, "version"]).catch(() => undefined);
        if (version?.status !== 0) throw new Skip(`there is no ${words.join(" ")}`);
        const { status, stderr } = await runAny([...words, "-f", "compose.yaml", "config", "--quiet"]);
        check(status === 0, stderr);
        return version.stdout.trim().split("\n")[0];
      },
    },
    {
      name: "its containers run the whole local cluster with the demo tenants, on a root that nobody may write",
      async run() {
        // Where nothing is installed it is not there yet.
        await suite.release.createNamespace();
        await namespace.apply([composePod(suite)]);
        try {
          await until("its containers to run", 120_000, async () => {
            const [found] = (await namespace.pods()).filter(({ name }) => name === pod);
            return found?.phase === "Running" ? found : undefined;
          });
          const said = await until("the welcome", 600_000, async () => {
            const text = await namespace.run(["logs", pod, "-c", "manilla"]);
            return /^ready: /m.test(text) || (await hasEnded(namespace, "manilla")) ? text : undefined;
          });
          check(/^ready: /m.test(said), `it ended without the welcome: ${said.slice(-2_000)}`);
          const ip = (await namespace.pods()).find(({ name }) => name === pod)?.ip ?? "";
          const found = await probe<{ status: number }>(namespace, {
            name: "compose-client",
            image: imageRef(suite.tag),
            script: loginScript(`http://${ip}:8080`, said),
          });
          check(found.status === 200, JSON.stringify(found));
        } finally {
          await namespace.run(["delete", "pod", pod, "--ignore-not-found", "--grace-period=5"]);
        }
      },
    },
  ];
}

async function hasEnded(namespace: Namespace, container: string): Promise<boolean> {
  const { status } = await namespace.json<{
    status: { containerStatuses?: { name: string; state: { terminated?: object } }[] };
  }>(["get", "pod", pod]);
  return status.containerStatuses?.some(({ name, state }) => name === container && state.terminated) ?? false;
}

function composePod(suite: Suite): object {
  const { mongodb, redis, manilla } = compose.services;
  const named = (variable: string, otherwise: string) => process.env[variable] || otherwise;
  const image = imageRef(suite.tag);
  const replicaSet = mongodb.command[mongodb.command.indexOf("--replSet") + 1];
  // What the health check does with mongosh, by the driver.
  const initiate = `
    import mongoose from "mongoose";
    const client = new mongoose.mongo.MongoClient("mongodb://mongodb:27017/?directConnection=true");
    for (;;) {
      try {
        await client.db("admin").command({ replSetInitiate: { _id: "${replicaSet}", members: [{ _id: 0, host: "mongodb:27017" }] } });
        break;
      } catch (error) {
        if (error.codeName === "AlreadyInitialized") break;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    }
    setInterval(() => {}, 2 ** 30);`;
  const container = (name: string, rest: object) => ({
    name,
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
    ...rest,
  });
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: pod },
    spec: {
      automountServiceAccountToken: false,
      restartPolicy: "Never",
      hostAliases: [{ ip: "127.0.0.1", hostnames: ["mongodb", "redis"] }],
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65_532,
        runAsGroup: 65_532,
        fsGroup: 65_532,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        container("mongodb", {
          image: named("MONGO_IMAGE", mongodb.image),
          command: mongodb.command,
          volumeMounts: [
            { name: "mongodb", mountPath: "/data/db" },
            { name: "sockets", mountPath: "/tmp" },
          ],
        }),
        container("redis", {
          image: named("REDIS_IMAGE", redis.image),
          command: redis.command,
          workingDir: "/data",
          volumeMounts: [{ name: "redis", mountPath: "/data" }],
        }),
        container("initiate", { image, args: ["--input-type=module", "-e", initiate] }),
        container("manilla", {
          image,
          args: manilla.command,
          env: Object.entries(manilla.environment ?? {}).map(([name, value]) => ({ name, value })),
          volumeMounts: [
            { name: "manilla", mountPath: manilla.environment?.["DATA_DIR"] },
            { name: "tmp", mountPath: "/tmp" },
          ],
        }),
      ],
      volumes: ["mongodb", "sockets", "redis", "manilla", "tmp"].map((name) => ({ name, emptyDir: {} })),
    },
  };
}

/** Logs in as the first customer of the demo fixture that the image holds. */
function loginScript(base: string, said: string): string {
  return `
    import { readFileSync } from "node:fs";
    import { parse } from "yaml";
    const { tenants } = parse(readFileSync("/app/deploy/seed/demo.yaml", "utf8"));
    const { email, password } = tenants[0].customers[0];
    if (!${JSON.stringify(said)}.includes(email)) throw new Error("the welcome does not name " + email);
    const { request } = await import("node:http");
    const body = JSON.stringify({ email, currentPassword: password });
    const answer = await new Promise((resolve, reject) => {
      const call = request("${base}/api/v6/services/securitymanagement/login", { method: "PUT", headers: { host: "localhost", "content-type": "application/json" } }, resolve);
      call.on("error", reject);
      call.end(body);
    });
    console.log("RESULT " + JSON.stringify({ status: answer.statusCode }));
    process.exit(0);`;
}
