import { setTimeout as sleep } from "node:timers/promises";
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
      name: "all Deployments restart at once under 50 requests/s without one failed request",
      async run() {
        const stop = await startTraffic(suite, 50);
        await sleep(3_000);
        for (const process of processes) {
          await namespace.run(["rollout", "restart", `deployment/${prefixOf(release.name)}-${process}`]);
        }
        await release.ready();
        await sleep(10_000);
        return report(await stop());
      },
    },
  ];
}

/** Fails with the first failures where there are any. */
export function report({ sent, failures, failed, seconds, p50Ms, p99Ms, maxMs }: LoadReport, perSecond = 50): string {
  const lines = failed.map(({ at, request, what }) => `${at} ${request}: ${what}`);
  const took = `${sent} requests in ${seconds} s, p50 ${p50Ms} ms, p99 ${p99Ms} ms, longest ${maxMs} ms`;
  check(failures === 0, `${failures} failed of ${took}:\n${lines.join("\n")}`);
  check(sent > 0.8 * perSecond * seconds, `only ${sent} requests were sent in ${seconds} s`);
  return took;
}
