import { startEdge, type Edge } from "../../test/gateway/edge.js";
import { answerSamples, operationNamed } from "../../test/gateway/operations.js";
import { closeBlockers, type BlockingService } from "../../services/platform/closing/close-blocker-kinds.js";

let edge: Edge;
let token: string;
beforeAll(async () => {
  edge = await startEdge();
  token = await edge.token({ role: "MANAGER" });
});
beforeEach(() => answerSamples(edge));
afterAll(() => edge.stop());

const services = Object.keys(closeBlockers) as BlockingService[];
const base = "/api/v6/services/admin/books/periods";
type Blocker = { service: string; kind: string; path?: string };

const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  edge.send({
    method,
    path,
    headers: { ...operationNamed("readPeriod").request.headers, "X-Auth-Token": token, ...headers },
  });
const checklist = async (period = "2026-11"): Promise<Blocker[]> =>
  (await send("GET", `${base}/${period}`)).json.data.blockers;

/** Each service has one of each kind that it finds. */
function blockEverywhere(): string[] {
  const asked: string[] = [];
  edge.fakes.closeBlockers.listCloseBlockers = async ({ throughDate }) => {
    asked.push(throughDate);
    const kinds = [...new Set(Object.values(closeBlockers).flat())];
    return { blockers: kinds.map((kind) => ({ kind, count: 1_000, isAtLeast: true })) };
  };
  return asked;
}

test("what stands in the way of a period is asked of every service through its last day", async () => {
  const asked = blockEverywhere();
  for (const [period, through] of [
    ["2026-11-29", "2026-11-29"],
    ["2026-02", "2026-02-28"],
    ["2028-02", "2028-02-29"],
    ["2026", "2026-12-31"],
  ] as const) {
    const found = await checklist(period);
    expect([...new Set(found.map(({ service }) => service))]).toEqual(services);
    expect(asked.splice(0)).toEqual(services.map(() => through));
  }
});

test("each blocker's path answers, and lists what is missing", async () => {
  blockEverywhere();
  const asked: object[] = [];
  const noting =
    <Request extends object, Answer>(answer: ((request: Request, call: never) => Answer) | undefined) =>
    (request: Request, call: never): Answer => {
      asked.push(request);
      return answer!(request, call);
    };
  edge.fakes.settlements.listSettlements = noting(edge.fakes.settlements.listSettlements) as never;
  edge.fakes.manualJournals.listManualJournals = noting(edge.fakes.manualJournals.listManualJournals) as never;
  const own = (await checklist()).filter(({ service, kind }) =>
    (closeBlockers[service as BlockingService] as readonly string[]).includes(kind),
  );
  expect(own).toHaveLength(Object.values(closeBlockers).flat().length);
  for (const { service, kind, path } of own) {
    const answer = path === undefined ? undefined : await send("GET", path);
    expect([service, kind, path, answer?.status]).toEqual([service, kind, expect.any(String), 200]);
  }
  expect(asked).toMatchObject([{ open: true }, { open: true }]);
});

test("parked rows are shown of each service that may have some", async () => {
  const { queues } = (await send("GET", "/api/v6/services/admin/work-queues")).json.data;
  const names = queues.map(({ queue }: { queue: string }) => queue);
  expect(names).toEqual(expect.arrayContaining(services.map((service) => `${service.toUpperCase()}_ROWS_PARKED`)));
});

test.each(["2026-02-30", "2026-13", "26", "2026-1", "yesterday", "2026-11-29T00:00"])(
  "%s is no period, wherever it is named",
  async (period) => {
    const closing = { "x-idempotency-key": `close-${period}` };
    const answers = [await send("GET", `${base}/${period}`), await send("POST", `${base}/${period}/close`, closing)];
    for (const { status, json } of answers) {
      expect([status, json.code, json.errors]).toEqual([
        400,
        "INVALID_INPUT",
        [expect.objectContaining({ path: "path.period" })],
      ]);
    }
  },
);

test("the ledger is told of what others found, and of nothing that is its own", async () => {
  const told: Blocker[][] = [];
  edge.fakes.closeBlockers.listCloseBlockers = async () => ({ blockers: [{ kind: "ROWS_PARKED", count: 2 }] });
  const { closeBooks } = edge.fakes.periods;
  edge.fakes.periods.closeBooks = async (request, call) => {
    told.push(request.blockers);
    return closeBooks!(request, call);
  };
  expect((await send("POST", `${base}/2026-11-29/close`, { "x-idempotency-key": "close-1" })).status).toBe(200);
  const others = services.filter((service) => service !== "ledger");
  expect(told).toMatchObject([others.map((service) => ({ service, kind: "ROWS_PARKED", count: 2 }))]);
});

// Last: the service does not come back.
test("a service that is away keeps the books open, and is named where its work is listed", async () => {
  await edge.servers.lending.stop(0);
  const told: Blocker[][] = [];
  edge.fakes.closeBlockers.listCloseBlockers = async () => ({ blockers: [] });
  const { closeBooks } = edge.fakes.periods;
  edge.fakes.periods.closeBooks = async (request, call) => {
    told.push(request.blockers);
    return closeBooks!(request, call);
  };
  const [away, ...others] = await checklist();
  expect([away, others]).toEqual([
    { service: "lending", kind: "SERVICE_AWAY", count: 1, path: "/api/v6/services/admin/work-queues" },
    [],
  ]);
  const listed = await send("GET", away!.path!);
  expect(listed.json.data.unavailable).toContain("LENDING_ROWS_PARKED");
  await send("POST", `${base}/2026-11-29/close`, { "x-idempotency-key": "close-2" });
  expect(told).toMatchObject([[{ service: "lending", kind: "SERVICE_AWAY", count: 1 }]]);
});
