import { randomUUID } from "node:crypto";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { createClient, outgoing } from "../../services/kernel/grpc/client.js";
import { openOperatorReach } from "../local/operator-access.js";
import { asksForHelp, misuseText, outliveReaders } from "./help.js";
import { readLedgerArguments, usage, type LedgerArguments } from "./ledger/arguments.js";
import type { RemoteLedger } from "./ledger/journal.js";
import { createProgress } from "./ledger/progress.js";
import { readPublishedHeads } from "./ledger/rules.js";
import { exportJournal, importJournal, linesOf, writerTo, type Counts } from "./ledger/transport.js";
import { trialBalanceOf } from "./ledger/trial-balance.js";
import { verifyTenants } from "./ledger/verify-tenants.js";

// A page of an audit may take longer than a call that somebody waits for.
const timeoutMs = 60_000;

const commands = { export: exportTo, import: importFrom, "trial-balance": trialBalance };

async function main(args: LedgerArguments): Promise<void> {
  const { client, close } = await connect(args);
  const callOf = (tenantId: string) => () => outgoing({ tenantId, interactionId: randomUUID() }, { timeoutMs });
  const ledgerOf = (tenantId: string): RemoteLedger => ({ client, tenantId, call: callOf(tenantId) });
  try {
    if (args.command === "verify") await verify(ledgerOf, args);
    else await commands[args.command](ledgerOf(args.tenants[0]!), args);
  } finally {
    close();
  }
}

async function connect({ address: requested }: LedgerArguments) {
  const { addressOf, signer, close: closeReach } = await openOperatorReach();
  const client = createClient(LedgerServiceDefinition, {
    address: requested ?? addressOf("ledger"),
    audience: "ledger",
    signer,
  });
  const close = () => {
    client.close();
    closeReach();
  };
  return { client, close };
}

/** Status 1 where anything does not fit, or a tenant could not be read to its end. */
async function verify(
  ledgerOf: (tenantId: string) => RemoteLedger,
  { tenants, heads }: LedgerArguments,
): Promise<void> {
  const progress = createProgress(process.stderr);
  const { verified, unfit } = await verifyTenants(ledgerOf, {
    tenants,
    published: heads === undefined ? [] : await readPublishedHeads(heads),
    onProgress: ({ pass, seq, last }) => progress.at(seq, last, pass === 1 ? "transfers" : `transfers, pass ${pass}`),
    print: (line) => {
      progress.end();
      print(line);
    },
  });
  if (unfit.length > 0) process.exitCode = 1;
  if (tenants.length === 1) return;
  print(`${verified} tenants${unfit.length === 0 ? ", all fit" : `; what does not fit is in ${unfit.join(", ")}`}`);
}

async function exportTo(ledger: RemoteLedger, { file }: LedgerArguments): Promise<void> {
  const { write, close } = writerTo(file);
  const counts = await exportJournal(ledger, write, createProgress(process.stderr));
  await close();
  console.error(`exported ${countsText(counts)}`);
}

async function importFrom(ledger: RemoteLedger, { file }: LedgerArguments): Promise<void> {
  const counts = await importJournal(ledger, linesOf(file), createProgress(process.stderr));
  console.error(`imported ${countsText(counts)}; run verify to hold all of it against its chain`);
}

function countsText({ accounts, transfers, refusals }: Counts): string {
  return `${accounts} accounts, ${transfers} transfers, ${refusals} refused keys`;
}

async function trialBalance({ client, call }: RemoteLedger): Promise<void> {
  const { lines } = await client.getTrialBalance({}, call());
  const { text, unequal } = trialBalanceOf(lines);
  print(text);
  if (unequal.length === 0) return;
  process.exitCode = 1;
  console.error(`debits are not credits in ${unequal.join(", ")}`);
}

function print(output: string): void {
  process.stdout.write(`${output}\n`);
}

/** Wrong arguments show the usage; what fails afterwards is one sentence. */
async function run(given: readonly string[]): Promise<void> {
  if (asksForHelp(given)) return print(usage);
  let args: LedgerArguments;
  try {
    args = readLedgerArguments(given);
  } catch (error) {
    console.error(misuseText(error, usage));
    process.exitCode = 2;
    return;
  }
  try {
    await main(args);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

outliveReaders();
await run(process.argv.slice(2));
