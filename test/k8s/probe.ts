import { until, type Namespace } from "./cluster.js";

export interface Probe {
  name: string;
  image: string;
  /** ES module; its last line of output that begins with RESULT is the answer, as JSON. */
  script: string;
  /** Labels decide what the network policies let it do. */
  labels?: Record<string, string>;
  /** Secrets by mount path. */
  secrets?: Record<string, string>;
  env?: Record<string, string>;
  timeoutMs?: number;
}

/** Runs a script in a pod of its own and gives back what it found out. */
export async function probe<T>(
  namespace: Namespace,
  { labels = {}, secrets = {}, env = {}, ...rest }: Probe,
): Promise<T> {
  const { name, image, script, timeoutMs = 180_000 } = rest;
  const volumes = Object.entries(secrets).map(([path, secretName], index) => ({ path, secretName, name: `s${index}` }));
  await namespace.run(["delete", "pod", name, "--ignore-not-found", "--grace-period=0", "--force"]);
  await namespace.apply([
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, labels },
      spec: {
        restartPolicy: "Never",
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 0,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 65_532,
          runAsGroup: 65_532,
          fsGroup: 65_532,
          seccompProfile: { type: "RuntimeDefault" },
        },
        containers: [
          {
            name: "probe",
            image,
            args: ["--input-type=module", "-e", script],
            env: Object.entries(env).map(([variable, value]) => ({ name: variable, value })),
            resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { memory: "256Mi" } },
            // Never ready: it carries a service's labels, and must not be given that service's
            // calls.
            readinessProbe: { tcpSocket: { port: 1 }, periodSeconds: 30 },
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ["ALL"] },
            },
            volumeMounts: volumes.map(({ name: volume, path }) => ({ name: volume, mountPath: path, readOnly: true })),
          },
        ],
        volumes: volumes.map(({ name: volume, secretName }) => ({
          name: volume,
          secret: { secretName, defaultMode: 0o440 },
        })),
      },
    },
  ]);
  try {
    const phase = await until(`pod ${name}`, timeoutMs, async () => {
      const { status } = await namespace.json<{ status: { phase: string } }>(["get", "pod", name]);
      return ["Succeeded", "Failed"].includes(status.phase) ? status.phase : undefined;
    });
    const log = await namespace.run(["logs", name]);
    const line = log.split("\n").findLast((text) => text.startsWith("RESULT "));
    if (phase !== "Succeeded" || line === undefined) throw new Error(`pod ${name} ${phase}: ${log.slice(-2_000)}`);
    return JSON.parse(line.slice("RESULT ".length)) as T;
  } finally {
    await namespace.run(["delete", "pod", name, "--ignore-not-found", "--grace-period=0", "--force"]);
  }
}

/** Tries TCP connections to `targets` (host:port); answers each with "open" or "closed". */
export function connectScript(targets: readonly string[], settleMs: number): string {
  return `
    import { connect } from "node:net";
    import { setTimeout as sleep } from "node:timers/promises";
    // Policies reach a pod that is new a little after it runs.
    await sleep(${settleMs});
    const tryOne = (target) => new Promise((resolve) => {
      const [host, port] = target.split(":");
      const socket = connect({ host, port: Number(port), timeout: 3000 });
      const end = (what) => { socket.destroy(); resolve([target, what]); };
      socket.on("connect", () => end("open")).on("timeout", () => end("closed")).on("error", () => end("closed"));
    });
    const answers = await Promise.all(${JSON.stringify(targets)}.map(tryOne));
    console.log("RESULT " + JSON.stringify(Object.fromEntries(answers)));`;
}
