// `npm run bench:rescreen`: customers compared with what a new version of a list has added,
// beside checks of transactions.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { startMongo } from "../../../deploy/local/servers.js";
import { createCustomers } from "../../../services/compliance/decisions/checks/customers.js";
import { createChecks } from "../../../services/compliance/decisions/checks/index.js";
import { preferenceOf } from "../../../services/compliance/decisions/clients/preferences.js";
import { newCustomer } from "../../../services/compliance/decisions/domain/customer.js";
import { defaultRiskModel } from "../../../services/compliance/decisions/domain/risk-model.js";
import { operatorsLists } from "../../../services/compliance/lists/domain/list-owner.js";
import { shippedThreshold } from "../../../services/compliance/lists/domain/matcher/index.js";
import { platformPolicy } from "../../../services/compliance/screening/domain/policy.js";
import { customerSubject } from "../../../services/compliance/common/domain/subject.js";
import { createPutHold } from "../../../services/compliance/decisions/checks/put-hold.js";
import { createComparing } from "../../../services/compliance/screening/engine/comparing.js";
import { requestLoad } from "../../../services/compliance/lists/loading/request-load.js";
import { buildListIndex } from "../../../services/compliance/lists/loading/build-index.js";
import { leaseMs, loadList } from "../../../services/compliance/lists/loading/load-list.js";
import { createListSnapshots } from "../../../services/compliance/lists/loading/snapshots.js";
import { keepFile } from "../../../services/compliance/lists/loading/uploads.js";
import { createComplianceStore } from "../../../services/compliance/decisions/store/index.js";
import { migrations } from "../../../services/compliance/store/migrations.js";
import { createPolicyVersions } from "../../../services/compliance/decisions/store/policy-versions.js";
import { createScreeningCipher } from "../../../services/compliance/screening/store/screening-cipher.js";
import { createExemptionStore } from "../../../services/compliance/screening/store/screening-exemptions.js";
import { createScreeningListStore } from "../../../services/compliance/lists/store/screening-lists.js";
import { createScreeningPolicyStore } from "../../../services/compliance/screening/store/screening-policies.js";
import { createScreeningPolicyVersions } from "../../../services/compliance/screening/store/screening-policy-versions.js";
import { createScreeningSubjectStore } from "../../../services/compliance/screening/store/screening-subjects.js";
import { createScreeningStore } from "../../../services/compliance/screening/store/screenings.js";
import { createBusinessClock } from "../../../services/platform/preferences/business-clock.js";
import { systemClock } from "../../../services/kernel/time/clock.js";
import { createDataKeys } from "../../../services/kernel/keys/data-keys.js";
import { createLocalKey } from "../../../services/kernel/keys/file-keys.js";
import { openDatabase } from "../../../services/kernel/mongo/open-database.js";
import { createOutbox } from "../../../services/kernel/outbox/index.js";
import { madeUpName, madeUpPerson } from "./made-up.js";

const quick = process.argv.includes("--quick");
const people = quick ? 10_000 : 100_000;
const listed = quick ? 5_000 : 46_000;
const added = 500;
/** Of the added ones, customers. */
const found = 20;
const clients = 16;
const tenantId = "bench";
const origin = { tenantId, interactionId: "bench", actor: "bench" };
const usd = (minor: bigint) => ({ minor, currency: "USD" });
const log = pino({ level: "silent" });

