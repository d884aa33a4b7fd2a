import type { mongo } from "mongoose";
import { wholeCollections } from "../../services/kernel/mongo/sharding.js";
import { acrossTenantsComment } from "../../services/kernel/mongo/tenant-collection.js";

type Command = Record<string, unknown>;

export interface TenantWatch {
  /** What was sent without a tenant so far, as readable lines. */
  violations(): string[];
  /** Commands sent so far, by name: for tests that count round trips. */
  counts(): Record<string, number>;
  reset(): void;
  stop(): void;
}

/**
 * Watches what a client sends, past every wrapper: each find, count, distinct, update, insert,
 * delete, aggregate and findAndModify must hold a tenant in every filter and document, or say with
 * its comment that it crosses tenants on purpose. For tests; the client must have been made with
 * `monitorCommands`.
 */
export function watchTenantCommands(client: mongo.MongoClient): TenantWatch {
  const found: string[] = [];
  const seen: Record<string, number> = {};
  const watch = ({ commandName, command, databaseName }: mongo.CommandStartedEvent): void => {
    seen[commandName] = (seen[commandName] ?? 0) + 1;
    if (["admin", "config", "local"].includes(databaseName)) return;
    const fault = faultOf(commandName, command as Command);
    if (fault !== undefined) found.push(`${commandName} ${String((command as Command)[commandName])}: ${fault}`);
  };
  client.on("commandStarted", watch);
  return {
    violations: () => [...found],
    counts: () => ({ ...seen }),
    reset() {
      found.length = 0;
      for (const name of Object.keys(seen)) delete seen[name];
    },
    stop: () => void client.off("commandStarted", watch),
  };
}

function faultOf(name: string, command: Command): string | undefined {
  const comment = command["comment"];
  if (typeof comment === "string" && comment.startsWith(acrossTenantsComment)) return shardFault(name, command);
  switch (name) {
    case "find":
      return filterFault(command["filter"]);
    case "count":
    case "distinct":
    case "findAndModify":
      return filterFault(command["query"]);
    case "update":
      return firstFault(command["updates"], (row) => filterFault(row["q"]));
    case "delete":
      return firstFault(command["deletes"], (row) => filterFault(row["q"]));
    case "insert":
      return firstFault(command["documents"], (row) =>
        isTenant(row["tenantId"]) ? undefined : "document of no tenant",
      );
    case "aggregate":
      return pipelineFault(command["pipeline"]);
    case "mapReduce":
    case "bulkWrite":
      return "never allowed";
    default:
      return undefined;
  }
}

/**
 * What a router of a sharded cluster refuses of a command that crosses tenants: to change one
 * document, or to make one, without naming the tenant it is of. Reads and changes of many ask every
 * shard.
 */
function shardFault(name: string, command: Command): string | undefined {
  if (wholeCollections.has(String(command[name]))) return undefined;
  switch (name) {
    case "findAndModify":
      return filterFault(command["query"]);
    case "update":
      return firstFault(command["updates"], ({ q, upsert, multi }) =>
        upsert === true || (multi !== true && !isOneId(q)) ? filterFault(q) : undefined,
      );
    case "delete":
      return firstFault(command["deletes"], ({ q, limit }) =>
        Number(limit) === 1 && !isOneId(q) ? filterFault(q) : undefined,
      );
    default:
      return undefined;
  }
}

/** One document by its id is found on whichever shard it is. */
function isOneId(filter: unknown): boolean {
  const id = (filter as Command | undefined)?.["_id"];
  return (
    id !== undefined && (typeof id !== "object" || id === null || !Object.keys(id).some((key) => key.startsWith("$")))
  );
}

function firstFault(rows: unknown, faultOfRow: (row: Command) => string | undefined): string | undefined {
  if (!Array.isArray(rows)) return "unreadable";
  return rows.map((row: Command) => faultOfRow(row)).find((fault) => fault !== undefined);
}

function isTenant(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function filterFault(filter: unknown): string | undefined {
  const tenant = (filter as Command | undefined)?.["tenantId"];
  const equal = isTenant(tenant) || isTenant((tenant as Command | undefined)?.["$eq"]);
  return equal ? undefined : "filter without a tenant";
}

function pipelineFault(pipeline: unknown): string | undefined {
  if (!Array.isArray(pipeline)) return "unreadable";
  const reaching = /"\$(lookup|graphLookup|unionWith|out|merge)"/.exec(
    JSON.stringify(pipeline, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value)),
  );
  if (reaching) return `reaches another collection by $${reaching[1]}`;
  return filterFault((pipeline[0] as Command | undefined)?.["$match"]);
}
