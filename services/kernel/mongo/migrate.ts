import { z } from "zod";
import { readConfig, serviceEnv } from "../process/config.js";
import { createLogger } from "../process/log.js";
import { endFailed } from "../process/run-process.js";
import type { Migration } from "./migrations.js";
import { openDatabase } from "./open-database.js";

const migrateEnv = serviceEnv.pick({ MONGODB_URI: true, MONGODB_DATABASE: true, LOG_LEVEL: true }).extend({
  BOOT_WAIT_S: z.coerce.number().int().min(0).max(3_600).default(300),
});

/**
 * Brings a service's database to this version and ends: what a job runs before the service is
 * rolled. Safe to run twice.
 */
export async function migrateDatabase(service: string, migrations: readonly Migration[]): Promise<void> {
  const name = `${service}-migrate`;
  try {
    const config = readConfig(migrateEnv);
    const log = createLogger({ service: name, level: config.LOG_LEVEL });
    const { close } = await openDatabase({ ...config, MIGRATE_AT_BOOT: true }, { migrations, log });
    await close();
    log.info("the database is up to date");
  } catch (error) {
    endFailed(name, error);
  }
}
