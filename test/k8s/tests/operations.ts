import { until } from "../cluster.js";
import { grpcServices, prefixOf, processes } from "../release.js";
import { check } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";

const tenant = "demo";
const reconciled = ["wallet", "lending", "investment"] as const;

/** What the runbooks tell operators to do, done. */
export function operationTests(suite: Suite): TestOf[] {
  const { namespace } = suite.release;
  return [
    {
      name: "operators' tools work where the runbooks say: parked rows, reconciliations, any rpc, tenants",
      async run() {
        const parked = await operate(suite, "ops.js", "outbox", "list");
        check(/no rows are PARKED/.test(parked), `outbox list said ${parked}`);
        const books = await reconcileAll(suite);
        const rpc = await operate(suite, "rpc.js", "LedgerService/GetTrialBalance", "{}", "--tenant", tenant);
        check(/"currency": "USD"/.test(rpc), `rpc said ${rpc.slice(0, 500)}`);
        const tenants = await operate(suite, "admin.js", "tenant", "list");
        check(tenants.includes(tenant), `tenant list said ${tenants}`);
        return books.join("; ");
      },
    },
    {
      name: "the nightly verification recomputes the ledger's chain and balances",
      run: () => verifyLedger(suite),
    },
    {
      name: "every pod counts what the alerts watch, and nothing is late, parked or behind",
      async run() {
        const pods = (await namespace.pods()).filter(({ component }) => processes.includes(component));
        const figures = new Map<string, number[]>();
        for (const { name: pod, component } of pods) {
          const text = await namespace.run(["get", "--raw", metricsPath(suite.release.name, pod)]);
          check(
            /^manilla_(rpc|http_request)_duration_seconds_bucket\{/m.test(text),
            `${pod} (${component}) counts no requests`,
          );
          for (const [, name = "", value] of text.matchAll(/^(manilla_(?:outbox|accrual)_\w+) (\S+)$/gm)) {
            const key = `${component} ${name}`;
            figures.set(key, [...(figures.get(key) ?? []), Number(value)]);
          }
        }
        const withOutbox = grpcServices.filter((service) => service !== "ledger");
        for (const service of withOutbox) {
          expectAtMost(figures, `${service} manilla_outbox_parked_rows`, 0);
          expectAtMost(figures, `${service} manilla_outbox_oldest_due_seconds`, 60);
        }
        for (const service of ["lending", "investment"])
          expectAtMost(figures, `${service} manilla_accrual_days_behind`, 1);
        return `${pods.length} pods`;
      },
    },
  ];
}

function expectAtMost(figures: ReadonlyMap<string, number[]>, name: string, most: number): void {
  const found = figures.get(name) ?? [];
  check(found.length > 0, `nobody tells ${name}`);
  check(Math.max(...found) <= most, `${name} is ${Math.max(...found)}`);
}

export function metricsPath(namespace: string, pod: string): string {
  return `/api/v1/namespaces/${namespace}/pods/${pod}:9092/proxy/metrics`;
}

/**
 * Runs one of the operators' tools in their pod; its output. Throws where it ends with another
 * status than 0.
 */
export async function operate({ release }: Suite, tool: string, ...args: string[]): Promise<string> {
  const { namespace, name } = release;
  await namespace.rolledOut("operator");
  const node = ["node", `dist/deploy/cli/${tool}`, ...args];
  return namespace.run(["exec", `deploy/${prefixOf(name)}-operator`, "--", ...node]);
}

/** Holds each service's books against the ledger, as soon as nothing is under way. */
export async function reconcileAll(suite: Suite): Promise<string[]> {
  const found: string[] = [];
  for (const service of reconciled) {
    const said = await until(`${service} to agree with the ledger`, 120_000, async () => {
      const text = await operate(suite, "ops.js", "reconcile", service, "--tenant", tenant);
      return /under way/.test(text) ? undefined : text;
    });
    check(/ 0 differences/.test(said), `${service}: ${said}`);
    found.push(`${service}: ${said.trim()}`);
  }
  return found;
}

/** Runs the chart's CronJob of verification now; what it says. */
export async function verifyLedger({ release: { namespace, name } }: Suite): Promise<string> {
  const job = "verify-now";
  await namespace.run(["delete", "job", job, "--ignore-not-found", "--wait=true"]);
  await namespace.run(["create", "job", job, `--from=cronjob/${prefixOf(name)}-ledger-verify`]);
  const ended = await until("the verification", 300_000, async () => {
    const { status } = await namespace.json<{ status: { succeeded?: number; failed?: number } }>(["get", "job", job]);
    if (status.succeeded === 1) return "succeeded";
    return (status.failed ?? 0) > 0 ? "failed" : undefined;
  });
  const log = await namespace.run(["logs", `job/${job}`]);
  await namespace.run(["delete", "job", job, "--wait=true"]);
  check(ended === "succeeded" && /all fit/.test(log), `it ${ended}: ${log}`);
  return log.trim().split("\n").at(-1) ?? "";
}
