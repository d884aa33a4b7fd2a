import type { Namespace } from "./cluster.js";
import type { LoadReport } from "./outside.js";
import type { Suite } from "./suite.js";
import { traffic } from "./world.js";

/**
 * Starts the traffic of two customers; the function that it resolves with stops it and tells how it
 * went.
 */
export async function startTraffic(
  suite: Suite,
  perSecond: number,
  { fresh = false } = {},
): Promise<() => Promise<LoadReport>> {
  const [sender, receiver] = [await suite.logIn("amina"), await suite.logIn("kofi")];
  await suite.outside.startLoad(await suite.base(), { requests: traffic(sender, receiver), perSecond, fresh });
  return () => suite.outside.stopLoad();
}

export interface Usage {
  cpuM: number;
  memoryMi: number;
}

/**
 * CPU (thousandths of a core) and memory per pod of each component, averaged, as metrics-server
 * tells.
 */
export async function usage(namespace: Namespace): Promise<Map<string, Usage>> {
  const lines = (await namespace.run(["top", "pods", "--no-headers"])).trim().split("\n");
  const components = new Map((await namespace.pods()).map(({ name, component }) => [name, component]));
  const sums = new Map<string, Usage & { pods: number }>();
  for (const line of lines) {
    const [name = "", cpu = "", memory = ""] = line.trim().split(/\s+/);
    const component = components.get(name) ?? name;
    const sum = sums.get(component) ?? { cpuM: 0, memoryMi: 0, pods: 0 };
    sums.set(component, {
      cpuM: sum.cpuM + Number.parseInt(cpu, 10),
      memoryMi: sum.memoryMi + Number.parseInt(memory, 10),
      pods: sum.pods + 1,
    });
  }
  return new Map(
    [...sums].map(([name, { cpuM, memoryMi, pods }]) => [
      name,
      { cpuM: Math.round(cpuM / pods), memoryMi: Math.round(memoryMi / pods) },
    ]),
  );
}
