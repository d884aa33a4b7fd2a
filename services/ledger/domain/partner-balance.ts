import type { Account } from "./model.js";

/** Of whom accounts of these codes are: payout partners, card acquirers, banks, billers. */
export const partnerCodes = [
  "bank_settlement",
  "card_settlement",
  "lending_bank_settlement",
  "lending_card_settlement",
  "merchant_settlement",
  "partner_settlement",
] as const;
export type PartnerCode = (typeof partnerCodes)[number];

/** Through the others nothing is paid out: what leaves an acquirer's account was paid to us. */
const acquirers: readonly PartnerCode[] = ["card_settlement", "lending_card_settlement"];

export function isPartnerCode(code: string): code is PartnerCode {
  return partnerCodes.some((one) => one === code);
}

export const paysOut = (code: PartnerCode): boolean => !acquirers.includes(code);

/** Minor units. One of the first two is 0. */
export interface Standing {
  /** What we owe the partner. */
  readonly owedMinor: bigint;
  /** What it holds of ours. */
  readonly prefundedMinor: bigint;
  /** Of pending transfers that take from the account. */
  readonly reservedMinor: bigint;
  /** What it holds less what is reserved; below zero where we owe. */
  readonly availableMinor: bigint;
}

/** The same of assets and liabilities: debits are ours, credits the partner's. */
export function standingOf({ figures }: Pick<Account, "figures">): Standing {
  const { debitsPostedMinor, creditsPostedMinor, creditsPendingMinor: reservedMinor } = figures;
  const netMinor = debitsPostedMinor - creditsPostedMinor;
  return {
    owedMinor: netMinor < 0n ? -netMinor : 0n,
    prefundedMinor: netMinor > 0n ? netMinor : 0n,
    reservedMinor,
    availableMinor: netMinor - reservedMinor,
  };
}

/** Below which balance of an account an event is told. */
export interface PartnerAlarm {
  readonly accountId: string;
  readonly currency: string;
  /** Absent where nobody is told any more. */
  readonly belowMinor?: bigint;
  /** As it was found last, and told. */
  readonly isLow: boolean;
  readonly since?: Date;
  /** Of its events: raised by each. */
  readonly version: number;
  readonly changedBy: string;
  readonly changedAt: Date;
}

/** Whether another state than the one that was told is there. */
export function hasTurned({ belowMinor, isLow }: PartnerAlarm, account: Pick<Account, "figures">): boolean {
  return belowMinor !== undefined && isLow !== standingOf(account).availableMinor < belowMinor;
}
