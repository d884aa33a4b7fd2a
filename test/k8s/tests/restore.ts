import { spawn } from "node:child_process";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { helm, until } from "../cluster.js";
import { wordsOf } from "../command.js";
import { dumpScript, restoreScript } from "../driver-dump.js";
import { imageRef, prefixOf } from "../release.js";
import { check } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";
import { trialBalance } from "./kills.js";
import { reconcileAll, verifyLedger } from "./operations.js";

const pod = "backup";

interface Tools {
  name: string;
  image: string;
  /** What keeps the pod there. */
  idle: object;
  /**
   * Puts the administrator's URI where the commands look for it, and fails where there are none.
   */
  prepare?: string[];
  dump: string[];
  restore: string[];
}

const mongoTools = (image: string): Tools => ({
  name: "mongodump",
  image,
  idle: { command: ["sleep", "3600"] },
  prepare: [
    "sh",
    "-c",
    "umask 077; printf 'uri: %s\\n' \"$MONGODB_URI\" > /tmp/tools.yaml; command -v mongodump && command -v mongorestore",
  ],
  dump: ["sh", "-c", "mongodump --config=/tmp/tools.yaml --oplog --gzip --out=/tmp/dump && tar -C /tmp -cf - dump"],
  // Without its users: to restore the one who restores would end that user's session before the
  // oplog.
  restore: [
    "sh",
    "-c",
    "tar -C /tmp -xf - && rm /tmp/dump/admin/system.* && mongorestore --config=/tmp/tools.yaml --drop --oplogReplay --gzip /tmp/dump",
  ],
});

/**
 * Where no image has MongoDB's tools: the driver reads all databases at one point in time. The rest
 * of the way is the same.
 */
const driver = (image: string): Tools => {
  const node = ["/usr/local/bin/node", "--input-type=module", "-e"];
  return {
    name: "the driver in place of mongodump",
    image,
    idle: { args: ["-e", "setInterval(() => {}, 2 ** 30)"] },
    dump: [...node, dumpScript],
    restore: [...node, restoreScript],
  };
};

