import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis as Client } from "ioredis";
import { pino } from "pino";
import { findServer, valkeyServer } from "../../../deploy/local/fetch-servers.js";
import { freePorts } from "../../../deploy/local/ports.js";
import { waitFor } from "../../../test/support/index.js";
import { findTlsRedis, type TlsRedisServer } from "../../../test/support/tls-redis.js";
import { isThere } from "../../../test/support/outside-tools.js";
import { createRedis, orWithout, redisReady, type Redis } from "./redis.js";
import { pause } from "../../../test/support/time.js";

const password = "data p@ss/word";
const sentinelPassword = "sentinel&p@ss";
const folder = mkdtempSync(join(tmpdir(), "redis-sentinel-"));
const ca = join(folder, "ca.crt");
const open: (() => unknown)[] = [];
const errors: string[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void errors.push(line) });

beforeEach(() => void (errors.length = 0));
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});
afterAll(() => rmSync(folder, { recursive: true }));

type Start = (args: readonly string[]) => ChildProcess;

function makeCertificates(): string[] {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  openssl("req", "-x509", ...key, "-subj", "/CN=our CA", "-keyout", "ca.key", "-out", "ca.crt");
  const names = ["-subj", "/CN=redis", "-addext", "subjectAltName=IP:127.0.0.1"];
  const issuer = ["-CA", "ca.crt", "-CAkey", "ca.key"];
  openssl("req", "-x509", ...key, ...names, ...issuer, "-keyout", "redis.key", "-out", "redis.crt");
  const [cert, certKey] = ["redis.crt", "redis.key"].map((file) => join(folder, file));
  const files = [`tls-cert-file ${cert}`, `tls-key-file ${certKey}`, `tls-ca-cert-file ${ca}`];
  return [...files, "tls-auth-clients no", "tls-replication yes"];
}

interface RedisSet {
  /** host:port of the sentinels, with commas. */
  sentinels: string;
  primary: ChildProcess;
  ask(port: number, ...command: [string, ...string[]]): Promise<unknown>;
  primaryPort: number;
  replicaPort: number;
}

/**
 * A primary, its replica and three sentinels, all with passwords; over
 * TLS where `tls` has its settings.
 */
async function startSet(start: Start, tls?: readonly string[]): Promise<RedisSet> {
  const dir = join(folder, randomUUID());
  mkdirSync(dir);
  const [primaryPort = 0, replicaPort = 0, ...sentinelPorts] = await freePorts(5);
  const listen = (port: number) => (tls ? ["port 0", `tls-port ${port}`, ...tls] : [`port ${port}`]);
  const run = async (port: number, name: string, lines: readonly string[], secret: string, ...args: string[]) => {
    const file = join(dir, `${name}.conf`);
    writeFileSync(file, [...listen(port), "bind 127.0.0.1", `dir ${dir}`, ...lines].join("\n"));
    const child = start([file, ...args]);
    open.push(async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill("SIGKILL");
        await once(child, "exit");
      }
    });
    await waitFor(async () => (await askOne(port, secret, "PING").catch(() => undefined)) === "PONG", {
      timeoutMs: 60_000,
    });
    return child;
  };
  const askOne = async (port: number, secret: string, ...[name, ...args]: [string, ...string[]]) => {
    const secure = tls ? { tls: { ca: readFileSync(ca) } } : {};
    const client = new Client({ port, host: "127.0.0.1", password: secret, retryStrategy: () => null, ...secure });
    client.on("error", () => undefined);
    try {
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  };
  const data = ['save ""', `requirepass "${password}"`, `masterauth "${password}"`];
  const primary = await run(primaryPort, "primary", data, password);
  await run(replicaPort, "replica", [...data, `replicaof 127.0.0.1 ${primaryPort}`], password);
  const watch = [
    `requirepass "${sentinelPassword}"`,
    `sentinel sentinel-pass "${sentinelPassword}"`,
    `sentinel monitor mymaster 127.0.0.1 ${primaryPort} 2`,
    `sentinel auth-pass mymaster "${password}"`,
    "sentinel down-after-milliseconds mymaster 1000",
    "sentinel failover-timeout mymaster 6000",
  ];
  for (const port of sentinelPorts) await run(port, `sentinel-${port}`, watch, sentinelPassword, "--sentinel");
  for (const port of sentinelPorts) {
    // It may elect a successor once it knows the replica and the others.
    await waitFor(
      async () => {
        const state = (await askOne(port, sentinelPassword, "SENTINEL", "MASTER", "mymaster")) as string[];
        const valueOf = (name: string) => Number(state[state.indexOf(name) + 1]);
        return valueOf("num-slaves") === 1 && valueOf("num-other-sentinels") === 2;
      },
      { timeoutMs: 60_000 },
    );
  }
  const ask = (port: number, ...command: [string, ...string[]]) => askOne(port, password, ...command);
  const sentinels = sentinelPorts.map((port) => `127.0.0.1:${port}`).join(",");
  return { sentinels, primary, ask, primaryPort, replicaPort };
}

