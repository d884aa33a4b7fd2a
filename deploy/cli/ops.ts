import { randomUUID } from "node:crypto";
import { InvestmentServiceDefinition } from "../../proto/gen/investment/v1/investment.js";
import { LedgerServiceDefinition } from "../../proto/gen/ledger/v1/ledger.js";
import { LendingServiceDefinition } from "../../proto/gen/lending/v1/lending.js";
import { OutboxServiceDefinition, type OutboxRow } from "../../proto/gen/operations/v1/outbox.js";
import { RemittanceServiceDefinition } from "../../proto/gen/remittance/v1/remittance.js";
import { WalletServiceDefinition } from "../../proto/gen/wallet/v1/wallet.js";
import type { ServiceName } from "../../services/kernel/grpc/context.js";
import { createClient, outgoing, type Client } from "../../services/kernel/grpc/client.js";
import { formatMoney, money } from "../../services/kernel/money.js";
import { readAgainIfDifferent } from "../../services/kernel/time/second-reading.js";
import { openOperatorReach, type OperatorReach } from "../local/operator-access.js";
import type { DatabaseCommand } from "./database-arguments.js";
import { runDatabaseCommand } from "./database-commands.js";
import { asksForHelp, misuseText, outliveReaders } from "./help.js";
import { compareWallet } from "./reconcile-wallet.js";
import { opsUsage, readOpsArguments, type OpsCommand } from "./ops-arguments.js";

/** Services whose work is kept in an outbox. */
const withOutbox = ["wallet", "remittance", "lending", "identity", "compliance", "investment", "events"] as const;

type Where = { service?: string; tenant?: string };

/**
 * What operators do with the cluster that the environment names or that runs on DATA_DIR, with the
 * operator's credential.
 */
async function main(command: Exclude<OpsCommand, DatabaseCommand>): Promise<void> {
  const cluster = await openOperatorReach();
  opened.push(cluster);
  switch (command.name) {
    case "outbox list":
      return list(cluster, command);
    case "outbox show": {
      const found = await findRow(cluster, command.row, command);
      const { row } = await found.outbox.showRow({ tenantId: found.tenantId, rowId: command.row }, call());
      return print(JSON.stringify({ service: found.service, ...row }, bigAsText, 2));
    }
    case "outbox retry":
    case "outbox drop": {
      const found = await findRow(cluster, command.row, command);
      const { who, why, row: rowId } = command;
      const request = { tenantId: found.tenantId, rowId, who, why };
      const decide = command.name === "outbox retry" ? found.outbox.retryRow : found.outbox.dropRow;
      const { row } = await decide(request, call());
      return print(`${found.service} ${row?.aggregate ?? ""} ${row?.kind ?? ""}: ${row?.state ?? ""}`);
    }
    case "reconcile all":
      return reconcileAll(cluster, command.tenant);
    case "reconcile payouts":
      return reconcile(cluster, command);
    case "reconcile investment":
      return reconcileInvestment(cluster, { tenant: command.tenant });
    case "reconcile wallet":
      return reconcileWallet(cluster, command.tenant);
    case "reconcile lending":
      return reconcileLending(cluster, command.tenant);
  }
}

async function list(cluster: OperatorReach, command: OpsCommand & { name: "outbox list" }): Promise<void> {
  const { tenant = "", state, limit } = command;
  let count = 0;
  for (const service of servicesOf(cluster, command)) {
    const { rows } = await outboxOf(cluster, service).listRows({ tenantId: tenant, state, limit }, call());
    for (const row of rows) print(lineOf(service, row));
    count += rows.length;
  }
  print(count === 0 ? `no rows are ${state}` : `${count} rows are ${state}`);
}

function lineOf(service: string, row: OutboxRow): string {
  const { rowId, tenantId, aggregate, kind, attempts, lastError, dueAt, createdAt } = row;
  const times = `since ${timeText(createdAt)}, ${attempts} tries, due ${timeText(dueAt)}`;
  return `${rowId}  ${service}  ${tenantId}  ${kind}  ${aggregate}\n    ${times}${lastError === "" ? "" : `\n    ${lastError}`}`;
}