/** The commands are those of docs/operations/backup.md. */
export function restoreTests(suite: Suite): TestOf[] {
  const { release, values } = suite;
  const { namespace, name } = release;
  const prefix = prefixOf(name);

  return [
    {
      name: "a backup of database and secrets brings everything back after all of it is lost",
      async run() {
        const tools = await startTools();
        const client = await suite.logIn("amina");
        const before = { balance: await client.balanceOf("USD"), books: await trialBalance(suite) };
        const dump = join(suite.scratch, "manilla.tar");
        const saved = [`${prefix}-keys`, `${prefix}-keys-made`, `${prefix}-mongodb`];
        const secrets = await namespace.run(["get", "secret", ...saved, "-o", "json"]);
        await exec(tools.dump, { to: dump });
        await namespace.run(["delete", "pod", pod, "--grace-period=0", "--force"]);

        await helm(["uninstall", name, "-n", name, "--wait", "--timeout", "5m"]);
        await namespace.run(["delete", "secret", ...saved]);
        await namespace.run(["delete", "pvc", "--all"]);
        // What has ended, such as the hook of an upgrade, stays and holds nothing.
        await until("the pods are gone", 180_000, async () =>
          (await namespace.pods()).every(({ phase }) => phase === "Succeeded" || phase === "Failed") ? true : undefined,
        );

        await namespace.run(["create", "-f", "-"], { input: withoutState(secrets) });
        const asleep = { ...(values["defaults"] as object), replicas: 0, autoscaling: { enabled: false } };
        await release.install({ ...values, seed: { enabled: false }, defaults: asleep });
        await until("the database is set up", 480_000, async () => {
          const jobs = await namespace.json<{ items: { status: { succeeded?: number } }[] }>(["get", "jobs"]);
          return jobs.items.length > 0 && jobs.items.every(({ status }) => status.succeeded === 1) ? true : undefined;
        });
        check(await canUse(tools), "the second backup pod did not start");
        await exec(tools.restore, { from: dump });
        await namespace.run(["delete", "pod", pod, "--grace-period=0", "--force"]);
        await release.upgrade(values, ["--wait", "--timeout", "10m"]);

        const again = await suite.logIn("amina");
        const after = { balance: await again.balanceOf("USD"), books: await trialBalance(suite) };
        check(after.balance === before.balance, `the balance is ${after.balance}, not ${before.balance}`);
        check(JSON.stringify(after.books) === JSON.stringify(before.books), "the trial balance is another one");
        const verified = await verifyLedger(suite);
        await reconcileAll(suite);
        return `${Math.round(statSync(dump).size / 1024)} KiB, with ${tools.name}; ${verified}`;
      },
    },
  ];

  /** Starts the pod that has the tools and the administrator's URI. */
  async function startTools(): Promise<Tools> {
    const named = process.env["BACKUP_IMAGE"] || process.env["MONGO_IMAGE"] || "mongo:8.0";
    for (const tools of [mongoTools(named), driver(imageRef(suite.tag))]) if (await canUse(tools)) return tools;
    throw new Error("the pod for the backup did not start");
  }

  async function canUse(tools: Tools): Promise<boolean> {
    await namespace.run(["delete", "pod", pod, "--ignore-not-found", "--grace-period=0", "--force"]);
    await namespace.apply([toolsPod(tools)]);
    const isRunning = await until("the pod with the tools", 60_000, async () => {
      const [found] = (await namespace.pods()).filter((one) => one.name === pod);
      return found?.phase === "Running" || found?.phase === "Failed" ? found.phase === "Running" : undefined;
    }).catch(() => false);
    if (!isRunning || tools.prepare === undefined) return isRunning;
    return (await namespace.runAny(["exec", pod, "--", ...tools.prepare])).status === 0;
  }

  function toolsPod({ image, idle }: Tools): object {
    return {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: pod,
        labels: {
          "app.kubernetes.io/name": "manilla",
          "app.kubernetes.io/instance": name,
          "app.kubernetes.io/component": "backup",
        },
      },
      spec: {
        restartPolicy: "Never",
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 0,
        securityContext: { runAsNonRoot: true, runAsUser: 999, seccompProfile: { type: "RuntimeDefault" } },
        containers: [
          {
            name: "tools",
            image,
            ...idle,
            env: [{ name: "MONGODB_URI", valueFrom: { secretKeyRef: { name: `${prefix}-mongodb`, key: "root-uri" } } }],
            securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
          },
        ],
      },
    };
  }

  /** Runs a command in the pod, with a file as its input or output. */
  async function exec(command: string[], { from, to }: { from?: string; to?: string }): Promise<void> {
    const [program = "", ...words] = wordsOf("KUBECTL", "kubectl");
    const child = spawn(program, [...words, "-n", name, "exec", "-i", pod, "--", ...command], { stdio: "pipe" });
    const said: Buffer[] = [];
    child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
    const ended = new Promise<number>((resolve) => child.once("close", (status) => resolve(status ?? 1)));
    if (to !== undefined) await pipeline(child.stdout, createWriteStream(to));
    if (from !== undefined) await pipeline(createReadStream(from), child.stdin).catch(() => undefined);
    const status = await ended;
    check(status === 0, `${command[0]} ended with ${status}: ${Buffer.concat(said).toString("utf8").slice(-2_000)}`);
  }
}

/** Objects as they were read, without what only the cluster that they came from knows. */
function withoutState(list: string): string {
  const { items, ...rest } = JSON.parse(list) as { items: { metadata: Record<string, unknown> }[] };
  for (const { metadata } of items) {
    for (const field of ["uid", "resourceVersion", "creationTimestamp", "managedFields", "ownerReferences"]) {
      delete metadata[field];
    }
  }
  return JSON.stringify({ ...rest, items });
}