const dir = mkdtempSync(join(tmpdir(), "manilla-bench-rescreen-"));
const server = await startMongo({ dir });
const { db, close } = await openDatabase({ MONGODB_URI: server.uri, MONGODB_DATABASE: "bench" }, { migrations, log });
try {
  const outbox = createOutbox({ db, clock: systemClock, log, service: "compliance" });
  const wrapper = createLocalKey(randomBytes(32));
  const dataKeys = createDataKeys({ db, wrapper, service: "compliance", purpose: "screening" });
  const screeningCipher = createScreeningCipher(db, dataKeys);
  const store = createComplianceStore(db, screeningCipher);
  const subjects = createScreeningSubjectStore(db, screeningCipher);
  const screenings = createScreeningStore(db, screeningCipher);
  const exemptions = createExemptionStore(db, screeningCipher);
  const screeningPolicies = createScreeningPolicyStore(db, { threshold: shippedThreshold });
  const screeningPolicyVersions = createScreeningPolicyVersions(screeningPolicies);
  const listStore = createScreeningListStore(db);
  const snapshots = createListSnapshots({ store: listStore, buildIndex: buildListIndex });
  const identity = { getTenantClock: async () => ({ clock: { timeZone: "UTC", offsetMs: 0n } }) } as never;
  const times = createBusinessClock({ identity, clock: systemClock });
  const lists = { store: listStore, snapshots };
  const stores = { store, subjects, screenings, exemptions, screeningCipher, screeningPolicyVersions };
  const { engine, screening, rescreen } = createComparing({
    ...stores,
    lists,
    outbox,
    times,
    log,
    putHold: createPutHold({ store, outbox }),
  });
  const policies = createPolicyVersions();
  const customers = createCustomers({ store, policies, outbox, times });
  const preferences = { of: async () => preferenceOf(undefined) };
  const checks = createChecks({
    store,
    policies,
    people: {} as never,
    customers,
    outbox,
    times,
    preferences,
    screening,
  });

  const policy = { ...platformPolicy(shippedThreshold), version: 1, lists: ["CUSTOM"] as const };
  await write((session) => screeningPolicies.forTenant(tenantId).insert(policy, session));
  await load(Array.from({ length: listed }, (_, at) => madeUpName(10_000_000 + at)));
  await snapshots.refresh();
  await fill();
  await openTraffic();
  const quiet = await traffic(() => sleep(quick ? 2_000 : 10_000));

  const names = Array.from({ length: added }, (_, at) => madeUpName(at < found ? at : 20_000_000 + at));
  await load([...Array.from({ length: listed }, (_, at) => madeUpName(10_000_000 + at)), ...names]);
  let tookS = 0;
  let cpuS = 0;
  const beside = await traffic(async () => {
    const began = performance.now();
    const before = process.cpuUsage();
    await rescreen(origin, new AbortController().signal);
    tookS = (performance.now() - began) / 1_000;
    const { user, system } = process.cpuUsage(before);
    cpuS = (user + system) / 1_000_000;
  });
  const { basis } = engine.comparisonOf(tenantId, await screeningPolicyVersions.current(tenantId));
  const left = await subjects.forTenant(tenantId).countDue(basis, undefined, people);
  const hits = await screenings.forTenant(tenantId).list({ trigger: "LIST_UPDATED" }, { limit: 1_000 });
  const expected = new Set(Array.from({ length: found }, (_, at) => `p-${at}`));
  const missed = [...expected].filter((id) => !hits.some(({ subject }) => subject.id === id));
  if (left > 0 || missed.length > 0) throw new Error(`${left} are left and ${missed.join(", ")} not found`);
  report({ tookS, cpuS }, hits.length, quiet, beside);

  async function write(work: Parameters<typeof store.transaction<void>>[0]) {
    await store.transaction(work, async () => undefined);
  }

  /** As the operator's next version of CUSTOM. */
  async function load(wanted: readonly string[]): Promise<void> {
    const content = Buffer.from(`id,name\n${wanted.map((name) => `${name.replaceAll(" ", "-")},${name}\n`).join("")}`);
    const uploadId = randomBytes(8).toString("hex");
    const now = new Date();
    async function* bytes() {
      yield content;
    }
    const sha256 = await keepFile(listStore, { owner: operatorsLists, uploadId, now }, bytes());
    const files = [{ part: "", uploadId, sha256 }];
    const requested = await requestLoad(listStore, {
      owner: operatorsLists,
      source: "CUSTOM",
      files,
      loadedBy: "bench",
      now,
    });
    const due = await listStore.takeDue(new Date(), new Date(Date.now() + 100 * leaseMs));
    await loadList(due!, { store: listStore, now: () => new Date() });
    const stored = await listStore.forOwner(operatorsLists).find(requested.listId);
    if (stored?.status !== "ACTIVE") throw new Error(`the list is ${stored?.status}: ${stored?.reason}`);
  }

  /** People who were compared with the first version. */
  async function fill(): Promise<void> {
    const { basis: first } = engine.comparisonOf(tenantId, await screeningPolicyVersions.current(tenantId));
    for (let from = 0; from < people; from += 1_000) {
      const rows = await Promise.all(
        Array.from({ length: 1_000 }, async (_, at) => {
          const subject = customerSubject(`p-${from + at}`);
          const names = [madeUpName(from + at)];
          const party = {
            kind: "PERSON",
            names,
            dateOfBirth: "1980-02-03",
            countries: ["USA"],
            documents: [],
          } as const;
          const fingerprints = await screeningCipher.fingerprintsOf(tenantId, party);
          return { subject, party, ...fingerprints, basis: first, screenedAt: new Date() };
        }),
      );
      await subjects.forTenant(tenantId).upsertMany(rows);
    }
  }

  async function openTraffic(): Promise<void> {
    const rules = { knowYourCustomerRules: [], transactionRules: [], dailyLimits: [usd(10n ** 15n)] };
    const about = { riskModel: defaultRiskModel, version: 1, publishedAt: new Date(), publishedBy: "", draftedBy: "" };
    await write((session) => store.forTenant(tenantId).insertPolicy({ ...rules, ...about }, session));
    const person = { country: "USA", registeredAt: new Date(0) };
    for (let each = 0; each < clients; each++) {
      const customer = { ...newCustomer(`c-${each}`), status: "CONFIRMED", policyVersion: 1, person } as const;
      await write((session) => store.forTenant(tenantId).putCustomer(customer, session));
    }
  }

  /**
   * A check every 100 ms of each client while `work` runs, to new recipients; p50 and p99 in ms.
   */
  async function traffic(work: () => Promise<void>): Promise<{ p50: number; p99: number; checks: number }> {
    const tookMs: number[] = [];
    let isOver = false;
    const run = async (client: number) => {
      await sleep(Math.random() * 100);
      while (!isOver) {
        const id = randomBytes(8).toString("hex");
        const about = { kind: "PERSON", countries: ["USA"], documents: [] } as const;
        const at = performance.now();
        const facts = {
          transactionId: id,
          customerId: `c-${client}`,
          amount: usd(100n),
          operation: "REMITTANCE",
        } as const;
        const countries = { originCountry: "USA", receivingCountry: "NGA", receivingCurrency: "NGN" };
        const stored = await checks.check(
          origin,
          { ...facts, ...countries, remittancePurpose: "FAMILY", sourceOfFunds: "SALARY", recipient: id },
          { tenantId, interactionId: "bench" },
          {
            parties: [
              { role: "SENDER", party: { ...about, names: [madeUpPerson(client)] } },
              {
                role: "RECIPIENT",
                party: { ...about, names: [madeUpPerson(Math.floor(Math.random() * 1e9))] },
              },
            ],
          },
        );
        if (stored.decision === "REJECTED") throw new Error("a check was rejected");
        const took = performance.now() - at;
        tookMs.push(took);
        if (took < 100) await sleep(100 - took);
      }
    };
    const running = Array.from({ length: clients }, (_, client) => run(client));
    await work();
    isOver = true;
    await Promise.all(running);
    const sorted = tookMs.toSorted((a, b) => a - b);
    const quantile = (part: number) => sorted[Math.floor(sorted.length * part)] ?? NaN;
    return { p50: quantile(0.5), p99: quantile(0.99), checks: tookMs.length };
  }
} finally {
  await close();
  await server.kill();
  rmSync(dir, { recursive: true, force: true });
}

