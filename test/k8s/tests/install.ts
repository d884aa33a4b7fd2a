import { setTimeout as sleep } from "node:timers/promises";
import { startTraffic } from "../load.js";
import { check } from "../runner.js";
import { imageRef, prefixOf, processes } from "../release.js";
import type { Suite, TestOf } from "../suite.js";
import { helm, until } from "../cluster.js";
import { report } from "./rolling.js";

export function installTests(suite: Suite): TestOf[] {
  const { release } = suite;
  const { namespace } = release;
  return [
    {
      name: "installs into a namespace with the restricted pod standard, waiting until all is ready",
      isNeeded: true,
      async run() {
        await namespace.remove();
        await release.createNamespace();
        const startedAt = performance.now();
        await release.install(suite.values, ["--wait", "--timeout", "10m"]);
        const seconds = Math.round((performance.now() - startedAt) / 1_000);
        await release.ready();
        // A rollout is done a moment before the pods of the one before it are gone.
        await until("two ready pods of every process", 120_000, async () => {
          const pods = await namespace.pods();
          const failed = pods.filter(({ phase }) => phase === "Failed");
          check(failed.length === 0, `failed: ${JSON.stringify(failed)}`);
          const wrong = processes.filter((process) => {
            const own = pods.filter(({ component, terminating }) => component === process && !terminating);
            return own.length !== 2 || own.some(({ ready }) => !ready);
          });
          if (wrong.length > 0) throw new Error(`not yet: ${wrong.join(", ")}`);
          return true;
        });
        return `${seconds} s from install to ready`;
      },
    },
    {
      name: "no pod warns, none runs as root, mounts a token or may write its root",
      async run() {
        const { items } = await namespace.json<{ items: RawPod[] }>(["get", "pods"]);
        for (const { metadata, spec } of items) {
          check(spec.automountServiceAccountToken === false, `${metadata.name} mounts a token`);
          check(spec.securityContext.runAsNonRoot === true, `${metadata.name} may run as root`);
          for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) {
            const { securityContext: security, resources } = container;
            const where = `${metadata.name}/${container.name}`;
            check(security.readOnlyRootFilesystem === true, `${where} may write its root`);
            check(security.allowPrivilegeEscalation === false, `${where} may gain privileges`);
            check(
              resources.requests !== undefined && resources.limits?.memory !== undefined,
              `${where} has no resources`,
            );
          }
        }
        return `${items.length} pods`;
      },
    },
    {
      name: "the migration job is done and the seed has loaded the demo tenants",
      isNeeded: true,
      async run() {
        for (const component of ["migrate", "operator"]) await release.jobsDone(component);
        const demo = await suite.demo();
        check(demo.tenants.length >= 2, "there are no demo tenants");
        return `${demo.tenants.length} tenants, seeded twice with ${imageRef(suite.tag).split(":")[0]}`;
      },
    },
    {
      name: "the first 1,000 requests after an install are all answered, at 40 a second",
      async run() {
        const stop = await startTraffic(suite, 40);
        await sleep(25_500);
        return report(await stop(), { perSecond: 40, maxFailedShare: 0 });
      },
    },
    {
      name: "helm test sends one payment in the sandbox, from a pod that reaches nothing but the gateway",
      async run() {
        const log = await helm(["test", release.name, "-n", namespace.name, "--logs"]);
        check(/helm test: paid out/.test(log), log);
        await namespace.run(["delete", "pod", `${prefixOf(release.name)}-test`]);
      },
    },
  ];
}

interface RawPod {
  metadata: { name: string };
  spec: {
    automountServiceAccountToken?: boolean;
    securityContext: { runAsNonRoot?: boolean };
    containers: RawContainer[];
    initContainers?: RawContainer[];
  };
}

interface RawContainer {
  name: string;
  securityContext: { readOnlyRootFilesystem?: boolean; allowPrivilegeEscalation?: boolean };
  resources: { requests?: object; limits?: { memory?: string } };
}
