import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../cluster.js";
import { startTraffic } from "../load.js";
import { prefixOf, processes } from "../release.js";
import { check, Skip } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";
import { metricsPath } from "./operations.js";
import { report } from "./rolling.js";

// What its peers may differ by.
const shareOff = 0.2;

export function scalingTests(suite: Suite): TestOf[] {
  const { release } = suite;
  const { namespace } = release;
  const prefix = prefixOf(release.name);
  return [
    {
      name: "each replica carries its share: within 20 % of the others",
      async run() {
        // Connections made while pods came and went are at most a minute old.
        await sleep(75_000);
        // Clients of the gateway are many, and few stay.
        const stop = await startTraffic(suite, 50, { fresh: true });
        await sleep(5_000);
        const before = await servedByPod(suite);
        await sleep(40_000);
        const after = await servedByPod(suite);
        report(await stop());
        const lines: string[] = [];
        // A tenant's transfers go to the one replica that owns its journal.
        for (const process of processes.filter((one) => one !== "ledger")) {
          const pods = [...after].filter(([, { component }]) => component === process);
          const counts = pods.map(([pod, { calls }]) => calls - (before.get(pod)?.calls ?? 0));
          const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
          lines.push(`${process} ${counts.join("/")}`);
          check(counts.length >= 2 && mean > 0, `${process} has served ${counts.join("/")}`);
          for (const count of counts) {
            check(Math.abs(count - mean) <= shareOff * mean, `${process}'s replicas have served ${counts.join("/")}`);
          }
        }
        return lines.join(", ");
      },
    },
    {
      name: "the HPA adds pods under load and takes them away again",
      async run() {
        const name = `hpa/${prefix}-gateway`;
        const autoscaling = { enabled: true, minReplicas: 2, maxReplicas: 4, scaleDownSeconds: 15 };
        const services = suite.values["services"] as { gateway: object };
        // Half of the chart's, so that what this suite can send is more than two pods should carry.
        const resources = { requests: { cpu: "100m" } };
        await release.upgrade({
          ...suite.values,
          services: { ...services, gateway: { ...services.gateway, autoscaling, resources } },
        });
        const replicas = async () => {
          const hpa = await namespace.json<{ status: { currentReplicas?: number; currentMetrics?: unknown[] } }>([
            "get",
            name,
          ]);
          return hpa.status;
        };
        const known = await until("metrics for the HPA", 120_000, async () =>
          (await replicas()).currentMetrics === undefined ? undefined : true,
        ).catch(() => false);
        if (!known) throw new Skip("there are no metrics for the HPA");
        const low = await until("the HPA counts its pods", 120_000, async () => {
          const { currentReplicas = 0 } = await replicas();
          return currentReplicas >= autoscaling.minReplicas ? currentReplicas : undefined;
        });
        const stop = await startTraffic(suite, 100);
        const high = await until("more pods of the gateway", 240_000, async () => {
          const { currentReplicas = 0 } = await replicas();
          return currentReplicas > low ? currentReplicas : undefined;
        });
        await stop();
        await until("fewer pods of the gateway", 360_000, async () => {
          const { currentReplicas = 0 } = await replicas();
          return currentReplicas <= 2 ? true : undefined;
        });
        await release.upgrade(suite.values);
        return `${low} → ${high} → 2`;
      },
    },
    {
      name: "an eviction that would break a PodDisruptionBudget is refused",
      async run() {
        const pods = (await namespace.podsOf("identity")).filter(({ ready, terminating }) => ready && !terminating);
        check(pods.length >= 2, "identity has less than two pods");
        const evict = (pod: string) =>
          namespace.runAny(["create", "--raw", `/api/v1/namespaces/${release.name}/pods/${pod}/eviction`, "-f", "-"], {
            input: JSON.stringify({
              apiVersion: "policy/v1",
              kind: "Eviction",
              metadata: { name: pod, namespace: release.name },
            }),
          });
        await until("the budget allows one", 120_000, async () => {
          const { status } = await namespace.json<{ status: { disruptionsAllowed: number } }>([
            "get",
            "pdb",
            `${prefix}-identity`,
          ]);
          return status.disruptionsAllowed === 1 ? true : undefined;
        });
        const [first, second] = pods.slice(0, 2).map(({ name }) => name) as [string, string];
        const one = await evict(first);
        const two = await evict(second);
        check(one.status === 0, `the first eviction: ${one.stderr}`);
        check(
          two.status !== 0 && /disruption budget/.test(two.stderr),
          `the second eviction: ${two.stderr}${two.stdout}`,
        );
        await release.ready();
      },
    },
  ];

  async function servedByPod({ release: { namespace: space, name } }: Suite) {
    const pods = (await space.pods()).filter(({ ready, terminating }) => ready && !terminating);
    const served = new Map<string, { component: string; calls: number }>();
    for (const { name: pod, component } of pods.filter((one) =>
      (processes as readonly string[]).includes(one.component),
    )) {
      const text = await space.run(["get", "--raw", metricsPath(name, pod)]);
      const counts = [...text.matchAll(/^manilla_(rpc|http_request)_duration_seconds_count\{([^}]*)\} (\d+)/gm)]
        .map(([, kind, labels = "", count]) => ({
          isServed: kind !== "rpc" || labels.includes('side="server"'),
          count,
        }))
        .filter(({ isServed }) => isServed)
        .map(({ count }) => Number(count));
      served.set(pod, { component, calls: counts.reduce((sum, count) => sum + count, 0) });
    }
    return served;
  }
}
