// `npm run bench:remittance`: lists of a customer with a long past, and payout points filtered and
// priced, inside the service.
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { startMongo } from "../../../deploy/local/servers.js";
import { payoutPointHandlers } from "../../../services/remittance/handlers/payout-points.js";
import { transactionListHandlers } from "../../../services/remittance/handlers/transaction-lists.js";
import { migrations } from "../../../services/remittance/store/migrations.js";
import { operatorKeyOf, type PayoutPoint } from "../../../services/remittance/domain/payout-point.js";
import { createPriceBooks } from "../../../services/remittance/store/price-books.js";
import { benchCreate } from "./create.js";
import { quantiles, show } from "./quantiles.js";
import { benchTransparency } from "./transparency.js";
import { createRemittanceStore } from "../../../services/remittance/store/index.js";
import { searchWordsOf } from "../../../services/remittance/domain/transaction-list.js";
import { terms } from "../../support/transactions.js";
import type { Transaction } from "../../../services/remittance/domain/transaction.js";
import { systemClock } from "../../../services/kernel/time/clock.js";
import type { Call } from "../../../services/kernel/grpc/context.js";
import { money } from "../../../services/kernel/money.js";
import { openDatabase } from "../../../services/kernel/mongo/open-database.js";

const quick = process.argv.includes("--quick");
const [transactions, points] = quick ? [10_000, 5_000] : [100_000, 50_000];
const clients = 16;
const seconds = quick ? 4 : 15;
const pageSize = 20;
const tenantId = "bench";
const log = pino({ level: "silent" });

const dir = mkdtempSync(join(tmpdir(), "manilla-bench-remittance-"));
const server = await startMongo({ dir });
const { db, close } = await openDatabase({ MONGODB_URI: server.uri, MONGODB_DATABASE: "bench" }, { migrations, log });
const store = createRemittanceStore(db);
const tenant = store.forTenant(tenantId);
const people = {
  visibleTransactions: async () => ({ customerId: "c1" }),
  allocationsOf: async () => ({
    owners: ["TENANT", "AG1"],
    customer: { customerId: "c1", agentId: "AG1" },
    country: "USA",
  }),
} as never;
const call = { tenantId, interactionId: "bench", caller: "gateway", signal: new AbortController().signal } as Call;

const emptyList = {
  statuses: [],
  type: "DELIVERY_METHOD_UNSPECIFIED",
  sendCurrency: "",
  receivingCountry: "",
  senderCustomerCode: "",
  recipientCode: "",
  search: "",
};
const emptyQuery = {
  chargeCategory: "",
  deriveAmount: "",
  inverse: false,
  withoutConversion: false,
  originCountry: "",
  promoCode: "",
  cursor: "",
};

const rows: string[] = [];
try {
  await fillTransactions();
  await fillPoints();
  rows.push(...(await benchLists()), ...(await benchPoints()));
} finally {
  await close();
  await server.kill();
  rmSync(dir, { recursive: true, force: true });
}
rows.push(...(await benchCreate(quick)));
const transparency = await benchTransparency(quick);
report(rows);

/** The first page and the thousandth of one customer's transactions, in turn. */
async function benchLists(): Promise<string[]> {
  const { listTransactions } = transactionListHandlers({ store, people });
  const page = (cursor: string) => listTransactions({ ...emptyList, pageSize, cursor } as never, call);
  let deep = "";
  for (let index = 1; index < Math.min(1_000, transactions / pageSize); index += 1) {
    deep = (await page(deep)).nextCursor ?? "";
  }
  const tookMs: { first: number[]; deep: number[] } = { first: [], deep: [] };
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until) {
    for (const [name, cursor] of [
      ["first", ""],
      ["deep", deep],
    ] as const) {
      const at = performance.now();
      await page(cursor);
      tookMs[name].push(performance.now() - at);
    }
  }
  const [first, last] = [quantiles(tookMs.first), quantiles(tookMs.deep)];
  const ratio = (last.p50 / first.p50).toFixed(2);
  return [
    `| first page of ${transactions} transactions | 1 | ${show(first)} |`,
    `| page ${Math.min(1_000, transactions / pageSize)} of them | 1 | ${show(last)} |`,
    `| ratio of the two at p50 (target: at most 1.5) | | ${ratio} | |`,
  ];
}

/** Points of one country, currency, method and operator, each with its price. */
async function benchPoints(): Promise<string[]> {
  const { listPayoutPoints } = payoutPointHandlers({
    store,
    people,
    prices: createPriceBooks(store),
    clock: systemClock,
  });
  const request = {
    ...emptyQuery,
    type: "DELIVERY_METHOD_MOBILE_MONEY",
    principalAmount: "100.00",
    principalCurrency: "USD",
    deriveCurrency: "NGN",
    receivingCountry: "NGA",
    mobileOperator: "MTN",
    pageSize,
  };
  const tookMs: number[] = [];
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  const until = began + seconds * 1_000;
  const run = async () => {
    while (performance.now() < until) {
      const at = performance.now();
      const { points: found } = await listPayoutPoints(request as never, call);
      if (found.length !== pageSize || found[0]?.pricing === undefined) throw new Error("a page is not priced");
      tookMs.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: clients }, run));
  const perSecond = Math.round(tookMs.length / ((performance.now() - began) / 1_000));
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuMs = ((user + system) / 1_000 / tookMs.length).toFixed(2);
  return [
    `| payout points: ${points}, filtered and priced (target: p99 under 30 ms), ${perSecond}/s, ${cpuMs} ms of the service's processor each | ${clients} | ${show(quantiles(tookMs))} |`,
  ];
}

