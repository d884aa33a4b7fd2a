// A process of the ledger's size that builds a package, or writes its files into a folder: what it
// took, and the most memory that it held. Its arguments: MongoDB, database, tenant, closing, and
// the folder to write into, none to build.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { createLogger } from "../../../services/kernel/process/log.js";
import { connectMongo } from "../../../services/kernel/mongo/connect.js";
import { createPackageBuilds } from "../../../services/ledger/jobs/packages.js";
import { createKnownAccounts, readPackagePage } from "../../../services/ledger/jobs/package-pages.js";
import { createLedgerStore } from "../../../services/ledger/store/index.js";
import { createPackageStore } from "../../../services/ledger/store/packages.js";
import { createPeriodStore } from "../../../services/ledger/store/periods.js";

const [uri = "", database = "", tenantId = "", closing = "", folder] = process.argv.slice(2);
const number = Number(closing);
const log = createLogger({ service: "ledger", level: "error" });
const { db, close } = await connectMongo({ uri, database, log, monitorCommands: false });
const [store, periods, packages] = [createLedgerStore(db), createPeriodStore(db), createPackageStore(db)];

const startedAt = performance.now();
await (folder === undefined ? build() : write(folder));
const tookMs = performance.now() - startedAt;
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
await close();
process.stdout.write(
  `${JSON.stringify({ tookMs, cpuMs: (userCPUTime + systemCPUTime) / 1_000, rssMb: maxRSS / 1_024 })}\n`,
);

async function build(): Promise<void> {
  const handler = createPackageBuilds({ db, store, periods, packages });
  const turn = { signal: new AbortController().signal, complete: async () => undefined };
  await handler({ tenantId, payload: { number } } as never, turn as never);
}

async function write(into: string): Promise<void> {
  const found = (await periods.forTenant(tenantId).find(number))!;
  const tenant = { journal: store.forTenant(tenantId), parts: packages.forTenant(tenantId) };
  const knownOf = createKnownAccounts();
  for (const { name } of found.package.files) {
    const file = createWriteStream(join(into, name));
    let position: string | undefined;
    do {
      const page = await readPackagePage({ ...tenant, known: knownOf(tenantId) }, found, name, position);
      if (!file.write(page.text)) await once(file, "drain");
      position = page.next;
    } while (position !== undefined);
    file.end();
    await once(file, "finish");
  }
}