function urlOf({ sentinels }: RedisSet, scheme: "redis" | "rediss", query: Record<string, string>): string {
  return `${scheme}+sentinel://:${encodeURIComponent(password)}@${sentinels}/mymaster?${new URLSearchParams(query).toString()}`;
}

function clientOf(url: string): Redis {
  const redis = createRedis({ url, log, commandTimeoutMs: 2_000 });
  open.push(() => redis.disconnect());
  return redis;
}

/** Writes all the time; says how many writes were answered and refused, and stops when told. */
function keepWriting(redis: Redis) {
  const count = { asked: 0, answered: 0, refused: 0, answeredInARow: 0 };
  let isOn = true;
  const done = (async () => {
    while (isOn) {
      count.asked++;
      const isAnswered = (await orWithout(() => redis.set(`key-${count.asked}`, "1", "PX", 60_000))) === "OK";
      count[isAnswered ? "answered" : "refused"]++;
      count.answeredInARow = isAnswered ? count.answeredInARow + 1 : 0;
      await pause(10);
    }
  })();
  return {
    count,
    stop: async () => {
      isOn = false;
      await done;
    },
  };
}

/** Kills the primary while commands are sent; they go on at the replica. */
async function failsOverUnderUse(set: RedisSet, url: string): Promise<void> {
  const redis = clientOf(url);
  await redisReady(redis, 30_000);
  await redis.set("before", "kept");
  await waitFor(async () => (await set.ask(set.replicaPort, "GET", "before")) === "kept", { timeoutMs: 30_000 });
  const writing = keepWriting(redis);
  await waitFor(() => writing.count.answered > 20, { timeoutMs: 30_000 });
  set.primary.kill("SIGKILL");
  await waitFor(() => writing.count.refused > 0, { timeoutMs: 60_000 });
  await waitFor(() => writing.count.answeredInARow > 50, { timeoutMs: 120_000 });
  await writing.stop();
  // Nobody was left waiting: whatever was asked was answered or refused.
  expect(writing.count.answered + writing.count.refused).toBe(writing.count.asked);
  expect(await redis.get("before")).toBe("kept");
  expect(String(await set.ask(set.replicaPort, "ROLE"))).toMatch(/^master/);
  expect(await set.ask(set.replicaPort, "GET", `key-${writing.count.asked}`)).toBe("1");
}

/** What the client says of why it has none. */
const reason = async (url: string) => {
  clientOf(url);
  await waitFor(() => errors.length > 0, { timeoutMs: 30_000 });
  return errors.join("");
};

describe("with passwords on servers and sentinels", () => {
  test("finds the primary, and its successor while commands are sent", async () => {
    const set = await startSet(
      (
        (binary) => (args) =>
          spawn(binary, args, { stdio: "ignore" })
      )(await findServer(valkeyServer)),
    );
    await failsOverUnderUse(set, urlOf(set, "redis", { sentinelPassword }));
    errors.length = 0;
    expect(await reason(urlOf(set, "redis", {}))).toMatch(/sentinels are unreachable.*NOAUTH/);
    errors.length = 0;
    expect(await reason(urlOf(set, "redis", { sentinelPassword: "wrong" }))).toMatch(/WRONGPASS/);
    expect(errors.join("")).not.toContain(encodeURIComponent(password));
  }, 300_000);
});

const server: TlsRedisServer | undefined = findTlsRedis();
const howToGetIt = "a redis-server that speaks TLS: on PATH, or the Debian packages that apt-get reaches";
const withTls = isThere(server, howToGetIt) ? describe : describe.skip;

withTls("with passwords, and TLS of a CA of one's own", () => {
  test("finds the primary, and its successor while commands are sent, and trusts that CA alone", async () => {
    const set = await startSet((args) => server!.start(args), makeCertificates());
    await failsOverUnderUse(set, urlOf(set, "rediss", { sentinelPassword, caFile: ca }));
    errors.length = 0;
    expect(await reason(urlOf(set, "rediss", { sentinelPassword }))).toMatch(/sentinels are unreachable/);
    const one = `rediss://:${encodeURIComponent(password)}@127.0.0.1:${set.replicaPort}`;
    errors.length = 0;
    expect(await reason(one)).toMatch(/self-signed certificate|unable to verify/);
    const missing = urlOf(set, "rediss", { sentinelPassword, caFile: "/nowhere/ca.crt" });
    expect(() => createRedis({ url: missing, log })).toThrow(/nowhere\/ca\.crt/);
    const alone = clientOf(`${one}?caFile=${ca}`);
    await redisReady(alone, 30_000);
    expect(await alone.get("before")).toBe("kept");
  }, 300_000);
});
