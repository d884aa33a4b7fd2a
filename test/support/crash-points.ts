import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Names of all crash points that a service's sources declare, in the order of its files. */
export function declaredCrashPoints(service: string): string[] {
  const folder = join("services", service);
  const names = new Set<string>();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
    const text = readFileSync(join(folder, file), "utf8");
    for (const [, name] of text.matchAll(/crashPoint\("([^"]+)"\)/g)) names.add(name as string);
  }
  return [...names];
}

const paymentSagas = [
  /^wallet\.(account|deposit)\.|^wallet\.payment\.(?!(checked|settled)$)/,
  // Refunds that staff ask for are stopped in test/faults/desk-crash-points.test.ts.
  /^remittance\.(create|claim|paid|payout|batch|settle|refund|release|expired|cancel)\.(?!asked$|request-)|^remittance\.cancel\.asked$/,
  /^ledger\.group\./,
  /^compliance\.(check|reservations?)\./,
];

/**
 * Whether a payment for a transaction, its payout or its refund passes it;
 * test/faults/payment-crash-points.test.ts kills there.
 */
export function isPaymentPoint(name: string): boolean {
  return paymentSagas.some((saga) => saga.test(name));
}

/**
 * Whether a load of a screening list passes it;
 * test/faults/screening-list-kills.test.ts kills there.
 */
export function isListLoadPoint(name: string): boolean {
  return /^compliance\.list\.(entries|read|swapped)$/.test(name);
}

/**
 * Whether a decision on a hit, or what follows from it, passes it;
 * test/faults/screening-hit-kills.test.ts kills there.
 */
export function isHitPoint(name: string): boolean {
  return /^compliance\.(hit|block|release|wallets|exemption)\./.test(name);
}

/**
 * Whether it is passed where somebody is compared with lists;
 * test/faults/screening-kills.test.ts kills there.
 */
export function isScreeningPoint(name: string): boolean {
  return /^compliance\.(screening|person)\./.test(name);
}

/**
 * Whether a check of somebody's identity passes it;
 * test/faults/identity-check-kills.test.ts kills there.
 */
export function isIdentityCheckPoint(name: string): boolean {
  return name.startsWith("compliance.identity.");
}

/**
 * The environment of a service that dies at the point that a file names: it serves at once, and
 * what it had begun is soon free.
 */
export const killedAt = (pointFile: string) => ({
  CRASH_POINT_FILE: pointFile,
  WARM_UP_S: "0",
  CRASH_LEASE_MS: "2000",
});
