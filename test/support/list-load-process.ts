// A replica's work on screening lists in a process of its own, for tests that kill it: forked with
// its database, it loads what is asked for and tells which versions it has in memory.
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { openScreeningLists } from "../../services/compliance/lists/loading/open-lists.js";
import { connectMongo } from "../../services/kernel/mongo/connect.js";

// Whoever is killed does not write down what it has compiled.
flushCompileCache();
const log = pino({ level: "silent" });
const { uri, database } = JSON.parse(process.env["LIST_LOAD_PROCESS"] ?? "{}") as { uri: string; database: string };
const { db } = await connectMongo({ uri, database, log });
const lists = await openScreeningLists({ db, log, endpoints: {}, listPollMs: 50 });
process.on("disconnect", () => process.exit(0));
for (;;) {
  process.send?.(
    lists.snapshots.all().map(({ source, version, index }) => ({ source, version, entries: index.entries })),
  );
  await sleep(50);
}
