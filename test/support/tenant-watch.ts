import mongoose, { type Connection } from "mongoose";
import { watchTenantCommands, type TenantWatch } from "./command-monitor.js";

const watches = new Map<Connection, TenantWatch>();

// Every connection that this test file makes, also those inside the services it starts.
(mongoose as unknown as { events: NodeJS.EventEmitter }).events.on("createConnection", (db: Connection) => {
  db.once("open", () => watches.set(db, watchTenantCommands(db.getClient())));
});

/**
 * What was sent without a tenant since it was asked last. A test that provokes violations on
 * purpose calls this itself.
 */
export function takeViolations(): string[] {
  return [...watches.values()].flatMap((watch) => {
    const found = watch.violations();
    if (found.length > 0) watch.reset();
    return found;
  });
}

/** A Jest setup file: any test fails whose code sent a MongoDB command without a tenant. */
if (typeof afterEach === "function") {
  afterEach(() => {
    const found = takeViolations();
    if (found.length > 0) throw new Error(`commands without a tenant:\n  ${found.join("\n  ")}`);
  });
}