async function fillTransactions(): Promise<void> {
  const usd = (minor: bigint) => money(minor, "USD");
  const parties = {
    sender: { customerId: "c1", customerCode: "C-1", name: "Ada Obi", country: "USA" },
    recipient: { customerId: "c1", customerCode: "B-1", name: "Ngozi Okafor", country: "NGA" },
  };
  const price = {
    principal: usd(100_00n),
    fees: [{ name: "Transfer fee", amount: usd(2_50n), tax: usd(19n) }],
    totalFees: usd(2_50n),
    totalTaxes: usd(19n),
    total: usd(102_69n),
    receive: money(160_000_00n, "NGN"),
    rate: "1600",
    inclusive: false,
  };
  const start = Date.UTC(2026, 0, 1);
  const native = db.collection("transactions");
  for (let from = 0; from < transactions; from += 5_000) {
    const rows = Array.from({ length: 5_000 }, (_, index): Transaction & { tenantId: string } => {
      const id = { transactionId: `t-${String(from + index).padStart(9, "0")}`, transactionCode: `MN${from + index}` };
      const at = new Date(start + (from + index) * 60_000);
      return {
        ...id,
        ...parties,
        tenantId,
        version: 3,
        status: "COMPLETED",
        deliveryMethod: "ACCOUNTPAYMENT",
        availableOn: "2026-12-01",
        processingMode: "REAL_TIME",
        price,
        rateId: "r",
        corridorVersion: 1,
        terms,
        beneficiaryId: "b",
        creditParty: [{ key: "bankaccountno", value: "3012345671" }],
        creditPartySource: "BENEFICIARY",
        transferInformation: {
          originCountry: "USA",
          receivingCountry: "NGA",
          remittancePurpose: "",
          sourceOfFunds: "",
        },
        descriptionText: "",
        ipAddress: "203.0.113.7",
        releasedPayments: [],
        interactionId: "i",
        createdAt: at,
        createdBy: "u1",
        createdByRole: "CUSTOMER",
        agentId: "AG1",
        searchWords: searchWordsOf({ ...id, ...parties }),
        timeline: [{ status: "COMPLETED", at, actor: "bench", reason: "" }],
        request: { caller: "u1", key: id.transactionId, fingerprint: "f" },
      };
    });
    await native.insertMany(rows as never[], { ordered: false });
  }
}

async function fillPoints(): Promise<void> {
  const corridor = {
    originCountry: "USA",
    sendCurrency: "USD",
    receivingCountry: "NGA",
    receivingCurrency: "NGN",
    deliveryMethods: ["ACCOUNTPAYMENT" as const, "MOBILE_MONEY" as const],
    minimumMinor: 1_00n,
    maximumMinor: 10_000_00n,
    fees: [{ name: "Transfer fee", fixedMinor: 2_00n, rateBps: 50, taxBps: 750, deliveryMethods: [] }],
    enabled: true,
    version: 1,
  };
  const stamp = { changedAt: new Date(), changedBy: "bench" };
  const rate = {
    sendCurrency: "USD",
    receivingCurrency: "NGN",
    rate: "1600",
    source: "bench",
    rateId: "r",
    sequence: 1,
  };
  await store.transaction(
    async (session) => {
      await tenant.putCorridors([{ ...corridor, ...stamp }], session);
      await tenant.insertRates(
        [{ ...rate, validFrom: new Date(0), createdAt: new Date(), createdBy: "bench" }],
        session,
      );
      return true;
    },
    async () => undefined,
  );
  const operators = ["MTN", "Airtel", "Glo", "9mobile"];
  const countries = ["NGA", "KEN", "GHA", "UGA", "TZA"];
  const native = db.collection("payout_points");
  for (let from = 0; from < points; from += 5_000) {
    const rows = Array.from({ length: 5_000 }, (_, index): PayoutPoint & { tenantId: string } => {
      const n = from + index;
      const isMobile = n % 2 === 0;
      const operator = isMobile ? operators[Math.floor(n / 2) % operators.length]! : "";
      return {
        tenantId,
        pointId: `p-${n}`,
        code: `P${String(n).padStart(6, "0")}`,
        name: `Point ${n}`,
        type: isMobile ? "MOBILE_MONEY" : "BANK",
        country: countries[Math.floor(n / 8) % countries.length]!,
        currency: "NGN",
        address: "1 Marina",
        city: "Lagos",
        openingHours: "Mon-Fri 09:00-17:00",
        mobileOperator: operator,
        operatorKey: operatorKeyOf(operator),
        minimumMinor: 100n,
        maximumMinor: 10n ** 12n,
        allocatedTo: n % 10 === 0 ? "AG1" : n % 10 === 1 ? "AG2" : "TENANT",
        partner: "",
        enabled: true,
        version: 1,
      };
    });
    await native.insertMany(rows as never[], { ordered: false });
  }
}

function report(rows: readonly string[]): void {
  const text = [
    "# Remittance",
    "",
    "`npm run bench:remittance`: lists and payout points, called inside the service, one mongod beside it; then whole clusters.",
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), load average ${loadavg()[0]?.toFixed(1)} at the end${quick ? ", quick" : ""}.`,
    "",
    "| what | clients | p50, ms | p99, ms |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    "CPU of a transaction, ms, median (quartiles); `node --import ./test/bench/edge/hooks.mjs test/bench/remittance/transparency.ts` measures it alone:",
    "",
    "| what | services and client | mongod | both |",
    "| --- | --- | --- | --- |",
    ...transparency,
    "",
    "What a create-transaction costs in calls of neighbours and in round trips to MongoDB and Redis is counted by `services/remittance/handlers/budget.test.ts`,",
    "which prints them and fails beyond the budget.",
    "",
  ].join("\n");
  process.stdout.write(text);
}
