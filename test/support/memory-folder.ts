import { existsSync } from "node:fs";
import { tmpdir } from "node:os";

/**
 * Where a test's servers keep their files: in memory where the machine has it, below the run's
 * own folder where a run gives one.
 */
export function memoryFolder(): string {
  return process.env["TEST_MEMORY_DIR"] ?? (existsSync("/dev/shm") ? "/dev/shm" : tmpdir());
}
