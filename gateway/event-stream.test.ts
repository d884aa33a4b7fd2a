import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { startEdge, type Edge } from "../test/gateway/edge.js";
import { answerSamples } from "../test/gateway/operations.js";
import { waitFor } from "../test/support/index.js";
import { Refusal } from "../services/shared/refusal.js";

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge();
});
beforeEach(() => answerSamples(edge));
afterAll(() => edge.stop());

const path = "/api/v6/services/admin/events/stream";
const event = (place: number) => ({
  eventId: `event-${place}`,
  type: "transaction.paid",
  occurredAt: new Date(),
  subjectType: "transaction",
  subjectId: "T1",
  sequence: BigInt(place),
  interactionId: "i",
  body: `{"id":"event-${place}"}`,
  place: String(place),
});

/** Opens a stream; its text as it comes. */
async function open(headers: Record<string, string> = {}, query = "", claims: object = {}) {
  const token = await edge.token({ role: "MANAGER", userId: randomUUID(), ...claims });
  const stream = { text: "", status: 0, type: "", isOver: false, close: () => undefined as unknown };
  const request = httpRequest({
    port: edge.port,
    host: "127.0.0.1",
    path: path + query,
    agent: false,
    headers: { Host: "demo.test", "X-Auth-Token": token, ...headers },
  });
  stream.close = () => request.destroy();
  request.on("error", () => (stream.isOver = true));
  request.on("response", (response) => {
    stream.status = response.statusCode ?? 0;
    stream.type = response.headers["content-type"] ?? "";
    response.on("data", (chunk: Buffer) => (stream.text += chunk.toString()));
    response.on("close", () => (stream.isOver = true));
    response.on("error", () => (stream.isOver = true));
  });
  request.end();
  await waitFor(() => stream.status !== 0);
  return stream;
}

test("events come as they are kept, behind the last id that was seen", async () => {
  const asked: { after: string; includeConfidential: boolean }[] = [];
  let next = 8;
  edge.fakes.events.readEvents = async (request) => {
    asked.push(request);
    if (asked.length > 2) await new Promise((resolve) => setTimeout(resolve, 200));
    next += 1;
    return asked.length > 2 ? { events: [], place: "10" } : { events: [event(next)], place: String(next) };
  };
  const stream = await open({ "Last-Event-ID": "8" });
  await waitFor(() => stream.text.includes("event-10"));
  await waitFor(() => stream.text.includes(": 10"));
  stream.close();
  expect(stream.type).toBe("text/event-stream");
  // Cut off here, it would ask for what the first read had found.
  expect(stream.text.startsWith(`retry: 1000\nid: 8\n\nid: 9\n`)).toBe(true);
  expect(stream.text).toContain(`id: 9\ndata: {"id":"event-9"}\n\nid: 10\ndata: {"id":"event-10"}\n\n`);
  expect(asked.map(({ after }) => after).slice(0, 3)).toEqual(["8", "9", "10"]);
  expect(asked[0]!.includeConfidential).toBe(true);
});

test("a token without the scope of compliance does not see what would tip off", async () => {
  const asked: boolean[] = [];
  edge.fakes.events.readEvents = async ({ includeConfidential }) => {
    asked.push(includeConfidential);
    return { events: [], place: "1" };
  };
  const stream = await open({}, "?seconds=1", { scopes: ["webhooks:manage"] });
  await waitFor(() => asked.length > 0);
  stream.close();
  expect(asked[0]).toBe(false);
});

test("while events is away the stream waits, and it ends with its token, its time and its gateway", async () => {
  let count = 0;
  edge.fakes.events.readEvents = async () => {
    count += 1;
    if (count === 2) throw new Refusal("UNAVAILABLE", "away");
    if (count === 4) throw new Refusal("TOKEN_EXPIRED", "over");
    return { events: count === 3 ? [event(5)] : [], place: "5" };
  };
  const stream = await open();
  await waitFor(() => stream.isOver, { timeoutMs: 10_000 });
  expect(stream.text).toContain("event-5");
  edge.fakes.events.readEvents = async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { events: [], place: "5" };
  };
  const short = await open({}, "?seconds=1");
  await waitFor(() => short.isOver, { timeoutMs: 5_000 });
  expect(short.status).toBe(200);
});

test("what the first read refuses is an answer as any other", async () => {
  edge.fakes.events.readEvents = async () => {
    throw new Refusal("INVALID_INPUT", "after: is not a cursor", {
      errors: [{ path: "after", message: "is not a cursor" }],
    });
  };
  const token = await edge.token({ role: "MANAGER" });
  const refused = await edge.send({ path, headers: { "X-Auth-Token": token, "Last-Event-ID": "x" } });
  expect(refused.status).toBe(400);
  expect(refused.json).toMatchObject({ code: "INVALID_INPUT", errors: [{ path: "headers.last-event-id" }] });
  const agent = await edge.token({ role: "AGENT" });
  expect((await edge.send({ path, headers: { "X-Auth-Token": agent } })).status).toBe(403);
});

test("a caller, and an organisation, have so many streams and no more; one that closes makes room", async () => {
  let waiting = 0;
  edge.fakes.events.readEvents = async ({ waitMs }) => {
    if (waitMs > 0) {
      waiting += 1;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    return { events: [], place: "1" };
  };
  const refusalOf = async (userId: string) => {
    const token = await edge.token({ role: "MANAGER", userId });
    return edge.send({ path: `${path}?seconds=1`, headers: { "X-Auth-Token": token } });
  };
  const [one, other] = [randomUUID(), randomUUID()];
  // At the same time: none of them sees the others begin.
  const streams = await Promise.all(Array.from({ length: 11 }, () => open({}, "", { userId: one })));
  expect(streams.filter(({ status }) => status === 200)).toHaveLength(10);
  const refused = await refusalOf(one);
  expect(refused.status).toBe(429);
  expect(refused.json).toMatchObject({ code: "RATE_LIMITED", message: expect.stringMatching(/you have 10 streams/) });
  expect((await open({}, "?seconds=1", { userId: other })).status).toBe(200);
  for (const stream of streams) stream.close();
  await waitFor(async () => (await refusalOf(one)).status === 200, { timeoutMs: 15_000 });
  const many = await Promise.all(Array.from({ length: 60 }, (_, index) => open({}, "", { userId: `U${index % 12}` })));
  const served = many.filter(({ status }) => status === 200);
  expect(served.length).toBeLessThanOrEqual(50);
  const third = await refusalOf(randomUUID());
  expect(third.json).toMatchObject({
    code: "RATE_LIMITED",
    message: expect.stringMatching(/your organisation has 50/),
  });
  for (const stream of many) stream.close();
  expect(waiting).toBeGreaterThan(0);
}, 60_000);
