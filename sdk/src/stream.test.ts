import { serve, refusal, type Handler, type TestServer } from "../test/server.js";
import { ConnectionError, ServerError } from "./index.js";
import { settingsOf } from "./options.js";
import { eventsOf, pause, pauseAfter, pauseAsked } from "./stream.js";
import { Transport, type Request } from "./transport.js";

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const patience = { firstPauseMs: 1, longestPauseMs: 2, silenceMs: 50 };
const type = { "content-type": "text/event-stream" };
const event = (number: number) => `id: ${number}\ndata: {"id":"e-${number}"}\n\n`;

async function streamOf(handler: Handler, options: Request["options"] = {}, isBounded = false) {
  server = await serve(handler);
  const credentials = { apiToken: "t-secret" };
  const transport = new Transport(settingsOf({ baseUrl: server.baseUrl, credentials, retries: 0 }));
  const operation = { method: "GET", path: "/stream", stream: true, types: ["text/event-stream"] } as const;
  const request: Request = { name: "events.stream", operation, path: "/stream", body: undefined, options };
  return eventsOf(transport, request, isBounded, patience);
}

async function idsOf(stream: AsyncGenerator<unknown>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const one of stream) if (ids.push((one as { id: string }).id) >= count) break;
  return ids;
}

test("goes on from the last id after a silence, a break, an absence and a proxy's page", async () => {
  const replies: ReturnType<Handler>[] = [
    { headers: type, body: event(1), stays: true },
    { headers: type, body: event(2) + event(3), cut: true },
    { breaks: true },
    refusal(503, "UNAVAILABLE", { "retry-after": "0" }),
    refusal(429, "RATE_LIMITED", { "retry-after": "0" }),
    { status: 502, headers: { "content-type": "text/html" }, body: "<html>" },
    { headers: type, body: event(3) },
  ];
  const stream = await streamOf((_one, count) => replies[count - 1]!);
  expect(await idsOf(stream, 3)).toEqual(["e-1", "e-2", "e-3"]);
  const requested = server!.received.map(({ headers }) => headers["last-event-id"]);
  expect(requested).toEqual([undefined, "1", "2", "2", "2", "2", "2"]);
});

test("throws what the first connection meets, and what no waiting mends later on", async () => {
  await expect(idsOf(await streamOf(() => ({ breaks: true })), 1)).rejects.toThrow(ConnectionError);
  await server!.close();
  await expect(idsOf(await streamOf(() => refusal(503, "UNAVAILABLE")), 1)).rejects.toThrow(ServerError);
  await server!.close();
  const stream = await streamOf((_one, count) =>
    count === 1 ? { headers: type, body: event(1) } : refusal(403, "FORBIDDEN"),
  );
  await expect(idsOf(stream, 2)).rejects.toMatchObject({ status: 403 });
  await server!.close();
  const page = await streamOf(() => ({ headers: { "content-type": "text/html" }, body: "<html>" }));
  await expect(idsOf(page, 1)).rejects.toMatchObject({ status: 200, code: "UNEXPECTED_ANSWER" });
});

test("ends with its signal while it waits for something to come", async () => {
  const ending = new AbortController();
  const stream = await streamOf(() => ({ headers: type, body: event(1), stays: true }), { signal: ending.signal });
  await stream.next();
  const next = stream.next();
  ending.abort(new Error("enough"));
  await expect(next).rejects.toThrow("enough");
});

test.each(["cut", "stays"] as const)("a stream for a time of which a part comes (%s) throws after it", async (how) => {
  const reply = { headers: type, body: event(1) + event(2), [how]: true };
  const stream = await streamOf(() => reply, {}, true);
  const ids: string[] = [];
  const read = async () => {
    for await (const one of stream) ids.push((one as { id: string }).id);
  };
  await expect(read()).rejects.toThrow(ConnectionError);
  expect(ids).toEqual(how === "cut" ? ["e-1"] : ["e-1", "e-2"]);
  expect(server!.received).toHaveLength(1);
});

test("a stream for a time ends as its server ends it", async () => {
  expect(await idsOf(await streamOf(() => ({ headers: type, body: event(1) }), {}, true), 9)).toEqual(["e-1"]);
});

test("a pause ends with its signal and leaves no timer, and none is longer than 300 s", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  const ending = new AbortController();
  const waiting = pause(ending.signal, 300_000);
  expect(timers()).toBe(before + 1);
  ending.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  expect(timers()).toBe(before);
  expect([undefined, 7, 86_400].map(pauseAsked)).toEqual([0, 7_000, 300_000]);
});

test("pauses double up to half a minute, and half of each is by chance", () => {
  const all = [0, 1, 2, 3, 4, 5, 6, 60].map((breaks) => [breaks, pauseAfter(breaks)] as const);
  for (const [breaks, pauseMs] of all) {
    const full = Math.min(30_000, 1_000 * 2 ** breaks);
    expect(pauseMs).toBeGreaterThanOrEqual(full / 2);
    expect(pauseMs).toBeLessThanOrEqual(full);
  }
});
