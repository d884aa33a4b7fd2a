import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { freePort } from "../../deploy/local/ports.js";
import { waitFor } from "./index.js";
import { noFault, startFaultProxy, type FaultProxy } from "./fault-proxy.js";
import { nothingFor } from "./time.js";

let server: Server;
let proxy: FaultProxy;
let accepted: Socket[];

beforeEach(async () => {
  accepted = [];
  server = createServer((socket) => {
    accepted.push(socket);
    socket.on("error", () => undefined);
    socket.pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  proxy = await startFaultProxy(`127.0.0.1:${(server.address() as AddressInfo).port}`);
});

afterEach(async () => {
  await proxy.close();
  for (const socket of accepted) socket.destroy();
  server.close();
});

/** A client that keeps what it hears and how it ended. */
async function open() {
  const [host, port] = proxy.address.split(":");
  const socket = connect({ host: host!, port: Number(port) });
  let heard = "";
  let end: string | undefined;
  socket.setEncoding("utf8").on("data", (text: string) => (heard += text));
  socket.on("error", (error: NodeJS.ErrnoException) => (end = error.code));
  socket.on("close", () => (end ??= "closed"));
  await once(socket, "connect");
  const hears = (text: string) => waitFor(() => heard === text, { what: `hearing ${text}` });
  return {
    say: (text: string) => void socket.write(text),
    hears,
    heard: () => heard,
    end: () => end,
    ends: () => waitFor(() => end, { what: "the end of the connection" }),
    close: () => socket.destroy(),
  };
}

test("passes bytes on in both directions, and an end of file", async () => {
  const client = await open();
  client.say("hello");
  await client.hears("hello");
  expect(proxy.connections().map(({ id, passed }) => ({ id, ...passed }))).toEqual([
    { id: 1, requests: 5, answers: 5 },
  ]);
  accepted[0]!.end("bye");
  await client.hears("hellobye");
  await client.ends();
  await waitFor(() => proxy.connections().length === 0);
});

test("delays what passes, in order, and stops when told", async () => {
  const client = await open();
  proxy.set({ kind: "latency", ms: 150, jitterMs: 50 });
  const startedAt = performance.now();
  for (const part of "abcdef") client.say(part);
  await client.hears("abcdef");
  // There and back.
  expect(performance.now() - startedAt).toBeGreaterThan(295);
  client.say("g");
  proxy.set(noFault);
  const healedAt = performance.now();
  await client.hears("abcdefg");
  expect(performance.now() - healedAt).toBeLessThan(140);
});

test("resets the connections that are open and those that come, until it is over", async () => {
  const before = await open();
  before.say("x");
  await before.hears("x");
  proxy.set({ kind: "reset" });
  expect(await before.ends()).toBe("ECONNRESET");
  await waitFor(() => accepted[0]!.destroyed);
  const during = await open().then(
    (client) => client.ends(),
    (error: NodeJS.ErrnoException) => error.code,
  );
  expect(during).toMatch(/ECONNRESET|closed/);
  proxy.set(noFault);
  const after = await open();
  after.say("y");
  await after.hears("y");
});

test("swallows everything as a partition would, and delivers it when that is over", async () => {
  const client = await open();
  client.say("1");
  await client.hears("1");
  proxy.set({ kind: "black-hole" });
  client.say("2");
  const late = await open();
  late.say("3");
  await nothingFor(150);
  expect([client.heard(), late.heard(), client.end(), late.end()]).toEqual(["1", "", undefined, undefined]);
  proxy.set(noFault);
  await client.hears("12");
  await late.hears("3");
});

test("cuts an answer after so many bytes", async () => {
  const client = await open();
  client.say("whole ");
  await client.hears("whole ");
  proxy.set({ kind: "cut", afterBytes: 4 });
  client.say("answer");
  await client.hears("whole answ");
  await client.ends();
  expect(client.heard()).toBe("whole answ");
  await waitFor(() => accepted[0]!.destroyed);
});

test("treats one connection apart from the others, chosen when it is made or later", async () => {
  proxy.forNew((id) => (id === 2 ? { kind: "cut", afterBytes: 1 } : undefined));
  const [one, two, three] = [await open(), await open(), await open()];
  await waitFor(() => proxy.connections().length === 3);
  proxy.connections()[2]!.set({ kind: "black-hole" });
  for (const client of [one, two, three]) client.say("ok");
  await one.hears("ok");
  await two.hears("o");
  await two.ends();
  await nothingFor(50);
  expect(three.heard()).toBe("");
  expect(proxy.made()).toBe(3);
});

test("ends a connection whose target is away, and reaches a target that comes back on its port", async () => {
  const port = await freePort();
  await proxy.close();
  proxy = await startFaultProxy(`127.0.0.1:${port}`);
  const early = await open();
  await early.ends();
  const back = createServer((socket) => socket.pipe(socket)).listen(port, "127.0.0.1");
  await once(back, "listening");
  const client = await open();
  client.say("again");
  await client.hears("again");
  client.close();
  back.close();
});

test("carries more than it may hold at once", async () => {
  proxy.set({ kind: "latency", ms: 5 });
  const client = await open();
  const text = "0123456789".repeat(500_000);
  client.say(text);
  await waitFor(() => client.heard().length === text.length, { timeoutMs: 20_000 });
  expect(client.heard() === text).toBe(true);
});
