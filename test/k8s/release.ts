import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import type { Demo } from "../support/edge-client.js";
import { helm, kubectl, namespaceOf, until, type Namespace } from "./cluster.js";

/** Absolute: HELM may run elsewhere. */
export const chart = resolve("charts", "manilla");

interface ProcessRow {
  protocol?: string;
  calls?: string[];
  tells?: string[];
}

const rows = Object.entries(
  (parse(readFileSync(join(chart, "values.yaml"), "utf8")) as { services: Record<string, ProcessRow> }).services,
);
/** Every process of the chart that takes calls: its rows. */
export const processes: readonly string[] = rows.map(([name]) => name);
export const grpcServices = rows.filter(([, { protocol }]) => protocol !== "http").map(([name]) => name);
/**
 * Who may open a connection to whom; the service table says the same, which a unit test sees to.
 */
export const arrows: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  rows.map(([name, { calls = [], tells = [] }]) => {
    const named = [...new Set([...calls, ...tells])];
    return [name, named.includes("*") ? grpcServices.filter((other) => other !== name) : named];
  }),
);

const image = process.env["IMAGE"] || "docker.io/library/manilla";

export type Values = Record<string, unknown>;

/**
 * Values of a release that fits on one node: embedded servers without volumes, a node port, small
 * requests.
 */
export function testValues(tag: string): Values {
  const small = { requests: { cpu: "40m", memory: "128Mi" }, limits: { memory: "384Mi" } };
  return {
    image: { repository: image, tag },
    defaults: {
      resources: small,
      // What else runs on the machine must not decide how many pods there are: the test of scaling
      // turns it on.
      autoscaling: { enabled: false },
    },
    services: {
      gateway: {
        env: {
          RATE_LIMIT_PER_ADDRESS: "1000000",
          RATE_LIMIT_PER_USER: "1000000",
          RATE_LIMIT_PER_TENANT: "1000000",
        },
      },
    },
    gateway: { service: { type: "NodePort" } },
    mongodb: { embedded: { persistence: { enabled: false }, ...imageOf("MONGO_IMAGE") } },
    redis: { embedded: imageOf("REDIS_IMAGE") },
    priorityClasses: { create: true },
    seed: { enabled: true },
    // The tests begin the verification: its time is none that comes by itself.
    operator: { enabled: true, verification: { enabled: true, schedule: "17 3 1 1 *", tenants: ["demo"] } },
  };
}

function imageOf(variable: string): object {
  const name = process.env[variable];
  if (!name) return {};
  const colon = name.lastIndexOf(":");
  return { image: { repository: name.slice(0, colon), tag: name.slice(colon + 1) } };
}

/** A file that helm reads values from. */
export function valuesFile(values: Values): string {
  const file = join(mkdtempSync(join(tmpdir(), "manilla-values-")), "values.json");
  writeFileSync(file, JSON.stringify(values));
  return file;
}

export type Release = ReturnType<typeof releaseOf>;

/**
 * One release in a namespace of its own, in which Kubernetes enforces its strictest pod standard.
 */
