import { bankChecks } from "./bank-checks.js";
import { cardChecks } from "./card-checks.js";
import { createMoneyPartner } from "./money-partner.js";
import { orderChecks, unknownChecks, type Check } from "./order-checks.js";
import { payeeChecks } from "./payee-checks.js";
import type { PluginCheck } from "../plugins/test-runs.js";
import type { PayoutContract } from "../plugins/payout-version.js";
import { otherChecks, outcomeChecks } from "./outcome-checks.js";
import { partyChecks } from "./party-checks.js";
import { CheckFailed, createTestPartner, LeftOut, type CertificationTarget } from "./test-partner.js";

export type { CertificationTarget } from "./test-partner.js";

const allContracts: readonly Check[] = [...orderChecks, ...unknownChecks, ...outcomeChecks, ...otherChecks];

/** What a payout connector must do, by the contract that it speaks. */
export const payoutChecks: Readonly<Record<PayoutContract, readonly Check[]>> = {
  1: allContracts,
  // It may still be sent an order again that was made while it spoke 1.
  2: [...allContracts, ...partyChecks],
};

export const certifiedKinds = ["PAYOUT", "BANK", "CARD", "PAYEE_CHECK"] as const;
export type CertifiedKind = (typeof certifiedKinds)[number];

// Some wait for the partner: together they take less than a manager waits.
const atOnce = 5;

/** Runs all checks of a kind against a partner; reports come in the checks' order. Never throws. */
export function certify(target: CertificationTarget, kind: CertifiedKind = "PAYOUT"): Promise<PluginCheck[]> {
  if (kind === "BANK") return runAll(bankChecks, createMoneyPartner(target, "transfers"));
  if (kind === "CARD") return runAll(cardChecks, createMoneyPartner(target, "card-charges"));
  if (kind === "PAYEE_CHECK") return runChecks(payeeChecks, target);
  return runAll(payoutChecks[target.contract ?? 1], createTestPartner(target));
}

/** Checks of another partner that knows us by a key, such as one that verifies contacts. */
export const runChecks = (checks: readonly Check[], target: CertificationTarget): Promise<PluginCheck[]> =>
  runAll(checks, createTestPartner(target));

interface CheckOf<Partner> {
  name: string;
  run: (partner: Partner) => Promise<void>;
}

async function runAll<Partner>(checks: readonly CheckOf<Partner>[], partner: Partner): Promise<PluginCheck[]> {
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

async function report<Partner>({ name, run }: CheckOf<Partner>, partner: Partner): Promise<PluginCheck> {
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
