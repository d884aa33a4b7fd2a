import { setTimeout as sleep } from "node:timers/promises";
import { coresOfCluster } from "../cluster.js";
import { prefixOf, processes } from "../release.js";
import { check, Skip } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";
import type { LoadReport } from "../outside.js";
import { startTraffic, usage } from "../load.js";

export function rollingTests(suite: Suite): TestOf[] {
  const { release } = suite;
  const { namespace } = release;
  return [
    {
      name: "what every pod needs, idle and at 50 requests/s",
      async run() {
        await sleep(30_000);
        const idle = await usage(namespace).catch(() => undefined);
        if (idle === undefined) throw new Skip("there is no metrics-server");
        const stop = await startTraffic(suite, 50);
        await sleep(75_000);
        const busy = await usage(namespace);
        report(await stop());
        return [...idle]
          .map(([name, { cpuM, memoryMi }]) => {
            const at = busy.get(name);
            return `\n             ${name}: idle ${cpuM}m ${memoryMi}Mi, at 50/s ${at?.cpuM}m ${at?.memoryMi}Mi`;
          })
          .join("");
      },
    },
    {
      name: "every Deployment restarts under 50 requests/s without one failed request",
      async run() {
        const stop = await startTraffic(suite, 50);
        await sleep(5_000);
        for (const process of processes) {
          await namespace.run(["rollout", "restart", `deployment/${prefixOf(release.name)}-${process}`]);
          await namespace.rolledOut(process);
          // Terminating pods are the test too: their last seconds are when requests get lost.
          await sleep(10_000);
        }
        return report(await stop());
      },
    },
    {
      name: "all Deployments restart at once under load: none fails on 8 cores, one of a hundred at a lower rate on fewer",
      async run() {
        const bound = boundOfAtOnce(await coresOfCluster());
        const stop = await startTraffic(suite, bound.perSecond);
        await sleep(3_000);
        for (const process of processes) {
          await namespace.run(["rollout", "restart", `deployment/${prefixOf(release.name)}-${process}`]);
        }
        await release.ready();
        await sleep(10_000);
        return report(await stop(), bound);
      },
    },
  ];
}

interface Bound {
  perSecond: number;
  /** Of the requests that were sent. */
  maxFailedShare: number;
}

const noneFails: Bound = { perSecond: 50, maxFailedShare: 0 };

/**
 * Two cores start eight services at once, or answer: they cannot do both at 50 requests a second.
 */
export function boundOfAtOnce(cores: number): Bound {
  return cores >= 8 ? noneFails : { perSecond: 15, maxFailedShare: 0.01 };
}

/** Fails with the first failures where there are more than the bound allows. */
export function report(
  { sent, failures, failed, seconds, p50Ms, p99Ms, maxMs }: LoadReport,
  { perSecond, maxFailedShare } = noneFails,
): string {
  const lines = failed.map(({ at, request, what }) => `${at} ${request}: ${what}`);
  const took = `${sent} requests in ${seconds} s, p50 ${p50Ms} ms, p99 ${p99Ms} ms, longest ${maxMs} ms`;
  check(failures <= maxFailedShare * sent, `${failures} failed of ${took}:\n${lines.join("\n")}`);
  check(sent > 0.8 * perSecond * seconds, `only ${sent} requests were sent in ${seconds} s`);
  return failures === 0 ? took : `${failures} failed of ${took}`;
}