interface FoundRow {
  service: string;
  tenantId: string;
  outbox: Client<OutboxServiceDefinition>;
}

/** By its id alone among what is parked; in any state where service and tenant are named. */
async function findRow(cluster: OperatorReach, rowId: string, where: Where): Promise<FoundRow> {
  const { service, tenant } = where;
  if (service !== undefined && tenant !== undefined) {
    return { service, tenantId: tenant, outbox: outboxOf(cluster, service) };
  }
  for (const each of servicesOf(cluster, where)) {
    const outbox = outboxOf(cluster, each);
    for (let after = ""; ;) {
      const { rows } = await outbox.listRows({ tenantId: tenant ?? "", state: "PARKED", limit: 500, after }, call());
      const found = rows.find((row) => row.rowId === rowId);
      if (found !== undefined) return { service: each, tenantId: found.tenantId, outbox };
      if (rows.length < 500) break;
      after = rows.at(-1)?.rowId ?? "";
    }
  }
  throw new Error(`no parked row is ${rowId}: see \`outbox list\`, or name --service and --tenant`);
}

/** Every comparison, one after the other: what one of them finds does not keep the next from it. */
async function reconcileAll(cluster: OperatorReach, tenant: string): Promise<void> {
  const all = {
    payouts: () => reconcile(cluster, { name: "reconcile payouts", tenant }),
    wallet: () => reconcileWallet(cluster, tenant),
    lending: () => reconcileLending(cluster, tenant),
    investment: () => reconcileInvestment(cluster, { tenant }),
    parked: () => list(cluster, { name: "outbox list", tenant, state: "PARKED", limit: 500 }),
  };
  for (const [name, compare] of Object.entries(all)) {
    print(`-- ${name}`);
    try {
      await compare();
    } catch (error) {
      print((error as Error).message);
      process.exitCode = 1;
    }
  }
}

/** Each answer is printed as it comes: neither side holds more than some thousand payouts. */
async function reconcile(cluster: OperatorReach, command: OpsCommand & { name: "reconcile payouts" }): Promise<void> {
  const { tenant, from, to = new Date() } = command;
  const remittance = clientOf(cluster, RemittanceServiceDefinition, "remittance");
  const total = { lines: 0, transactions: 0, differences: 0 };
  const notRead = new Map<string, string>();
  let cursor = "";
  do {
    const { statementLines, transactions, differences, nextCursor, unread } = await remittance.reconcilePayouts(
      { ...(from && { from }), to, cursor },
      outgoing({ tenantId: tenant, interactionId: randomUUID() }, { timeoutMs: 300_000 }),
    );
    for (const { kind, reference, status, partner, platform } of differences) {
      print(`${kind}\n  ${reference} ${status}\n    partner: ${partner}\n    here: ${platform}`);
    }
    for (const { installationId, reason } of unread) notRead.set(installationId, reason);
    total.lines += statementLines;
    total.transactions += transactions;
    total.differences += differences.length;
    cursor = nextCursor;
  } while (cursor !== "");
  print(`${total.lines} lines of the partner, ${total.transactions} transactions, ${total.differences} differences`);
  for (const [installationId, reason] of notRead) {
    print(
      `not compared: ${installationId === "" ? "the operator's default partner" : `plugin ${installationId}`}: ${reason}`,
    );
  }
  if (total.differences > 0 || notRead.size > 0) process.exitCode = 1;
}

/** Prints what differs between wallet, remittance and ledger. */
async function reconcileWallet(cluster: OperatorReach, tenant: string): Promise<void> {
  const { bookings, transfers, inFlight, differences } = await readAgainIfDifferent(() =>
    compareWallet({
      wallet: clientOf(cluster, WalletServiceDefinition, "wallet"),
      ledger: clientOf(cluster, LedgerServiceDefinition, "ledger"),
      remittance: clientOf(cluster, RemittanceServiceDefinition, "remittance"),
      call: () => outgoing({ tenantId: tenant, interactionId: randomUUID() }, { timeoutMs: 60_000 }),
    }),
  );
  for (const { kind, subject, wallet, found } of differences) {
    print(`${kind} ${subject}\n    wallet: ${wallet}\n    found: ${found}`);
  }
  const underWay = inFlight === 0 ? "" : `; ${inFlight} under way, which may explain them: try again`;
  print(`${bookings} bookings, ${transfers} transfers, ${differences.length} differences${underWay}`);
  if (differences.length > 0) process.exitCode = 1;
}

