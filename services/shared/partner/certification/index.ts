import { orderChecks, unknownChecks, type Check } from "./order-checks.js";
import type { PluginCheck } from "../../plugins/test-runs.js";
import { otherChecks, outcomeChecks } from "./outcome-checks.js";
import { CheckFailed, createTestPartner, LeftOut, type CertificationTarget } from "./test-partner.js";

export type { CertificationTarget } from "./test-partner.js";

/** What a payout connector must do, by name. */
export const payoutChecks: readonly Check[] = [...orderChecks, ...unknownChecks, ...outcomeChecks, ...otherChecks];

// Some wait for the partner: together they take less than a manager waits.
const atOnce = 5;

/** Whether a partner is a payout connector. Never throws. */
export const certify = (target: CertificationTarget): Promise<PluginCheck[]> => runChecks(payoutChecks, target);

/** Runs checks against a partner; reports come in the checks' order. Never throws. */
export async function runChecks(checks: readonly Check[], target: CertificationTarget): Promise<PluginCheck[]> {
  const partner = createTestPartner(target);
  const reports: PluginCheck[] = [];
  let next = 0;
  async function work(): Promise<void> {
    while (next < checks.length) {
      const index = next;
      next += 1;
      reports[index] = await report(checks[index]!, partner);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return reports;
}

async function report({ name, run }: Check, partner: ReturnType<typeof createTestPartner>): Promise<PluginCheck> {
  const startedAt = performance.now();
  const ended = (result: PluginCheck["result"], detail = "") => ({
    name,
    result,
    detail,
    durationMs: Math.round(performance.now() - startedAt),
  });
  try {
    await run(partner);
    return ended("PASSED");
  } catch (error) {
    if (error instanceof LeftOut) return ended("LEFT_OUT", error.message);
    if (error instanceof CheckFailed) return ended("FAILED", error.message);
    return ended("FAILED", `the check itself failed: ${(error as Error).name}`);
  }
}
