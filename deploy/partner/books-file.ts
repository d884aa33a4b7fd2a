import { DatabaseSync } from "node:sqlite";

/** The partner's SQLite file, with tables (DDL) that are made where they are not there yet. */
export function openBooksFile(file: string, tables: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 3000; ${tables}`);
  return db;
}
