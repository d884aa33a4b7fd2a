// `npm run bench:edge`: what the edge costs, as ratios of one run on one machine. Prints them.
import { fork, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { load, type Measured, type Shot } from "./load.js";

interface Built {
  startCluster(options: object): Promise<{
    baseUrl: string;
    file: { mongoUri: string };
    process(name: string): { pid(): number | undefined };
    stop(): Promise<void>;
  }>;
  freePorts(count: number): Promise<number[]>;
}

const clients = 64;
const quick = process.argv.includes("--quick");
const secondsEach = quick ? 3 : 10;
const soakSeconds = quick ? 5 : 60;
const rounds = quick ? 2 : 5;

const preferencePath = "/api/v6/services/admin/organisation-preference-management/fetch-organisaction-preference";
const here = resolve("test/bench/edge");
const { startCluster } = (await import(resolve("dist/deploy/local/cluster.js"))) as Built;
const { freePorts } = (await import(resolve("dist/deploy/local/ports.js"))) as Built;
const dataDir = mkdtempSync(join(tmpdir(), "manilla-bench-"));
const children: ChildProcess[] = [];
const env = {
  LOG_LEVEL: "info",
  NODE_ENV: "production",
  RATE_LIMIT_PER_ADDRESS: "99999999",
  RATE_LIMIT_PER_USER: "99999999",
  RATE_LIMIT_PER_TENANT: "99999999",
};
const cluster = await startCluster({ dataDir, port: 0, quiet: true, processEnv: { gateway: env } });

try {
  await seed();
  const [servicePort = 0, edgePort = 0] = await freePorts(2);
  await start("bare-service.ts", [cluster.file.mongoUri, String(servicePort)]);
  await start("bare-edge.ts", [String(servicePort), String(edgePort)]);
  const ours = await ourRead();
  const bare: Shot = { url: `http://127.0.0.1:${edgePort}/` };
  const figures = [...(await compare(ours, bare)), ...(await memory(ours)), ...(await whileLoggingIn(ours))];
  report(figures);
} finally {
  for (const child of children) child.kill();
  await cluster.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

interface Figure {
  what: string;
  value: string;
  target: string;
  met: boolean;
}

async function seed(): Promise<void> {
  const child = fork(resolve("dist/deploy/seed/main.js"), ["--demo"], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: "ignore",
  });
  await new Promise<void>((done, failed) =>
    child.once("exit", (code) => (code === 0 ? done() : failed(new Error(`the seed ended with ${code}`)))),
  );
}

async function start(file: string, args: string[]): Promise<void> {
  const child = fork(join(here, file), args, { env: { ...process.env, NODE_ENV: "production" } });
  children.push(child);
  await new Promise((ready, failed) => (child.once("message", ready), child.once("exit", failed)));
}

function loginShot(user: { email: string; password: string }): Shot {
  return {
    url: `${cluster.baseUrl}/api/v6/services/securitymanagement/login`,
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: user.email, currentPassword: user.password }),
  };
}

function demoUser(role: string): { email: string; password: string } {
  const demo = JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"));
  return demo.tenants[0].users.find((user: { role: string }) => user.role === role);
}

async function ourRead(): Promise<Shot> {
  const { url, ...init } = loginShot(demoUser("MANAGER"));
  const { access_token: token } = (await (await fetch(url, init as RequestInit)).json()) as { access_token: string };
  return { url: `${cluster.baseUrl}${preferencePath}`, headers: { "X-Auth-Token": token } };
}

/** Rounds in turn, so that what else the machine does falls on both. */
async function compare(ours: Shot, bare: Shot): Promise<Figure[]> {
  await load(ours, clients, 3);
  await load(bare, clients, 3);
  const taken: { ours: Measured; bare: Measured }[] = [];
  for (let round = 0; round < rounds; round++) {
    taken.push({ bare: await load(bare, clients, secondsEach), ours: await load(ours, clients, secondsEach) });
  }
  for (const { ours: own, bare: other } of taken) {
    say(`bare ${line(other)}   ours ${line(own)}`);
    if (own.failed + other.failed > 0) throw new Error(`${own.failed} of ours and ${other.failed} of the bare failed`);
  }
  const share = median(taken.map((each) => each.ours.perSecond / each.bare.perSecond));
  const tail = median(taken.map((each) => each.ours.p99Ms / each.bare.p99Ms));
  return [
    {
      what: "throughput of a read route, of the bare pair's",
      value: share.toFixed(2),
      target: "≥ 0.70",
      met: share >= 0.7,
    },
    { what: `p99 at ${clients} clients, of the bare pair's`, value: tail.toFixed(2), target: "≤ 2", met: tail <= 2 },
  ];
}

async function memory(ours: Shot): Promise<Figure[]> {
  const peaks: number[] = [];
  for (let run = 0; run < 2; run++) {
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, residentMb())), 250);
    await load(ours, clients, soakSeconds);
    clearInterval(watch);
    peaks.push(peak);
  }
  const [first = 0, second = 0] = peaks;
  const growth = second - first;
  return [
    {
      what: `gateway's memory at ${clients} clients for ${soakSeconds} s`,
      value: `${Math.round(Math.max(...peaks))} MB`,
      target: "< 200 MB",
      met: Math.max(...peaks) < 200,
    },
    {
      what: "growth from one such run to the next",
      value: `${growth.toFixed(0)} MB`,
      target: "≤ 5 MB",
      met: growth <= 5,
    },
  ];
}

function residentMb(): number {
  const status = readFileSync(`/proc/${cluster.process("gateway").pid()}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}

/** A read at 4 clients, alone and beside 16 log-ins that never end. */
async function whileLoggingIn(ours: Shot): Promise<Figure[]> {
  const login = loginShot(demoUser("CUSTOMER"));
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await load(ours, 4, secondsEach / 2);
    const [beside, logins] = await Promise.all([load(ours, 4, secondsEach / 2), load(login, 16, secondsEach / 2)]);
    say(`alone ${line(alone)}   beside log-ins ${line(beside)}   log-ins ${line(logins)}`);
    ratios.push(beside.p99Ms / alone.p99Ms);
  }
  const ratio = median(ratios);
  return [
    {
      what: "p99 of a cheap read beside 16 log-ins, of that without",
      value: ratio.toFixed(2),
      target: "≤ 2",
      met: ratio <= 2,
    },
  ];
}

function line({ perSecond, p50Ms, p99Ms, failed }: Measured): string {
  return `${perSecond.toFixed(0).padStart(5)}/s p50 ${p50Ms.toFixed(1)} p99 ${p99Ms.toFixed(1)} ms${failed ? ` (${failed} failed)` : ""}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

function report(figures: readonly Figure[]): void {
  const rows = figures.map(
    ({ what, value, target, met }) => `| ${what} | ${value} | ${target} | ${met ? "yes" : "no"} |`,
  );
  const table = ["| measure | value | target | met |", "|---|---|---|---|", ...rows].join("\n");
  say(table);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
