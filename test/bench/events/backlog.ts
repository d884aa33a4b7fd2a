import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { insist } from "../../support/insist.js";
import { stepsOf } from "./plans.js";
import { callOf, dataOf, tenantWith, type Cost, type Figures, type World } from "./world.js";

const inCall = 100;
const callsAtOnce = 4;

/** Tells so many events of so many subjects to an endpoint that is paused. */
async function keep({ events }: World, tenantId: string, total: number, subjects: number): Promise<void> {
  let published = 0;
  const teller = async () => {
    for (let from = published; from < total; from = published) {
      published += inCall;
      const batch = Array.from({ length: Math.min(inCall, total - from) }, (_, index) =>
        eventOf(`${tenantId.slice(0, 8)}-${(from + index) % subjects}`),
      );
      await insist(() => events.publishEvents({ events: batch }, { tenantId, interactionId: "bench" }));
      if (from % 100_000 === 0 && from > 0) process.stdout.write(`${from} kept\n`);
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, teller));
}

const eventOf = (subjectId: string) => ({
  eventId: randomUUID(),
  type: "transaction.paid",
  occurredAt: new Date(),
  subjectType: "transaction",
  subjectId,
  interactionId: "bench",
  dataJson: JSON.stringify(dataOf(subjectId)),
  customerId: "",
  isConfidential: false,
});

/** A backlog that one replica works off. */
export async function throughput(world: World, name: string, path: string, total: number): Promise<string> {
  const ordered = path === "/ordered";
  const { tenantId, ids } = await tenantWith(world, [path], ordered);
  const { webhooks, receiver, service } = world;
  const call = callOf(tenantId);
  await webhooks.pauseEndpoint({ endpointId: ids[0]! }, call);
  const publishedAt = performance.now();
  const before = await service.ask<Cost>();
  await keep(world, tenantId, total, 200);
  const publishedS = (performance.now() - publishedAt) / 1_000;
  const stored = await service.ask<Cost>();
  const { count } = await receiver.ask<Figures>();
  const startedAt = performance.now();
  await webhooks.resumeEndpoint({ endpointId: ids[0]! }, call);
  let found = { count, outOfOrder: 0 };
  let rssMb = 0;
  for (const until = Date.now() + 300_000; found.count - count < total && Date.now() < until; await sleep(50)) {
    found = await receiver.ask<Figures>();
    rssMb = Math.max(rssMb, (await service.ask<Cost>()).rssMb);
  }
  const took = (performance.now() - startedAt) / 1_000;
  const delivered = found.count - count;
  const { cpuMs } = await service.ask<Cost>();
  const perEvent = (stored.cpuMs - before.cpuMs) / total;
  return (
    `${name}: ${total} events kept at ${Math.round(total / publishedS)}/s (${perEvent.toFixed(2)} ms of CPU each), ` +
    `${delivered} delivered at ${Math.round(delivered / took)}/s (${((cpuMs - stored.cpuMs) / delivered).toFixed(2)} ms of CPU each), ` +
    `${found.outOfOrder} out of order, ${Math.round(rssMb)} MB at most`
  );
}

interface Sample {
  atS: number;
  delivered: number;
  rssMb: number;
}

/**
 * A long backlog of an ordered endpoint: whether all of it comes in order, whether memory and pace
 * stay as they are, and whether every question is answered by an index.
 */
export async function longBacklog(world: World, total: number): Promise<string> {
  const subjects = 1_000;
  const { tenantId, ids } = await tenantWith(world, ["/ordered"], true);
  const { webhooks, receiver, service } = world;
  const call = callOf(tenantId);
  await webhooks.pauseEndpoint({ endpointId: ids[0]! }, call);
  const publishedAt = performance.now();
  await keep(world, tenantId, total, subjects);
  const storedPace = Math.round((total * 1_000) / (performance.now() - publishedAt));
  process.stdout.write(`${total} events kept at ${storedPace}/s\n`);
  const before = await service.ask<Cost>();
  const startedAt = performance.now();
  await webhooks.resumeEndpoint({ endpointId: ids[0]! }, call);
  const samples: Sample[] = [];
  let found: Figures;
  let printedAt = 0;
  let steps = "";
  for (let stalledS = 0; ; await sleep(Math.min(2_000, total / 20))) {
    found = await receiver.ask<Figures>();
    const atS = (performance.now() - startedAt) / 1_000;
    const last = samples.at(-1);
    samples.push({ atS, delivered: found.count, rssMb: (await service.ask<Cost>()).rssMb });
    stalledS = found.count === last?.delivered ? stalledS + atS - last.atS : 0;
    if (found.count >= total || stalledS > 300) break;
    if (steps === "" && found.count > total / 2) steps = await stepsOf(world.kept);
    if (atS - printedAt < 60) continue;
    printedAt = atS;
    process.stdout.write(
      `${Math.round(atS)} s: ${found.count} delivered, ${found.outOfOrder} out of order, ${mb(samples.at(-1)!.rssMb)}\n`,
    );
  }
  const took = samples.at(-1)!.atS;
  const cpuMs = ((await service.ask<Cost>()).cpuMs - before.cpuMs) / found.count;
  const warm = samples.filter(({ delivered }) => delivered > total / 10).map(({ rssMb }) => rssMb);
  const sorted = warm.toSorted((one, other) => one - other);
  const pace = (from: number, to: number) => Math.round(paceOf(samples, total * from, total * to));
  return (
    `${found.count} of ${total} delivered in ${Math.round(took)} s, ${Math.round(found.count / took)}/s ` +
    `(${cpuMs.toFixed(2)} ms of CPU each): ${pace(0, 0.1)}/s of the first tenth, ${pace(0.9, 1)}/s of the last\n` +
    `${found.outOfOrder} out of order, ${found.repeated} sent again, ${found.subjects} of ${subjects} subjects\n` +
    `resident memory after the first tenth: median ${mb(sorted[sorted.length >> 1] ?? 0)}, at most ${mb(sorted.at(-1) ?? 0)}\n` +
    steps
  );
}

const mb = (size: number) => `${Math.round(size)} MB`;

/** Delivered a second between two counts. */
function paceOf(samples: readonly Sample[], from: number, to: number): number {
  const first = samples.find(({ delivered }) => delivered >= from)!;
  const last = samples.find(({ delivered }) => delivered >= to) ?? samples.at(-1)!;
  return (last.delivered - first.delivered) / Math.max(0.001, last.atS - first.atS);
}
