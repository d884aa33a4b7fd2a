import { randomUUID } from "node:crypto";
import { connect, createServer, type Server, type Socket } from "node:net";
import { pino } from "pino";
import { testRedis, testRedisUrl, waitFor } from "../../../test/support/index.js";
import { createRedis, orWithout, redisReady, type Redis } from "./redis.js";

const lines: { level: number; msg: string }[] = [];
const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line) as never) });
const open: { close(): unknown }[] = [];
const client = (url: string): Redis => {
  const redis = createRedis({ url, log });
  open.push({ close: () => redis.disconnect() });
  return redis;
};
beforeEach(() => void (lines.length = 0));
afterEach(() => open.splice(0).forEach(({ close }) => close()));

test("answers within the run's Redis", async () => {
  const redis = await testRedis();
  open.push({ close: () => redis.disconnect() });
  const key = randomUUID();
  expect(await redis.set(key, "1", "PX", 1_000)).toBe("OK");
  expect(await redis.get(key)).toBe("1");
});

test("sends what is asked in one turn in one write, and each has its own answer", async () => {
  const redis = client(testRedisUrl());
  await redisReady(redis);
  const stream = redis.stream as Socket;
  let writes = 0;
  for (const name of ["_write", "_writev"] as const) {
    const own = stream[name]!.bind(stream) as (...args: unknown[]) => void;
    const counted = (...args: unknown[]) => {
      writes += 1;
      own(...args);
    };
    Object.assign(stream, { [name]: counted });
  }
  const keys = Array.from({ length: 20 }, () => randomUUID());
  const sets = keys.map((key) => redis.set(key, key, "PX", 5_000));
  const wrong = redis.eval("return redis.call('INCR', KEYS[1])", 1, keys[0]!);
  await expect(Promise.allSettled([wrong, redis.get(keys[1]!)])).resolves.toMatchObject([
    { status: "rejected" },
    { status: "fulfilled", value: keys[1] },
  ]);
  expect(await Promise.all(sets)).toEqual(keys.map(() => "OK"));
  expect(writes).toBe(1);
});

test("fails at once while Redis is away, says so once, and never throws on its own", async () => {
  const redis = client("redis://127.0.0.1:1");
  await waitFor(() => lines.length > 0);
  const startedAt = performance.now();
  await expect(redis.get("x")).rejects.toThrow();
  expect(await orWithout(() => redis.get("x"))).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(100);
  await waitFor(() => redis.status === "reconnecting");
  expect(lines.map(({ msg }) => msg)).toEqual(["Redis is away"]);
});

describe("behind a line that can be cut", () => {
  let server: Server;
  let sockets: Socket[];
  let isMute: boolean;
  let port: number;
  const listen = async () => {
    const target = new URL(testRedisUrl());
    server = createServer((socket) => {
      sockets.push(socket);
      const redis = connect(Number(target.port), target.hostname);
      sockets.push(redis);
      socket.on("data", (chunk) => void (isMute || redis.write(chunk)));
      redis.on("data", (chunk) => void (isMute || socket.write(chunk)));
      for (const end of [socket, redis]) end.on("error", () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    port = (server.address() as { port: number }).port;
  };
  const cut = async () => {
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  };
  beforeEach(async () => {
    [sockets, isMute, port] = [[], false, 0];
    await listen();
  });
  afterEach(cut);

  test("gives up after 200 ms when Redis is mute", async () => {
    const redis = client(`redis://127.0.0.1:${port}`);
    await redisReady(redis);
    isMute = true;
    const startedAt = performance.now();
    await expect(redis.get("x")).rejects.toThrow(/timed out/);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test("comes back by itself", async () => {
    const redis = client(`redis://127.0.0.1:${port}`);
    await redisReady(redis);
    await cut();
    await waitFor(() => lines.some(({ msg }) => msg === "Redis is away"));
    await expect(redis.ping()).rejects.toThrow();
    await listen();
    expect(await waitFor(() => orWithout(() => redis.ping()))).toBe("PONG");
    await waitFor(() => lines.some(({ msg }) => msg === "Redis is back"));
  });
});