async function reconcileLending(cluster: OperatorReach, tenant: string): Promise<void> {
  const lending = clientOf(cluster, LendingServiceDefinition, "lending");
  const call = outgoing({ tenantId: tenant, interactionId: randomUUID() }, { timeoutMs: 300_000 });
  const { loans, accounts, openPostings, differences } = await lending.reconcileLoans({}, call);
  const text = (amount: { amountMinor: bigint; currency: string } | undefined): string =>
    amount === undefined ? "?" : `${formatMoney(money(amount.amountMinor, amount.currency))} ${amount.currency}`;
  for (const { accountId, loans: wanted, ledger } of differences) {
    print(`${accountId}\n    loans: ${text(wanted)}\n    ledger: ${text(ledger)}`);
  }
  const underWay = openPostings === 0n ? "" : `; ${openPostings} postings are under way and counted`;
  print(`${loans} loans, ${accounts} accounts, ${differences.length} differences${underWay}`);
  if (differences.length > 0) process.exitCode = 1;
}

async function reconcileInvestment(cluster: OperatorReach, { tenant }: { tenant: string }): Promise<void> {
  const investment = clientOf(cluster, InvestmentServiceDefinition, "investment");
  const call = outgoing({ tenantId: tenant, interactionId: randomUUID() }, { timeoutMs: 300_000 });
  const { holdings, differences, inFlight } = await investment.reconcileInvestments({}, call);
  for (const { kind, subject, expected, found } of differences) {
    print(`${kind} ${subject}\n    holdings: ${expected}\n    found: ${found}`);
  }
  const underWay = inFlight === 0n ? "" : `; ${inFlight} under way, which may explain them: try again`;
  print(`${holdings} holdings, ${differences.length} differences${underWay}`);
  if (differences.length > 0) process.exitCode = 1;
}

function servicesOf(cluster: OperatorReach, { service }: Where): readonly string[] {
  if (service === undefined) return withOutbox.filter((one) => one !== "investment" || cluster.has(one));
  if (!(withOutbox as readonly string[]).includes(service)) throw new Error(`${service} has no outbox`);
  return [service];
}

const opened: { close(): void }[] = [];

function outboxOf(cluster: OperatorReach, service: string): Client<OutboxServiceDefinition> {
  return clientOf(cluster, OutboxServiceDefinition, service);
}

function clientOf<Def extends Parameters<typeof createClient>[0]>(
  { addressOf, signer }: OperatorReach,
  definition: Def,
  service: string,
): Client<Def> {
  const client = createClient(definition, { address: addressOf(service), audience: service as ServiceName, signer });
  opened.push(client);
  return client;
}

function call() {
  return outgoing({ tenantId: "", interactionId: randomUUID() });
}

function timeText(time: Date | undefined): string {
  return time?.toISOString() ?? "?";
}

function bigAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function isOfDatabases(command: OpsCommand): command is DatabaseCommand {
  return /^(tenant|shards|backup) /.test(command.name);
}

/** Wrong arguments show the usage; what fails afterwards is one sentence. */
async function run(args: readonly string[]): Promise<void> {
  if (asksForHelp(args)) return print(opsUsage);
  let command: OpsCommand;
  try {
    command = readOpsArguments(args);
  } catch (error) {
    console.error(misuseText(error, opsUsage));
    process.exitCode = 2;
    return;
  }
  try {
    if (isOfDatabases(command)) process.exitCode = (await runDatabaseCommand(command, print)) ? 0 : 1;
    else await main(command);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  } finally {
    for (const client of opened) client.close();
  }
}

outliveReaders();
await run(process.argv.slice(2));