function report(
  { tookS, cpuS }: { tookS: number; cpuS: number },
  hits: number,
  quiet: { p50: number; p99: number },
  beside: { p50: number; p99: number; checks: number },
): void {
  const text = [
    "# Re-screening",
    "",
    `\`npm run bench:rescreen\`: ${people.toLocaleString("en")} customers compared with a new version of a list of ${listed.toLocaleString("en")} names that adds ${added}, beside ${clients} clients that`,
    `each have a transaction checked every 100 ms, one mongod beside it. ${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}).`,
    "Target: at most 60 s for 100,000.",
    "",
    "| customers | seconds (of them CPU of the process, checks included) | hits | checks meanwhile | their p50 and p99, ms | without a re-screening beside, ms |",
    "| --- | --- | --- | --- | --- | --- |",
    `| ${people.toLocaleString("en")} | ${tookS.toFixed(1)} (${cpuS.toFixed(1)}) | ${hits} | ${beside.checks} | ${beside.p50.toFixed(1)}, ${beside.p99.toFixed(1)} | ${quiet.p50.toFixed(1)}, ${quiet.p99.toFixed(1)} |`,
    "",
    `Load average of the machine at the end: ${loadavg()[0]?.toFixed(1)}.`,
    "",
  ].join("\n");
  process.stdout.write(text);
}