export function releaseOf(name: string) {
  const namespace: Namespace = namespaceOf(name);
  const helmArgs = (verb: string[], values: Values) => [...verb, "-n", name, "-f", valuesFile(values)];
  return {
    name,
    namespace,
    async createNamespace(): Promise<void> {
      const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
      const object = { apiVersion: "v1", kind: "Namespace", metadata: { name, labels } };
      await kubectl(["apply", "-f", "-"], { input: JSON.stringify(object) });
    },
    /**
     * Ends at once, with its name, where an image cannot be pulled:
     * `helm --wait` would wait for it to the end.
     */
    async install(values: Values, more: string[] = []): Promise<void> {
      const ended = new AbortController();
      const options = { signal: ended.signal };
      const installed = helm([...helmArgs(["install", name, chart], values), ...more], options);
      try {
        await Promise.race([installed, imageMissing(namespace, ended.signal)]);
      } finally {
        ended.abort();
        await installed.catch(() => undefined);
      }
    },
    /** `from` is another version's chart. */
    upgrade: (values: Values, more: string[] = [], from = chart) =>
      helm([...helmArgs(["upgrade", name, from], values), ...more]),
    /** Goes back to the chart and the values from before the last upgrade. */
    rollback: (more: string[] = []) => helm(["rollback", name, "-n", name, ...more]),
    /** Waits until every process has its replicas. */
    async ready(timeoutS = 420): Promise<void> {
      for (const process of processes) await namespace.rolledOut(process, timeoutS);
    },
    /** Waits for the component's jobs, such as the seed's, which an install does not wait for. */
    async jobsDone(component: string): Promise<void> {
      await until(`the job of ${component}`, 300_000, async () => {
        const { items } = await namespace.json<{ items: { status: { succeeded?: number } }[] }>([
          "get",
          "jobs",
          "-l",
          `app.kubernetes.io/component=${component}`,
        ]);
        return items.length > 0 && items.every(({ status }) => status.succeeded === 1) ? true : undefined;
      });
    },
    async baseUrl(): Promise<string> {
      const service = await namespace.json<{ spec: { ports: { nodePort: number }[] } }>([
        "get",
        "service",
        `${prefixOf(name)}-gateway`,
      ]);
      return `http://${await nodeAddress()}:${service.spec.ports[0]?.nodePort}`;
    },
    /**
     * Runs the seed once more in a pod, which proves that it may be, and returns what it tells of
     * the demo tenants.
     */
    async readDemo(imageRef: string): Promise<Demo> {
      const script =
        "const { readFileSync } = await import('node:fs'); process.argv[2] = '--demo'; " +
        "await import('/app/dist/deploy/seed/main.js'); " +
        "for (let i = 0; i < 1200; i++) { try { console.log('DEMO ' + JSON.stringify(JSON.parse(readFileSync('/tmp/demo.json', 'utf8')))); break; } catch { await new Promise((r) => setTimeout(r, 100)); } }";
      const job = await namespace.json<{ items: Job[] }>(["get", "jobs", "-l", "app.kubernetes.io/component=operator"]);
      const template = job.items[0]?.spec.template;
      const container = template?.spec.containers[0];
      if (template === undefined || container === undefined) throw new Error("there is no seed job");
      const pod = {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "read-demo", labels: template.metadata.labels },
        spec: {
          ...template.spec,
          restartPolicy: "Never",
          containers: [{ ...container, image: imageRef, args: ["--input-type=module", "-e", script] }],
        },
      };
      await namespace.run(["delete", "pod", "read-demo", "--ignore-not-found"]);
      await namespace.apply([pod]);
      const phase = await until("the seed's second run", 300_000, async () => {
        const { status } = await namespace.json<{ status: { phase: string } }>(["get", "pod", "read-demo"]);
        return ["Succeeded", "Failed"].includes(status.phase) ? status.phase : undefined;
      });
      const log = await namespace.run(["logs", "read-demo"]);
      const line = log.split("\n").find((text) => text.startsWith("DEMO "));
      if (phase !== "Succeeded" || line === undefined) throw new Error(`the seed's second run ${phase}: ${log}`);
      await namespace.run(["delete", "pod", "read-demo"]);
      return JSON.parse(line.slice("DEMO ".length)) as Demo;
    },
  };
}

/**
 * Rejects with the image that a pod of the namespace waits for in vain; ends when it is aborted.
 */
async function imageMissing(namespace: Namespace, signal: AbortSignal): Promise<void> {
  // The first try of a registry that is slow is no failure yet.
  const hopeless = ["ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull"];
  while (!signal.aborted) {
    const pods = await namespace.pods().catch(() => []);
    const waiting = pods.flatMap((pod) => pod.waiting.map((one) => ({ ...one, pod: pod.name })));
    const found = waiting.find(({ reason }) => hopeless.includes(reason));
    if (found)
      throw new Error(`${found.pod} waits for the image ${found.image}, which cannot be pulled: ${found.reason}`);
    await sleep(2_000);
  }
}

interface Job {
  metadata: { name: string };
  spec: {
    template: {
      metadata: { labels: Record<string, string> };
      spec: Record<string, unknown> & { containers: Record<string, unknown>[] };
    };
  };
}

/** The chart's prefix of names: the release's name where it contains the chart's. */
export function prefixOf(release: string): string {
  return release.includes("manilla") ? release : `${release}-manilla`;
}

export function imageRef(tag: string): string {
  return `${image}:${tag}`;
}

async function nodeAddress(): Promise<string> {
  const given = process.env["NODE_ADDRESS"];
  if (given) return given;
  const nodes = JSON.parse(await kubectl(["get", "nodes", "-o", "json"])) as {
    items: { status: { addresses: { type: string; address: string }[] } }[];
  };
  const address = nodes.items[0]?.status.addresses.find(({ type }) => type === "InternalIP")?.address;
  if (address === undefined) throw new Error("the first node has no internal address: set NODE_ADDRESS");
  return address;
}
