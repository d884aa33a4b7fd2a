/**
 * A plain runner: tests in order, since each changes the one cluster; what needs a failed one is
 * skipped.
 */
export interface Test {
  group: string;
  name: string;
  /** What follows stands on it, and is skipped where it fails. */
  isNeeded?: boolean;
  run(): Promise<string | void>;
}

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** Thrown by a test that cannot run here; says why. */
export class Skip extends Error {}

/** Runs the tests; prints one line each. */
export async function runTests(tests: readonly Test[]): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  let isLost = false;
  for (const { group, name, isNeeded = false, run } of tests) {
    const startedAt = performance.now();
    const say = (mark: string, more = "") => {
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(7);
      console.log(`${seconds} s  ${mark} ${group}: ${name}${more}`);
    };
    if (isLost) {
      counts.skipped++;
      say("-", " (needs what failed)");
      continue;
    }
    try {
      const figures = await run();
      counts.passed++;
      say("✓", typeof figures === "string" ? ` (${figures})` : "");
    } catch (error) {
      if (error instanceof Skip) {
        counts.skipped++;
        say("-", ` (${error.message})`);
        continue;
      }
      counts.failed++;
      say("✗");
      console.log(indent(error instanceof Error ? (error.stack ?? error.message) : String(error)));
      isLost = isNeeded;
    }
  }
  return counts;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "           ");
}

/** Throws with `message` unless `condition` holds. */
export function check(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}
