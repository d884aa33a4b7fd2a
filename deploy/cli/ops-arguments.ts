import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { databaseUsage, readDatabaseCommand, type DatabaseCommand } from "./database-arguments.js";

export type OpsCommand =
  | DatabaseCommand
  | { name: "outbox list"; service?: string; tenant?: string; state: string; limit: number }
  | { name: "outbox show"; row: string; service?: string; tenant?: string }
  | { name: "outbox retry" | "outbox drop"; row: string; service?: string; tenant?: string; who: string; why: string }
  | { name: "reconcile payouts"; tenant: string; from?: Date; to?: Date }
  | { name: "reconcile all" | "reconcile investment" | "reconcile lending" | "reconcile wallet"; tenant: string };

export const opsUsage = `npm run ops -- outbox list [--state STATE] [--service NAME] [--tenant ID] [--limit N]
                                               work that is PARKED (or DUE, DONE, CANCELLED, DROPPED), with its reason
npm run ops -- outbox show ROW                 one row with its payload and what operators did to it
npm run ops -- outbox retry ROW --why TEXT     tries a parked row again, at once
npm run ops -- outbox drop ROW --why TEXT      gives a parked row up: what waits behind it goes on
npm run ops -- reconcile payouts --tenant ID [--from TIME] [--to TIME]
                                               partner's statement against transactions and ledger; status 1 where they differ
npm run ops -- reconcile investment --tenant ID
                                               holdings against customers' sums, units and ledger; status 1 where they differ
npm run ops -- reconcile wallet --tenant ID    wallet, remittance and ledger, in both directions, and the trial balance; status 1 where they differ
npm run ops -- reconcile lending --tenant ID   every loan against its ledger accounts, to the minor unit; status 1 where they differ

npm run ops -- reconcile all --tenant ID       all four, and what is parked; status 1 where anything differs: for after a restore
${databaseUsage}

  --service NAME   wallet, remittance, lending, identity, compliance, investment or events; all of them when absent
  --tenant ID      the tenant; all of them when absent
  --who NAME       who decides, kept with the row; the name of this machine's user when absent
  --from, --to     ISO 8601, such as 2026-11-21T00:00:00Z; of \`tenant copy\` a PLACE
  PLACE            a connection string, or a file of JSON: {"*": "mongodb://…", "ledger": "mongodb://…"}; MONGODB_URI when absent
  --take-lock      of \`tenant\` and \`backup\`: goes past the lock of a tool that was killed; \`tenant holds\` shows whose it is`;

/** Reads the command line. Throws an Error with a sentence for what it does not understand. */
export function readOpsArguments(args: readonly string[]): OpsCommand {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      service: { type: "string" },
      tenant: { type: "string" },
      state: { type: "string", default: "PARKED" },
      limit: { type: "string", default: "50" },
      who: { type: "string" },
      why: { type: "string" },
      from: { type: "string" },
      to: { type: "string" },
      uri: { type: "string" },
      shard: { type: "string" },
      run: { type: "string" },
      "run-minutes": { type: "string" },
      "dry-run": { type: "boolean" },
      "take-lock": { type: "boolean" },
    },
  });
  const name = positionals.slice(0, 2).join(" ");
  const ofDatabases = readDatabaseCommand(name, values);
  if (ofDatabases !== undefined) return ofDatabases;
  const { service, tenant } = values;
  const where = { ...(service !== undefined && { service }), ...(tenant !== undefined && { tenant }) };
  switch (name) {
    case "outbox list":
      return { name, ...where, state: values.state.toUpperCase(), limit: countOf(values.limit) };
    case "outbox show":
      return { name, ...where, row: rowOf(positionals) };
    case "outbox retry":
    case "outbox drop": {
      const { who = userInfo().username, why = "" } = values;
      if (why.trim() === "") throw new Error("--why says why: it is kept with the row");
      return { name, ...where, row: rowOf(positionals), who, why };
    }
    case "reconcile all":
      if (tenant === undefined) throw new Error("--tenant names the tenant whose books are compared");
      return { name, tenant };
    case "reconcile investment":
      if (tenant === undefined) throw new Error("--tenant names the tenant whose investments are compared");
      return { name, tenant };
    case "reconcile wallet":
      if (tenant === undefined) throw new Error("--tenant names the tenant whose wallets are compared");
      return { name, tenant };
    case "reconcile lending":
      if (tenant === undefined) throw new Error("--tenant names the tenant whose loans are compared");
      return { name, tenant };
    case "reconcile payouts":
      if (tenant === undefined) throw new Error("--tenant names the tenant whose payouts are compared");
      return {
        name,
        tenant,
        ...(values.from !== undefined && { from: timeOf(values.from, "--from") }),
        ...(values.to !== undefined && { to: timeOf(values.to, "--to") }),
      };
    default:
      throw new Error(name === "" ? "name a command" : `there is no command ${name}`);
  }
}

function rowOf([, , row]: readonly string[]): string {
  if (row === undefined) throw new Error("name the row: see `outbox list`");
  return row;
}

function countOf(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 500) throw new Error("--limit must be 1 to 500");
  return count;
}

function timeOf(text: string, option: string): Date {
  const time = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(time.getTime())) throw new Error(`${option} must be ISO 8601`);
  return time;
}
