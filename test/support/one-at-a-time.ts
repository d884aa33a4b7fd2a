import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "./index.js";

/**
 * Tests of this file run while no test of another such file does: they move money of the same
 * wallets, or compare what is in them. All test files of a run share one cluster.
 */
export function oneAtATime(): void {
  const folder = join(process.env["E2E_DATA_DIR"] ?? "", "wallets-in-use");
  let isOurs = false;
  beforeEach(async () => {
    isOurs = await waitFor(() => isTaken(folder), { timeoutMs: 240_000, what: "another test to leave the wallets" });
  }, 250_000);
  afterEach(() => {
    if (isOurs) rmdirSync(folder);
    isOurs = false;
  });
}

function isTaken(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
