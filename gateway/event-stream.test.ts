import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import type { Readable } from "node:stream";
import { startEdge, type Edge } from "../test/gateway/edge.js";
import { answerSamples } from "../test/gateway/operations.js";
import { waitFor } from "../test/support/index.js";
import { Refusal } from "../services/kernel/refusal.js";
import { openEventStream } from "./event-stream.js";
import type { EdgeCall } from "./route.js";
import { takes } from "../test/support/time.js";

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
  const requested: { after: string; includeConfidential: boolean }[] = [];
  let next = 8;
  edge.fakes.events.readEvents = async (request) => {
    requested.push(request);
    if (requested.length > 2) await takes(200);
    next += 1;
    return requested.length > 2 ? { events: [], place: "10" } : { events: [event(next)], place: String(next) };
  };
  const stream = await open({ "Last-Event-ID": "8" });
  await waitFor(() => stream.text.includes("event-10"));
  await waitFor(() => stream.text.includes(": 10"));
  stream.close();
  expect(stream.type).toBe("text/event-stream");
  // Cut off here, it would ask for what the first read had found.
  expect(stream.text.startsWith(`retry: 1000\nid: 8\n\nid: 9\n`)).toBe(true);
  expect(stream.text).toContain(`id: 9\ndata: {"id":"event-9"}\n\nid: 10\ndata: {"id":"event-10"}\n\n`);
  expect(requested.map(({ after }) => after).slice(0, 3)).toEqual(["8", "9", "10"]);
  expect(requested[0]!.includeConfidential).toBe(true);
});

test("a token without the scope of compliance does not see what would tip off", async () => {
  const requested: boolean[] = [];
  edge.fakes.events.readEvents = async ({ includeConfidential }) => {
    requested.push(includeConfidential);
    return { events: [], place: "1" };
  };
  const stream = await open({}, "?seconds=1", { scopes: ["webhooks:manage"] });
  await waitFor(() => requested.length > 0);
  stream.close();
  expect(requested[0]).toBe(false);
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
    await takes(50);
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

describe("so many streams and no more", () => {
  const opened: Readable[] = [];
  afterEach(async () => {
    for (const stream of opened.splice(0)) stream.destroy();
    await new Promise((done) => setImmediate(done));
  });
  const read = async () => ({ events: [], place: "1" });

  async function openFor(userId: string, tenantId = "T", reads = read): Promise<Readable> {
    const user = { userId, role: "MANAGER", tenantId, sessionId: "s" };
    const call = { tenantId, interactionId: "i", signal: new AbortController().signal, user } as unknown as EdgeCall;
    const stream = await openEventStream({ read: reads, call, after: "", includeConfidential: false });
    opened.push(stream);
    return stream;
  }
  const refusalOf = (requested: Promise<unknown>) =>
    requested.then(
      () => "nothing refused",
      (error: Refusal) => `${error.code} ${error.message}`,
    );

  test("of one caller, also where they begin at the same time; one that closes makes room", async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => refusalOf(openFor("one"))));
    expect(answers.filter((one) => one === "nothing refused")).toHaveLength(10);
    expect(answers.at(-1)).toMatch(/^RATE_LIMITED you have 10 streams of events open here/);
    expect(await refusalOf(openFor("other"))).toBe("nothing refused");
    // It had not begun: its client was gone before.
    opened[0]!.destroy();
    await new Promise((done) => opened[0]!.once("close", done));
    expect(await refusalOf(openFor("one"))).toBe("nothing refused");
    expect(await refusalOf(openFor("one"))).toMatch(/^RATE_LIMITED/);
  });

  test("of one organisation; others go on", async () => {
    for (let index = 0; index < 50; index++) await openFor(`U${index % 25}`);
    expect(await refusalOf(openFor("U99"))).toMatch(/^RATE_LIMITED your organisation has 50 streams/);
    expect(await refusalOf(openFor("U99", "other"))).toBe("nothing refused");
  });

  test("one whose first read is refused takes no place", async () => {
    const refused = async () => {
      throw new Refusal("INVALID_INPUT", "is not a cursor");
    };
    for (let index = 0; index < 20; index++) {
      expect(await refusalOf(openFor("three", "T", refused))).toMatch(/^INVALID_INPUT/);
    }
  });
});
