import { request as httpRequest, Agent } from "node:http";
import { createInterface } from "node:readline";

/**
 * A client outside the cluster: reads orders from standard input, one JSON object a line, and
 * answers each by its id. Runs as a process of its own, since only that may stand where clients
 * stand.
 */
export interface Order {
  id: number;
  kind: "send" | "load" | "stop";
  base?: string;
  request?: OutsideRequest;
  /**
   * `fresh`: a connection for each request, as many clients have, instead of some that are kept.
   */
  load?: { requests: OutsideRequest[]; perSecond: number; fresh?: boolean };
}

export interface OutsideRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** `{{n}}` is replaced by a number that never comes twice. */
  body?: string;
  /** Statuses that count as answered well; 200 when absent. */
  expect?: number[];
}

export interface OutsideAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export interface LoadReport {
  sent: number;
  failed: { at: string; request: string; what: string }[];
  failures: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

const keeping = new Agent({ keepAlive: true, maxSockets: 64 });
const leaving = new Agent({ keepAlive: false });
let counter = Date.now() * 1_000;

function send(
  base: string,
  { method, path, headers, body }: OutsideRequest,
  agent: Agent = keeping,
): Promise<OutsideAnswer> {
  const unique = String(counter++);
  const fill = (text: string) => text.replaceAll("{{n}}", unique);
  const { hostname, port } = new URL(base);
  const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      { agent, hostname, port, method, path: fill(path), headers: filled, timeout: 30_000 },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString("utf8"),
          }),
        );
      },
    );
    call.on("timeout", () => call.destroy(new Error("no answer within 30 s")));
    call.on("error", reject);
    call.end(body === undefined ? undefined : fill(body));
  });
}

/** Sends on a fixed beat, however long answers take, until it is stopped. Nothing is sent twice. */
function startLoad(base: string, { requests, perSecond, fresh = false }: NonNullable<Order["load"]>) {
  const startedAt = performance.now();
  const report: LoadReport = { sent: 0, failed: [], failures: 0, seconds: 0, p50Ms: 0, p99Ms: 0, maxMs: 0 };
  const times: number[] = [];
  const running = new Set<Promise<void>>();

  async function one(request: OutsideRequest): Promise<void> {
    const begunAt = performance.now();
    let what: string | undefined;
    try {
      const { status, text } = await send(base, request, fresh ? leaving : keeping);
      if (!(request.expect ?? [200]).includes(status)) what = `${status} ${text.slice(0, 200)}`;
    } catch (error) {
      what = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    }
    times.push(performance.now() - begunAt);
    if (what === undefined) return;
    report.failures++;
    const at = new Date().toISOString();
    if (report.failed.length < 30) report.failed.push({ at, request: `${request.method} ${request.path}`, what });
  }

  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond);
    while (report.sent < due) {
      const work = one(requests[report.sent % requests.length] as OutsideRequest);
      report.sent++;
      running.add(work);
      void work.finally(() => running.delete(work));
    }
  }, 5);

  return async (): Promise<LoadReport> => {
    clearInterval(timer);
    await Promise.all(running);
    times.sort((one, other) => one - other);
    const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
    report.seconds = Math.round((performance.now() - startedAt) / 1_000);
    return { ...report, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
  };
}

let stopLoad: (() => Promise<LoadReport>) | undefined;

async function obey(order: Order): Promise<unknown> {
  if (order.kind === "send") return send(order.base ?? "", order.request as OutsideRequest);
  if (order.kind === "load") {
    stopLoad = startLoad(order.base ?? "", order.load ?? { requests: [], perSecond: 1 });
    return {};
  }
  const report = await stopLoad?.();
  stopLoad = undefined;
  return report;
}

if (process.argv[2] === "outside") {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const order = JSON.parse(line) as Order;
    const answer = (content: object) => process.stdout.write(`${JSON.stringify({ id: order.id, ...content })}\n`);
    obey(order).then(
      (value) => answer({ value }),
      (error: NodeJS.ErrnoException) => answer({ error: error.code ?? error.message }),
    );
  });
  process.stdin.on("end", () => process.exit(0));
}
