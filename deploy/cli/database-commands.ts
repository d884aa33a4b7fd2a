import { runShell, untilStopped } from "./meanwhile.js";
import { openPlace, type Place } from "./places.js";
import type { DatabaseCommand } from "./database-arguments.js";
import { assignZone, checkShards, prepareShards } from "./shards/commands.js";
import { takeBarrier, type BarrierTimes } from "./tenant/barrier.js";
import { endSessions } from "./tenant/end-sessions.js";
import { holdTenant, listHolds, releaseTenant } from "./tenant/hold.js";
import { readLock } from "./tenant/lock.js";
import { compareTenant, copyTenant, type Proof } from "./tenant/move.js";

type Print = (line: string) => void;

/** Carries out what reaches databases and no service. True where nothing is found wrong. */
export async function runDatabaseCommand(command: DatabaseCommand, print: Print): Promise<boolean> {
  switch (command.name) {
    case "shards prepare":
      await prepareShards(command.uri, command.isDryRun, print);
      return true;
    case "shards zones":
      await assignZone(command.uri, { tenantId: command.tenant, shard: command.shard }, command.isDryRun, print);
      return true;
    case "shards check":
      return checkShards(command.uri, print);
    case "tenant copy":
    case "tenant compare":
      return withPlaces([command.from, command.to], async ([from, to]) => {
        const proof =
          command.name === "tenant copy"
            ? await copyTenant(from!, to!, command.tenant, { print, isTaken: command.takesLock })
            : await compareTenant(from!, to!, command.tenant);
        return tell(proof, command.tenant, print);
      });
    case "tenant hold":
    case "tenant release":
      return withPlaces([command.uri], async ([place]) => {
        await (command.name === "tenant hold" ? holdTenant : releaseTenant)(place!, command.tenant, command.takesLock);
        return tellHolds(place!, print);
      });
    case "tenant end-sessions":
      return withPlaces([command.uri], async ([place]) => {
        print(`${await endSessions(place!, command.tenant)} sessions ended: people log in again`);
        return true;
      });
    case "tenant holds":
      return withPlaces([command.uri], ([place]) => tellHolds(place!, print));
    case "backup barrier":
      return withPlaces([command.uri], async ([place]) => {
        const { run, takesLock: isTaken, runMinutes } = command;
        const times = await untilStopped(runMinutes * 60_000, (signal) => {
          const meanwhile = run === undefined ? undefined : () => runShell(run, signal);
          return takeBarrier(place!, { meanwhile, isTaken, signal, print });
        });
        tellTimes(times, print);
        return true;
      });
  }
}

function tell({ documents, differences, books }: Proof, tenantId: string, print: Print): boolean {
  differences.forEach(print);
  for (const [currency, { debitsMinor, creditsMinor }] of books.to.totals) {
    print(`${currency}: debits ${debitsMinor}, credits ${creditsMinor} minor units there`);
  }
  print(`${tenantId}: ${documents} documents, ${books.to.transfers} transfers, ${differences.length} differences`);
  return differences.length === 0;
}

async function tellHolds(place: Place, print: Print): Promise<boolean> {
  const held = await listHolds(place);
  print(held.length === 0 ? "no tenant is held" : `held: ${held.join(", ")}`);
  const lock = await readLock(place);
  if (lock !== undefined) print(lock);
  return true;
}

function tellTimes(times: BarrierTimes, print: Print): void {
  for (const [service, { t, i }] of times) {
    print(`${service} ${t}:${i} ${new Date(t * 1_000).toISOString()}`);
  }
}

async function withPlaces<T>(given: readonly string[], work: (places: Place[]) => Promise<T>): Promise<T> {
  const places: Place[] = [];
  try {
    for (const one of given) places.push(await openPlace(one));
    return await work(places);
  } finally {
    for (const place of places) await place.close();
  }
}
