export type DatabaseCommand =
  | { name: "shards prepare"; uri: string; isDryRun: boolean }
  | { name: "shards zones"; uri: string; tenant: string; shard: string; isDryRun: boolean }
  | { name: "shards check"; uri: string }
  | { name: "tenant hold" | "tenant release"; uri: string; tenant: string; takesLock: boolean }
  | { name: "tenant end-sessions"; uri: string; tenant: string }
  | { name: "tenant holds"; uri: string }
  | { name: "tenant copy"; from: string; to: string; tenant: string; takesLock: boolean }
  | { name: "tenant compare"; from: string; to: string; tenant: string }
  | { name: "backup barrier"; uri: string; run?: string; runMinutes: number; takesLock: boolean };

export const databaseUsage = `npm run ops -- tenant hold --tenant ID [--uri PLACE]
                                               MongoDB refuses to write the tenant's documents, whoever asks; \`tenant release\` ends it, \`tenant holds\` lists
npm run ops -- tenant end-sessions --tenant ID [--uri PLACE]
                                               after a restore: ends all that people are signed in by; '*' those of all tenants
npm run ops -- tenant copy --tenant ID --from PLACE --to PLACE
                                               holds the tenant on both sides, copies it and proves that both are the same; safe to run again
npm run ops -- tenant compare --tenant ID --from PLACE --to PLACE
                                               counts, digests, the ledger's chain and trial balance of both sides; status 1 where they differ
npm run ops -- backup barrier [--uri PLACE] [--run SCRIPT] [--run-minutes N]
                                               stops all writes for a moment and prints each database's time, to restore each to; SCRIPT runs meanwhile,
                                               10 minutes at most where N says nothing else
npm run ops -- shards prepare [--uri URI] [--dry-run]
                                               shards by tenant what the migrations have made; prints each command
npm run ops -- shards zones --tenant ID --shard NAME [--uri URI] [--dry-run]
                                               keeps a tenant's documents of all collections on one shard; prints each command
npm run ops -- shards check [--uri URI]        runs the suite against an empty sharded cluster: all is sharded, no transaction leaves its shard`;

export interface DatabaseOptions {
  tenant?: string | undefined;
  uri?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  shard?: string | undefined;
  run?: string | undefined;
  "run-minutes"?: string | undefined;
  "dry-run"?: boolean | undefined;
  "take-lock"?: boolean | undefined;
}

/**
 * Undefined for a command of another kind. Throws an Error that names the option that is missing.
 */
export function readDatabaseCommand(
  name: string,
  given: DatabaseOptions,
  env: NodeJS.ProcessEnv = process.env,
): DatabaseCommand | undefined {
  const uri = () => needed(given.uri ?? env["MONGODB_URI"], "--uri or MONGODB_URI says where the databases are");
  const tenant = () => needed(given.tenant, "--tenant names the tenant");
  const isDryRun = given["dry-run"] === true;
  const takesLock = given["take-lock"] === true;
  switch (name) {
    case "shards prepare":
      return { name, uri: uri(), isDryRun };
    case "shards zones":
      return { name, uri: uri(), tenant: tenant(), shard: needed(given.shard, "--shard names the shard"), isDryRun };
    case "shards check":
    case "tenant holds":
      return { name, uri: uri() };
    case "tenant end-sessions":
      return { name, uri: uri(), tenant: tenant() };
    case "tenant hold":
    case "tenant release":
      return { name, uri: uri(), tenant: tenant(), takesLock };
    case "tenant copy":
    case "tenant compare": {
      const from = needed(given.from, "--from says where the tenant is");
      const both = { from, to: needed(given.to, "--to says where it goes"), tenant: tenant() };
      return name === "tenant copy" ? { name, ...both, takesLock } : { name, ...both };
    }
    case "backup barrier":
      return {
        name,
        uri: uri(),
        takesLock,
        runMinutes: minutesOf(given["run-minutes"] ?? "10"),
        ...(given.run !== undefined && { run: given.run }),
      };
    default:
      return undefined;
  }
}

function minutesOf(text: string): number {
  const minutes = Number(text);
  if (!(minutes > 0 && minutes <= 1_440)) throw new Error("--run-minutes must be above 0 and at most 1440");
  return minutes;
}

function needed(value: string | undefined, fault: string): string {
  if (value === undefined || value === "") throw new Error(fault);
  return value;
}
