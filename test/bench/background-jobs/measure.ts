import type { mongo, Connection } from "mongoose";
import { cpuOf } from "../process-cpu.js";

export interface Row {
  job: string;
  rows: number;
  commandsPerRow: number;
  /** Of the process that does the job, by its own count. */
  ownMs: number;
  mongodMs: number;
}

const uncounted = new Set(["hello", "ping", "endSessions"]);

/** What some work on so many rows costs: commands to MongoDB, and CPU on both sides. */
export async function measure(
  job: string,
  { db, mongod }: { db: Connection; mongod: number },
  rows: number,
  work: () => Promise<unknown>,
): Promise<Row> {
  let commands = 0;
  const count = ({ commandName }: mongo.CommandStartedEvent) => {
    if (!uncounted.has(commandName)) commands += 1;
  };
  const client = db.getClient();
  client.on("commandStarted", count);
  const before = { own: process.cpuUsage(), mongod: cpuOf({ mongod })["mongod"]! };
  await work();
  const { user, system } = process.cpuUsage(before.own);
  client.off("commandStarted", count);
  return {
    job,
    rows,
    commandsPerRow: commands / rows,
    ownMs: (user + system) / 1_000 / rows,
    mongodMs: (cpuOf({ mongod })["mongod"]! - before.mongod) / rows,
  };
}

export function lineOf({ job, rows, commandsPerRow, ownMs, mongodMs }: Row): string {
  return `| ${job} | ${rows} | ${commandsPerRow.toFixed(2)} | ${ownMs.toFixed(2)} | ${mongodMs.toFixed(2)} | ${(ownMs + mongodMs).toFixed(2)} |`;
}
