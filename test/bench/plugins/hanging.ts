import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sandboxIdOf } from "../../../services/platform/sandbox/sandbox.js";
import { waitFor } from "../../support/index.js";
import type { Paid, PayoutWorld } from "../../support/payout-fixture.js";
import type { Partners } from "./start-partner.js";

// As long as a partner may take at most.
const timeoutMs = 30_000;
const patience = { timeoutMs: 300_000, everyMs: 250 };

/** Two tenants, each with a partner of its own. */
export async function openTenants(world: PayoutWorld, partners: Partners) {
  const [slow, quick] = await Promise.all([1, 2].map(() => world.tenant(sandboxIdOf(`t${randomUUID().slice(0, 8)}`))));
  for (const [tenantId, name] of [
    [slow!, "slow"],
    [quick!, "quick"],
  ] as const) {
    world.plugins.install(tenantId, { installationId: name, url: partners.urlOf(name), configuration: { timeoutMs } });
  }
  return { slow: slow!, quick: quick! };
}

export interface ArmOptions {
  world: PayoutWorld;
  partners: Partners;
  tenants: { slow: string; quick: string };
  /** Payouts of each tenant. */
  payouts: number;
  /** Of each tenant. */
  perSecond: number;
  hangs: boolean;
}

/**
 * Times from the payment that remittance is told to the order at the partner, of the tenant whose
 * partner answers, ms, for the payments before the first call at the other one was given up and for
 * those after it; and how many calls the other one had under way at most, where it hung.
 */
export async function runArm({ world, partners, tenants, payouts, perSecond, hangs }: ArmOptions) {
  const made = {
    slow: await debited(world, tenants.slow, payouts),
    quick: await debited(world, tenants.quick, payouts),
  };
  if (hangs) await partners.hang();
  const publishedAt = new Map<string, number>();
  const published: Promise<unknown>[] = [];
  const startedAt = performance.now();
  for (let each = 0; each < payouts; each += 1) {
    await sleep(Math.max(0, startedAt + (each * 1_000) / perSecond - performance.now()));
    for (const paid of [made.slow[each]!, made.quick[each]!]) {
      publishedAt.set(paid.transactionId, performance.now());
      published.push(world.markPaid(paid));
    }
  }
  await Promise.all(published);
  const ids = made.quick.map(({ transactionId }) => transactionId);
  await waitFor(() => ids.every((id) => partners.arrivals.has(id)), { ...patience, what: "payouts to be handed over" });
  const most = await partners.answer();
  // What waited at the one that hung is no load of the next arm.
  await waitFor(async () => (await world.openRows(tenants.slow)) + (await world.openRows(tenants.quick)) === 0, {
    ...patience,
    what: "all payouts to end",
  });
  const timed = ids.map((id) => ({
    atMs: publishedAt.get(id)! - startedAt,
    tookMs: partners.arrivals.get(id)! - publishedAt.get(id)!,
  }));
  const isBefore = Map.groupBy(timed, ({ atMs }) => atMs < timeoutMs);
  const tookMs = (part: boolean) => (isBefore.get(part) ?? []).map((one) => one.tookMs);
  return { beforeMs: tookMs(true), afterMs: tookMs(false), most };
}

async function debited(world: PayoutWorld, tenantId: string, payouts: number): Promise<Paid[]> {
  const made: Paid[] = [];
  for (let from = 0; from < payouts; from += 8) {
    const some = Array.from({ length: Math.min(8, payouts - from) }, async () =>
      world.debit(tenantId, await world.create(tenantId)),
    );
    made.push(...(await Promise.all(some)));
  }
  return made;
}
