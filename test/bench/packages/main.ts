// `npm run bench:packages`: a month of a million transfers is closed; its package is built, read
// file by file and proved by the offline program, each in a process of its own.
import { execFile } from "node:child_process";
import { mkdir, stat } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { nodeOptions, serviceTable } from "../../../deploy/local/service-table.js";
import type { ClientSession } from "mongoose";
import { inTransaction } from "../../../services/kernel/mongo/transaction.js";
import { parsePeriod } from "../../../services/ledger/domain/periods.js";
import { createPeriodStore } from "../../../services/ledger/store/periods.js";
import { openPlace } from "../ledger/database.js";
import { fillMonth, month } from "./fill.js";

const { values } = parseArgs({
  options: {
    transfers: { type: "string", default: "1000000" },
    accounts: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
  },
});
const [transfers, accounts, rounds] = [values.transfers, values.accounts, values.rounds].map(Number) as [
  number,
  number,
  number,
];

interface Taken {
  readonly tookMs: number;
  readonly cpuMs: number;
  readonly rssMb: number;
}

const october = parsePeriod(month.name)!;
const run = promisify(execFile);
const print = (line: string) => process.stdout.write(`${line}\n`);
const ledger = serviceTable.find(({ name }) => name === "ledger")!;
const node = [...nodeOptions(ledger), "--import", "./test/bench/edge/hooks.mjs", "test/bench/packages/process.ts"];
// What a process that has ended held at most, as its parent is told.
const watched = `
import json, resource, subprocess, sys, time
began = time.monotonic()
ended = subprocess.run([sys.executable, "-I", "-B", *sys.argv[1:]])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
took = {"tookMs": (time.monotonic() - began) * 1e3, "cpuMs": (used.ru_utime + used.ru_stime) * 1e3, "rssMb": used.ru_maxrss / 1024}
print(json.dumps(took))
sys.exit(ended.returncode)
`;

const place = await openPlace();
try {
  const { tenantId, db, name } = await place.open("packages", 1);
  const startedAt = performance.now();
  await fillMonth(db, tenantId, transfers, accounts);
  print(
    `${transfers} transfers of ${accounts} accounts made in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
  );
  const by = { closedBy: "bench", closedAt: new Date(), mappingVersion: 0 };
  const taken: Record<string, Taken[]> = {};
  const folder = join(place.dir, "package");
  await mkdir(folder);
  for (let round = 1; round <= rounds; round++) {
    // Of one month there is one closing that stands: the one before it is superseded.
    const periods = createPeriodStore(db).forTenant(tenantId);
    const close = async (session: ClientSession): Promise<number> => {
      if (round > 1) await periods.reopen(october.first, { supersededBy: "bench", supersededAt: new Date() }, session);
      return (await periods.close(october, by, session)).closing.number;
    };
    const number = await inTransaction(db, close, { readBack: async () => undefined });
    const inProcess = (...more: string[]) => [...node, place.mongo.uri, name, tenantId, `${number}`, ...more];
    const steps = [
      ["built", process.execPath, inProcess()],
      ["all its files read", process.execPath, inProcess(folder)],
      ["verified offline", "python3", ["-c", watched, "docs/verify/verify.py", folder]],
    ] as const;
    for (const [what, program, args] of steps) {
      const before = loadavg()[0]!.toFixed(1);
      const { stdout } = await run(program, args);
      const found = JSON.parse(stdout.trim().split("\n").at(-1)!) as Taken;
      (taken[what] ??= []).push(found);
      const { tookMs, cpuMs, rssMb } = found;
      const [took, cpu] = [tookMs, cpuMs].map((ms) => `${(ms / 1_000).toFixed(1)} s`);
      print(`round ${round}: ${what} in ${took}, ${cpu} of processor time, ${rssMb.toFixed(0)} MB (load ${before})`);
    }
  }
  const sizes = await Promise.all(["transfers.jsonl", "books.beancount"].map((file) => stat(join(folder, file))));
  print("");
  print(`| ${transfers} transfers, ${accounts} accounts | fastest to slowest of ${rounds} | processor time | memory |`);
  print("| - | - | - | - |");
  for (const [what, found] of Object.entries(taken)) {
    const span = (of: (one: Taken) => number) => {
      const sorted = found.map(of).toSorted((a, b) => a - b);
      return [sorted[0]!, sorted.at(-1)!];
    };
    const seconds = (of: (one: Taken) => number) => span(of).map((ms) => (ms / 1_000).toFixed(1));
    const [took, cpu] = [seconds(({ tookMs }) => tookMs), seconds(({ cpuMs }) => cpuMs)];
    const memory = span(({ rssMb }) => rssMb)[1]!.toFixed(0);
    print(`| ${what} | ${took.join(" to ")} s | ${cpu.join(" to ")} s | ${memory} MB |`);
  }
  print(
    `\ntransfers.jsonl ${(sizes[0]!.size / 1e6).toFixed(0)} MB, books.beancount ${(sizes[1]!.size / 1e6).toFixed(0)} MB`,
  );
  print(
    `${cpus()[0]?.model}, ${cpus().length} cores, load ${loadavg()
      .map((one) => one.toFixed(1))
      .join(" ")}`,
  );
} finally {
  await place.close();
}
