import { setTimeout as sleep } from "node:timers/promises";
import { helm, until } from "../cluster.js";
import { startTraffic } from "../load.js";
import { prefixOf, processes } from "../release.js";
import { check } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";

export function lifecycleTests(suite: Suite): TestOf[] {
  const { release, values } = suite;
  const { namespace, name } = release;
  const prefix = prefixOf(name);

  async function secrets(): Promise<Map<string, Record<string, string>>> {
    const { items } = await namespace.json<{ items: { metadata: { name: string }; data?: Record<string, string> }[] }>([
      "get",
      "secrets",
    ]);
    const own = items.filter(({ metadata }) => metadata.name.startsWith(prefix));
    return new Map(own.map(({ metadata, data = {} }) => [metadata.name, data]));
  }

  /** Names of what the release has in the namespace. */
  async function objects(): Promise<string[]> {
    const kinds = "all,configmaps,secrets,networkpolicies,pdb,hpa,serviceaccounts,ingresses";
    const listed = await namespace.run(["get", kinds, "-o", "name"]);
    return listed.split("\n").filter((line) => line.includes(prefix));
  }

  /** Names of secrets whose content is not the same. */
  function changed(before: Map<string, Record<string, string>>, after: Map<string, Record<string, string>>): string[] {
    return [...before.keys()].filter((one) => JSON.stringify(before.get(one)) !== JSON.stringify(after.get(one)));
  }

  return [
    {
      name: "an upgrade keeps every secret, migrates first, and rolls only what has changed",
      async run() {
        const before = await secrets();
        const podsBefore = new Set((await namespace.pods()).map((pod) => pod.name));
        await release.upgrade(
          { ...values, services: { ...(values["services"] as object), wallet: { env: { LEFT_ALONE: "no" } } } },
          ["--wait", "--timeout", "10m"],
        );
        check(changed(before, await secrets()).length === 0, `changed: ${changed(before, await secrets()).join(", ")}`);
        const { items } = await namespace.json<{ items: { status: { succeeded?: number } }[] }>([
          "get",
          "jobs",
          "-l",
          "app.kubernetes.io/component=migrate",
        ]);
        check(items.length > 0 && items.every(({ status }) => status.succeeded === 1), "the hook has not migrated");
        const rolled = (await namespace.pods()).filter((pod) => !podsBefore.has(pod.name) && pod.phase === "Running");
        check(rolled.length > 0 && rolled.every(({ component }) => component === "wallet"), JSON.stringify(rolled));
      },
    },
    {
      name: "a rollback goes back, and keeps every secret",
      async run() {
        const before = await secrets();
        await helm(["rollback", name, "-n", name, "--wait", "--timeout", "10m"]);
        const deployment = await namespace.run(["get", "deployment", `${prefix}-wallet`, "-o", "json"]);
        check(!deployment.includes("LEFT_ALONE"), "wallet still has the newer environment");
        check(changed(before, await secrets()).length === 0, `changed: ${changed(before, await secrets()).join(", ")}`);
      },
    },
    {
      name: "certificates are renewed under load without a restart, a failed request or a new authority",
      async run() {
        const before = await secrets();
        const podsBefore = (await namespace.pods()).map((pod) => pod.name).toSorted();
        const stop = await startTraffic(suite, 20);
        await release.upgrade({ ...values, tls: { renewAfterDays: 0 } });
        const renewed = changed(before, await secrets());
        // Those of the processes, and of operators.
        check(
          renewed.length === processes.length + 1 && renewed.every((one) => one.endsWith("-tls")),
          `changed: ${renewed.join(", ")}`,
        );
        // Until kubelets have written the new files, and connections have been made with them.
        await sleep(150_000);
        const outcome = await stop();
        const podsAfter = (await namespace.pods()).filter(({ phase }) => phase === "Running").map((pod) => pod.name);
        check(
          podsAfter.every((pod) => podsBefore.includes(pod)),
          "pods were restarted",
        );
        check(outcome.failures === 0, JSON.stringify(outcome.failed.slice(0, 3)));
        return `${outcome.sent} requests`;
      },
    },
    {
      name: "uninstall takes everything but the secrets, which no release has; a new install finds them again",
      async run() {
        const before = await secrets();
        await helm(["uninstall", name, "-n", name, "--wait", "--timeout", "5m"]);
        const kept = [...before.keys()].map((one) => `secret/${one}`);
        // Hooks, and the policies that they run under, are no release's either.
        const hooks = [`${prefix}-migrate-upgrade-`, `${prefix}-hook-`];
        const others = (left: string[]) =>
          left.filter((line) => !kept.includes(line) && !hooks.some((hook) => line.includes(hook)));
        let left: string[] = [];
        // Pods that have ended are still there for a moment.
        await until("all else is gone", 180_000, async () => {
          left = await objects();
          return others(left).length === 0 ? true : undefined;
        }).catch(() => check(false, `left: ${others(left).join(", ")}`));
        check(
          kept.every((line) => left.includes(line)),
          `left: ${left.join(", ")}`,
        );
        await release.install(values, ["--wait", "--timeout", "10m"]);
        const made = changed(before, await secrets());
        check(made.length === 0, `made anew: ${made.join(", ")}`);
      },
    },
  ];
}
