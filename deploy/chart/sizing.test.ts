import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { projectRoot } from "../local/project.js";

interface Sized {
  resources?: { requests?: { cpu?: string } };
  autoscaling?: { minReplicas?: number; maxReplicas?: number; targetCPU?: number };
}
interface Values {
  defaults: Sized;
  services: Record<string, Sized>;
}

const chart = join(projectRoot(), "charts", "manilla");
const values = parse(readFileSync(join(chart, "values.yaml"), "utf8")) as Values;

/** CPU a request, in ms, of the table of docs/operations/scaling.md. */
const costMs = new Map(
  [
    ...readFileSync(join(projectRoot(), "docs", "operations", "scaling.md"), "utf8").matchAll(
      /^\| (\w+) +\| ([\d.]+) ms +\|$/gm,
    ),
  ].map(([, name = "", ms]): [string, number] => [name, Number(ms)]),
);

const coresOf = (cpu: string) => (cpu.endsWith("m") ? Number(cpu.slice(0, -1)) / 1_000 : Number(cpu));

/** What a process is given: its own row over the chart's, over the defaults. */
function sizeOf(name: string, rows: Record<string, Sized>) {
  const layers = [values.defaults, values.services[name], rows[name]];
  const last = <Value>(pick: (layer: Sized) => Value | undefined) =>
    layers.reduce<Value | undefined>((found, layer) => (layer && pick(layer)) ?? found, undefined)!;
  const podCores = coresOf(last((layer) => layer.resources?.requests?.cpu));
  const target = last((layer) => layer.autoscaling?.targetCPU) / 100;
  return {
    podCores,
    min: last((layer) => layer.autoscaling?.minReplicas),
    max: last((layer) => layer.autoscaling?.maxReplicas),
    podsFor: (perSecond: number) => Math.ceil((perSecond * costMs.get(name)!) / 1_000 / (podCores * target) - 1e-9),
  };
}

const processes = Object.keys(values.services);

test("every process has a measured cost", () => {
  expect(processes.filter((name) => !(costMs.get(name)! > 0))).toEqual([]);
});

test("with the chart's own values 300 requests/s leave every process half of its pods", () => {
  const spent = processes.map((name) => ({ name, ...sizeOf(name, {}) }));
  expect(spent.filter(({ max, podsFor }) => podsFor(300) > max / 2)).toEqual([]);
});

test.each([50, 500, 3_500])(
  "the file for %i requests/s carries half with its fewest pods and twice with its most",
  (perSecond) => {
    const { services } = parse(readFileSync(join(chart, "examples", `sizing-${perSecond}.yaml`), "utf8")) as Values;
    expect(Object.keys(services).toSorted()).toEqual(processes.toSorted());
    for (const name of processes) {
      const { podCores, min, max, podsFor } = sizeOf(name, services);
      expect({ name, isWithinOneCore: podCores <= 1 }).toEqual({ name, isWithinOneCore: true });
      expect({ name, min }).toEqual({ name, min: Math.max(2, podsFor(perSecond / 2)) });
      // Not many more either: nodes are bought for the most that there may be.
      expect({ name, isEnough: max >= podsFor(perSecond * 2) && max <= Math.max(4, podsFor(perSecond * 2)) }).toEqual({
        name,
        isEnough: true,
      });
    }
  },
);
