import type { Difference, InvestmentServiceDefinition } from "../../../proto/gen/investment/v1/investment.js";
import { outgoing } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { formatMoney } from "../../kernel/money.js";
import { readAgainIfDifferent } from "../../kernel/time/second-reading.js";
import { accountOf, type AccountCode } from "../domain/transfers.js";
import type { InvestmentDeps } from "./deps.js";
import { rowKinds } from "../row-kinds.js";

type Deps = Pick<InvestmentDeps, "store" | "ledger" | "outbox">;
type TenantStore = ReturnType<Deps["store"]["forTenant"]>;

/** What holdings add up to. */
interface Sums {
  holdings: bigint;
  principal: Map<string, bigint>;
  interest: Map<string, bigint>;
  units: Map<string, bigint>;
  totals: Difference[];
}

/**
 * Compares holdings with customers' sums, with units and with the ledger. Everything is streamed;
 * work under way is counted beside.
 */
export function reconciliationHandlers({ store, ledger, outbox }: InvestmentDeps) {
  async function compare(call: Call): Promise<{ holdings: bigint; differences: Difference[] }> {
    const tenant = store.forTenant(call.tenantId);
    const sums = await addUp(tenant);
    const inLedger = await compareLedger(ledger, sums, call);
    return {
      holdings: sums.holdings,
      differences: [...sums.totals, ...inLedger, ...(await compareUnits(tenant, sums))],
    };
  }

  async function countUnderWay({ tenantId }: Call): Promise<bigint> {
    const tenant = store.forTenant(tenantId);
    const rows = await Promise.all(
      (["DUE", "PARKED"] as const).map((state) => outbox.list({ tenantId, state, limit: 500 })),
    );
    const pending = (await tenant.countPendingApplications()) + (await tenant.countPendingSettlements());
    // An application that waits for compliance has taken nothing: it may wait for days.
    const underWay = rows.flat().filter(({ kind, state }) => kind !== rowKinds.awaitCompliance || state === "PARKED");
    return BigInt(pending + underWay.length);
  }

  return {
    async reconcileInvestments(_request, call) {
      const { holdings, differences } = await readAgainIfDifferent(() => compare(call));
      return { holdings, differences, inFlight: await countUnderWay(call) };
    },
  } satisfies Partial<Handlers<InvestmentServiceDefinition>>;
}

/** What it holds in memory grows with customers, not with holdings. */
async function addUp(tenant: TenantStore): Promise<Sums> {
  const sums: Sums = { holdings: 0n, principal: new Map(), interest: new Map(), units: new Map(), totals: [] };
  const byCustomer = new Map<string, { principal: bigint; interest: bigint }>();
  for await (const row of tenant.streamForSums()) {
    const { customerId, productId, currency, principalMinor, accruedMinor, units } = row;
    sums.holdings += 1n;
    add(sums.principal, currency, principalMinor);
    add(sums.interest, currency, accruedMinor);
    add(sums.units, `${productId} ${customerId}`, units);
    const id = `${customerId} ${currency}`;
    const sum = byCustomer.get(id) ?? { principal: 0n, interest: 0n };
    byCustomer.set(id, { principal: sum.principal + principalMinor, interest: sum.interest + accruedMinor });
  }
  for await (const { customerId, currency, principalMinor, interestMinor } of tenant.streamTotals()) {
    const id = `${customerId} ${currency}`;
    const { principal, interest } = byCustomer.get(id) ?? { principal: 0n, interest: 0n };
    byCustomer.delete(id);
    const [expected, found] = [`${principal} + ${interest}`, `${principalMinor} + ${interestMinor}`];
    if (expected !== found) sums.totals.push({ kind: "CUSTOMER_TOTAL", subject: id, expected, found });
  }
  for (const [subject, { principal, interest }] of byCustomer) {
    sums.totals.push({ kind: "CUSTOMER_TOTAL", subject, expected: `${principal} + ${interest}`, found: "none" });
  }
  return sums;
}

async function compareLedger(ledger: Deps["ledger"], sums: Sums, call: Call): Promise<Difference[]> {
  const currencies = [...sums.principal.keys()];
  const wanted = currencies.flatMap((currency) => {
    const of = (code: AccountCode, kind: string, expected: bigint) => ({
      accountId: accountOf(code, currency),
      currency,
      kind,
      expected,
    });
    return [
      of("customer_investments", "LEDGER_PRINCIPAL", sums.principal.get(currency) ?? 0n),
      of("investment_interest_payable", "LEDGER_INTEREST", sums.interest.get(currency) ?? 0n),
    ];
  });
  if (wanted.length === 0) return [];
  const { accounts } = await ledger.getAccounts(
    { accountIds: wanted.map(({ accountId }) => accountId) },
    outgoing(call),
  );
  const balances = new Map(
    accounts.map(({ accountId, creditsPostedMinor, debitsPostedMinor }) => [
      accountId,
      creditsPostedMinor - debitsPostedMinor,
    ]),
  );
  return wanted
    .map((account) => ({ ...account, found: balances.get(account.accountId) ?? 0n }))
    .filter(({ expected, found }) => expected !== found)
    .map(({ kind, currency, expected, found }) => ({
      kind,
      subject: currency,
      expected: formatMoney({ minor: expected, currency }),
      found: formatMoney({ minor: found, currency }),
    }));
}

/**
 * Units that are taken of a product are those of its applications; units of a customer those they
 * hold, or wait for.
 */
async function compareUnits(tenant: TenantStore, { units }: Sums): Promise<Difference[]> {
  const taken = new Map<string, bigint>();
  const held = new Map(units);
  for await (const { productId, customerId, units: bought, status } of tenant.streamTaken()) {
    add(taken, productId, bought);
    if (status === "PENDING") add(held, `${productId} ${customerId}`, bought);
  }
  const differences: Difference[] = [];
  const compare = (kind: string, subject: string, expected: bigint, found: bigint) => {
    if (expected !== found) differences.push({ kind, subject, expected: String(expected), found: String(found) });
  };
  for await (const { productId, unitsTaken } of tenant.streamProducts()) {
    compare("UNITS_TAKEN", productId, taken.get(productId) ?? 0n, unitsTaken);
  }
  for await (const { productId, customerId, units: found } of tenant.streamPositions()) {
    compare("UNITS_HELD", `${productId} ${customerId}`, held.get(`${productId} ${customerId}`) ?? 0n, found);
  }
  return differences;
}

function add(sums: Map<string, bigint>, key: string, minor: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + minor);
}
