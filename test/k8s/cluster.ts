import { setTimeout as sleep } from "node:timers/promises";
import { mustRun, runAny, wordsOf, type Ran, type RunOptions } from "./command.js";

const kubectlWords = wordsOf("KUBECTL", "kubectl");
const helmWords = wordsOf("HELM", "helm");

export interface Pod {
  name: string;
  component: string;
  ready: boolean;
  terminating: boolean;
  ip: string;
  restarts: number;
  phase: string;
  /** Containers that cannot start, with why: `ImagePullBackOff` and the like. */
  waiting: readonly { image: string; reason: string }[];
}

export type Namespace = ReturnType<typeof namespaceOf>;

/** kubectl without a namespace. */
export function kubectl(args: readonly string[], options?: RunOptions): Promise<string> {
  return mustRun([...kubectlWords, ...args], options);
}

export function helmAny(args: readonly string[], options?: RunOptions): Promise<Ran> {
  return runAny([...helmWords, ...args], options);
}

export function helm(args: readonly string[], options?: RunOptions): Promise<string> {
  return mustRun([...helmWords, ...args], options);
}

/** kubectl within one namespace, and what tests ask of it. */
export function namespaceOf(name: string) {
  const scoped = (args: readonly string[]) => [...kubectlWords, "-n", name, ...args];
  const run = (args: readonly string[], options?: RunOptions) => mustRun(scoped(args), options);
  const json = async <T>(args: readonly string[]): Promise<T> => JSON.parse(await run([...args, "-o", "json"])) as T;

  async function pods(selector = ""): Promise<Pod[]> {
    const list = await json<{ items: RawPod[] }>(["get", "pods", ...(selector === "" ? [] : ["-l", selector])]);
    return list.items.map(podOf);
  }

  return {
    name,
    run,
    json,
    pods,
    runAny: (args: readonly string[], options?: RunOptions) => runAny(scoped(args), options),
    apply: (objects: object[]) =>
      run(["apply", "-f", "-"], { input: JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }) }),
    async podsOf(component: string): Promise<Pod[]> {
      return pods(`app.kubernetes.io/component=${component}`);
    },
    async rolledOut(component: string, timeoutS = 420): Promise<void> {
      const list = await json<{ items: { metadata: { name: string } }[] }>([
        "get",
        "deployment",
        "-l",
        `app.kubernetes.io/component=${component}`,
      ]);
      for (const { metadata } of list.items) {
        await run(["rollout", "status", `deployment/${metadata.name}`, `--timeout=${timeoutS}s`]);
      }
    },
    async remove(): Promise<void> {
      await mustRun([
        ...kubectlWords,
        "delete",
        "namespace",
        name,
        "--ignore-not-found",
        "--wait=true",
        "--timeout=300s",
      ]);
    },
  };
}

interface RawPod {
  metadata: { name: string; labels?: Record<string, string>; deletionTimestamp?: string };
  status: {
    podIP?: string;
    phase: string;
    conditions?: { type: string; status: string }[];
    containerStatuses?: RawStatus[];
    initContainerStatuses?: RawStatus[];
  };
}

interface RawStatus {
  image: string;
  restartCount: number;
  state?: { waiting?: { reason?: string } };
}

function podOf({ metadata, status }: RawPod): Pod {
  return {
    name: metadata.name,
    component: metadata.labels?.["app.kubernetes.io/component"] ?? "",
    ready: status.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") ?? false,
    terminating: metadata.deletionTimestamp !== undefined,
    ip: status.podIP ?? "",
    restarts: (status.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0),
    phase: status.phase,
    waiting: [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].flatMap(
      ({ image, state }) => (state?.waiting?.reason === undefined ? [] : [{ image, reason: state.waiting.reason }]),
    ),
  };
}

/** Asks again until the answer is not undefined; throws with `what` when it takes longer. */
export async function until<T>(
  what: string,
  timeoutMs: number,
  ask: () => Promise<T | undefined>,
  everyMs = 1_000,
): Promise<T> {
  const giveUpAt = Date.now() + timeoutMs;
  let last: unknown;
  while (Date.now() < giveUpAt) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      last = error;
    }
    await sleep(everyMs);
  }
  throw new Error(`${what}: not within ${timeoutMs / 1_000} s${last instanceof Error ? ` (${last.message})` : ""}`);
}

/** Processors of all nodes together. */
export async function coresOfCluster(): Promise<number> {
  const nodes = JSON.parse(await kubectl(["get", "nodes", "-o", "json"])) as {
    items: { status: { capacity: { cpu: string } } }[];
  };
  return nodes.items.reduce((sum, { status }) => sum + Number(status.capacity.cpu), 0);
}
