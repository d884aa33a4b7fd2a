import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { publishedLists, type ListAge, type ReadOutboxFigures, type ScreeningFigures } from "./figures.js";

export type { ListAge, OutboxFigures, ScreeningFigures } from "./figures.js";

// From a look-up in memory to the deadline of a request.
const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What a process counts. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const httpSeconds = new Histogram({
    name: "manilla_http_request_duration_seconds",
    help: "Time from a request's arrival to its answer, by route (not by path), method and status",
    labelNames: ["route", "method", "status"] as const,
    buckets: secondsBuckets,
    registers,
  });
  const rpcSeconds = new Histogram({
    name: "manilla_rpc_duration_seconds",
    help: "Time of one rpc, at the side that serves it or the one that calls, by refusal code (OK where it succeeded)",
    labelNames: ["side", "rpc", "code"] as const,
    buckets: secondsBuckets,
    registers,
  });
  const breakerState = new Gauge({
    name: "manilla_breaker_open",
    help: "1 while calls to a service are refused at once because it was found away",
    // "service" is whose series it is: Prometheus puts that label on every one.
    labelNames: ["neighbour"] as const,
    registers,
  });
  const limited = new Counter({
    name: "manilla_rate_limited_total",
    help: "Requests refused by a rate limit, or because they could not have been finished (under_way, deadline)",
    labelNames: ["limit"] as const,
    registers,
  });
  const certificateEnds = new Gauge({
    name: "manilla_certificate_expiry_timestamp_seconds",
    help: "When the certificate that is in use ends, as Unix time, by its file (tls.crt, ca.crt)",
    labelNames: ["file"] as const,
    registers,
  });
  const clocksDiffer = new Counter({
    name: "manilla_clocks_differ_total",
    help: "Calls turned away because the caller's clock and that of this process are more than 5 s apart",
    labelNames: ["caller"] as const,
    registers,
  });
  const logLinesLost = new Counter({
    name: "manilla_log_lines_lost_total",
    help: "Lines of the log that could not be written, as on a full disk",
    registers,
  });
  const masterKeySeconds = new Histogram({
    name: "manilla_master_key_seconds",
    help: "Time of one use of the master key, by operation and result: ok, away (no answer), refused",
    labelNames: ["operation", "result"] as const,
    buckets: secondsBuckets,
    registers,
  });
  const webhookSeconds = new Histogram({
    name: "manilla_webhook_attempt_seconds",
    help: "Time of one attempt to deliver an event, by what came of it: ARRIVED, FAILED, GONE",
    labelNames: ["result"] as const,
    buckets: secondsBuckets,
    registers,
  });
  const webhooksDisabled = new Counter({
    name: "manilla_webhook_endpoints_disabled_total",
    help: "Webhook endpoints that were disabled because they failed for days, or said that they are gone",
    registers,
  });
  const messagesNotSent = new Counter({
    name: "manilla_messages_not_sent_total",
    help: "Messages to customers: tries that failed (away), those refused for good (refused), those given up (too_late)",
    labelNames: ["why"] as const,
    registers,
  });
  const listsFailed = new Counter({
    name: "manilla_screening_list_failed_total",
    help: "Loads of screening lists that failed, by source; the version that was in use stays",
    labelNames: ["source"] as const,
    registers,
  });
  const screenings = new Counter({
    name: "manilla_screenings_total",
    help: "People and companies compared with screening lists, by what caused it and what was found (NO_HIT, IN_REVIEW, ERROR)",
    labelNames: ["trigger", "status"] as const,
    registers,
  });
  const screened = new Set<() => ScreeningFigures>();
  const mostOf = (part: keyof ScreeningFigures) => Math.max(...[...screened].map((read) => read()[part]));
  new Gauge({
    name: "manilla_screening_waiting_transactions",
    help: "Transactions that wait because screening lists are not there or too old, up to 1,000",
    registers,
    collect() {
      if (screened.size > 0) this.set(mostOf("waiting"));
      else this.remove();
    },
  });
  new Gauge({
    name: "manilla_screening_subjects_behind",
    help: "People who are still to be compared with the screening lists in use, up to 10,000 of each tenant",
    registers,
    collect() {
      if (screened.size > 0) this.set(mostOf("behind"));
      else this.remove();
    },
  });
  const lists = new Set<() => readonly ListAge[]>();
  new Gauge({
    name: "manilla_screening_list_age_seconds",
    help: "Time since the operator's list was last seen to be current, by source, of live tenants and of sandboxes",
    labelNames: ["source", "tenants"] as const,
    registers,
    collect() {
      this.reset();
      for (const read of lists) {
        for (const { source, tenants, ageS } of read()) this.set({ source, tenants }, ageS);
      }
    },
  });
  new Gauge({
    name: "manilla_screening_lists_missing",
    help: "Of the four published lists, how many the operator has no version of in use, for live tenants and for sandboxes",
    labelNames: ["tenants"] as const,
    registers,
    collect() {
      this.reset();
      for (const read of lists) {
        const found = read();
        for (const tenants of ["live", "sandbox"] as const) {
          const there = found.filter((list) => list.tenants === tenants).map(({ source }) => source);
          this.set({ tenants }, publishedLists.filter((source) => !there.includes(source)).length);
        }
      }
    },
  });
  const readers = new Set<ReadOutboxFigures>();
  const accruals = new Set<() => Promise<number>>();
  const wrapped = new Set<() => Promise<number>>();
  const webhooks = new Set<() => Promise<number>>();
  const rateFeeds = new Set<() => Promise<number>>();
  new Gauge({
    name: "manilla_outbox_oldest_due_seconds",
    help: "How long the oldest row that is due waits; 0 where none does",
    registers,
    collect: async function () {
      await show(this, readers, (figures) => Math.max(...figures.map(({ oldestDueS }) => oldestDueS)));
    },
  });
  new Gauge({
    name: "manilla_outbox_parked_rows",
    help: "Rows that an operator must decide",
    registers,
    collect: async function () {
      await show(this, readers, (figures) => figures.reduce((sum, { parked }) => sum + parked, 0));
    },
  });
  const watched = (name: string, help: string, readers: ReadonlySet<() => Promise<number>>, valueOf = most) =>
    new Gauge({
      name,
      help,
      registers,
      collect: async function () {
        await show(this, readers, valueOf);
      },
    });
  watched(
    "manilla_accrual_days_behind",
    "Days since the last one whose interest is counted, of the tenant that is furthest behind",
    accruals,
  );
  watched(
    "manilla_master_key_keys_behind",
    "Keys that an older version of the master key wraps; 0 when a rotation is complete",
    wrapped,
    (counts) => counts.reduce((sum, count) => sum + count, 0),
  );
  watched(
    "manilla_webhook_oldest_due_seconds",
    "How long the endpoint waits that waits longest for a delivery which is due; 0 where none does",
    webhooks,
  );
  watched(
    "manilla_rate_sources_stale",
    "Enabled plugins for rates from which none could be read for longer than they allow",
    rateFeeds,
  );
  let withDefaults = false;

  return {
    registry,
    breakerState,
    limited,
    certificateEnds,
    clocksDiffer,
    logLinesLost,
    webhooksDisabled,
    messagesNotSent,
    request(route: string, method: string, status: number, seconds: number): void {
      httpSeconds.observe({ route, method, status: String(status) }, seconds);
    },
    rpc(side: "server" | "client", rpc: string, code: string, seconds: number): void {
      rpcSeconds.observe({ side, rpc, code }, seconds);
    },
    /** Asked at each scrape. While a look fails the gauges stay out. Returns what ends it. */
    watchOutbox(read: ReadOutboxFigures): () => void {
      readers.add(read);
      return () => void readers.delete(read);
    },
    /** The same for daily work: days that it is behind, see `daysBehind`. */
    watchAccrual(read: () => Promise<number>): () => void {
      accruals.add(read);
      return () => void accruals.delete(read);
    },
    webhook(result: string, seconds: number): void {
      webhookSeconds.observe({ result }, seconds);
    },
    /** The same for webhooks: how long the one that is latest waits, in seconds. */
    watchWebhooks(read: () => Promise<number>): () => void {
      webhooks.add(read);
      return () => void webhooks.delete(read);
    },
    /** The same for the screening lists in use. */
    watchScreeningLists(read: () => readonly ListAge[]): () => void {
      lists.add(read);
      // A first failure is an increase only where there was a zero before.
      for (const source of [...publishedLists, "CUSTOM", "PEP"]) listsFailed.inc({ source }, 0);
      return () => void lists.delete(read);
    },
    /** The same for tenants' sources of rates: how many are stale. */
    watchRateFeeds(read: () => Promise<number>): () => void {
      rateFeeds.add(read);
      return () => void rateFeeds.delete(read);
    },
    /** What waits for screening, as it was found last. */
    watchScreening(read: () => ScreeningFigures): () => void {
      screened.add(read);
      return () => void screened.delete(read);
    },
    /** People who were compared with lists. */
    screened(trigger: string, status: "NO_HIT" | "IN_REVIEW" | "ERROR", count = 1): void {
      screenings.inc({ trigger, status }, count);
    },
    screeningListFailed(source: string): void {
      listsFailed.inc({ source });
    },
    masterKey(operation: string, result: string, seconds: number): void {
      masterKeySeconds.observe({ operation, result }, seconds);
    },
    /** The same for keys that an older version of the master key wraps. */
    watchWrappedKeys(read: () => Promise<number>): () => void {
      wrapped.add(read);
      return () => void wrapped.delete(read);
    },
    /**
     * The text of a scrape. The process's own figures (memory, event loop, garbage collection)
     * begin with the first.
     */
    async text(): Promise<{ contentType: string; body: string }> {
      // A timer of 10 ms, its default, costs an idle process 6 ms of a processor each second; one
      // of 50 ms costs 1.3.
      if (!withDefaults) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
      withDefaults = true;
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
}

const most = (counts: readonly number[]) => Math.max(...counts);

async function show<Figures>(
  gauge: Gauge,
  readers: ReadonlySet<() => Promise<Figures>>,
  valueOf: (figures: Figures[]) => number,
): Promise<void> {
  gauge.reset();
  gauge.remove();
  if (readers.size === 0) return;
  const figures = await Promise.all([...readers].map((read) => read())).catch(() => undefined);
  if (figures) gauge.set(valueOf(figures));
}

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Figures of this process, as its log and its environment are: what counts and what shows them are
 * far apart.
 */
export const processMetrics = createMetrics();
