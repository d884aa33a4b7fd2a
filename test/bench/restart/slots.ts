import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

// As in the chart: between leaving the endpoints and SIGTERM.
const preStopMs = 5_000;
// How often Linux counts a process's time, in a second.
const ticksPerSecond = 100;

interface Managed {
  pid(): number | undefined;
  stop(): Promise<void>;
  restart(): Promise<void>;
}

export interface Cluster {
  baseUrl: string;
  file: { processes: Record<string, { pid: number; adminPort: number }> };
  process(name: string): Managed;
  stop(): Promise<void>;
}

/**
 * One process's two places: a roll starts the free one and then stops
 * the other, as a Deployment does.
 */
export interface Slots {
  readonly name: string;
  readonly ports: readonly [number, number];
  /** Port of the place that serves. */
  serving(): number;
  roll(): Promise<Start>;
  /** Starts the second place beside the first; both serve from then on. */
  double(): Promise<Start>;
  /** Processor time that the serving process has had, in seconds. */
  cpuS(): number;
  /** The same of the one beside it; 0 where there is none. */
  besideCpuS(): number;
  stop(): Promise<void>;
}

/** What a start cost until it said that it is ready. */
export interface Start {
  readonly cpuS: number;
  readonly wallS: number;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/**
 * The first place is the cluster's own process, the second a process
 * with the first one's environment.
 */
export function slotsOf(cluster: Cluster, name: string, ports: [number, number], dataDir: string): Slots {
  const managed = cluster.process(name);
  const own = cluster.file.processes[name]!;
  const args = readFileSync(`/proc/${own.pid}/cmdline`, "utf8").split("\0").filter(Boolean);
  const environment = Object.fromEntries(
    readFileSync(`/proc/${own.pid}/environ`, "utf8")
      .split("\0")
      .filter((line) => line.includes("="))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  let second: ChildProcess | undefined;

  async function startSecond(): Promise<Start> {
    const adminPort = await freePort();
    const log = openSync(join(dataDir, "logs", `${name}-second.log`), "a");
    const changed = { PORT: String(ports[1]), ADMIN_PORT: String(adminPort) };
    const advertised = environment["ADVERTISED_ADDRESS"] && { ADVERTISED_ADDRESS: `127.0.0.1:${ports[1]}` };
    const env = { ...environment, ...changed, ...advertised };
    const startedAt = performance.now();
    second = spawn(args[0]!, args.slice(1), { env, stdio: ["ignore", log, log] });
    closeSync(log);
    const ended = second;
    while (!(await isReady(adminPort))) {
      if (ended.exitCode !== null) throw new Error(`${name} ended while it started`);
      await sleep(50);
    }
    return { cpuS: cpuSecondsOf(second.pid!), wallS: (performance.now() - startedAt) / 1_000 };
  }

  async function startFirst(): Promise<Start> {
    const startedAt = performance.now();
    await managed.restart();
    return { cpuS: cpuSecondsOf(managed.pid()!), wallS: (performance.now() - startedAt) / 1_000 };
  }

  async function stopSecond(): Promise<void> {
    const ending = second;
    second = undefined;
    if (ending === undefined || ending.exitCode !== null) return;
    const ended = new Promise((done) => ending.once("exit", done));
    ending.kill("SIGTERM");
    await ended;
  }

  let place: 0 | 1 = 0;
  return {
    name,
    ports,
    serving: () => ports[place],
    async roll() {
      const start = await (place === 0 ? startSecond() : startFirst());
      const left = place;
      place = left === 0 ? 1 : 0;
      await sleep(preStopMs);
      await (left === 0 ? managed.stop() : stopSecond());
      return start;
    },
    double: startSecond,
    cpuS: () => cpuSecondsOf(place === 0 ? managed.pid()! : second!.pid!),
    besideCpuS: () => (second?.pid === undefined ? 0 : cpuSecondsOf(second.pid)),
    stop: stopSecond,
  };
}

async function isReady(adminPort: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** User and system time since a process began. */
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // After the name in brackets, which may hold spaces, they are the 12th and 13th field.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
