export interface MonthPlan {
  /** How many days the sandbox's clock is moved on at a time, and how often. */
  stretchDays: number;
  stretches: number;
  /** Partners are paid what is owed to them in these stretches. */
  settledIn: ReadonlySet<number>;
  /** And the rent in this one. */
  rentIn: number;
  /** How many of the first days are closed at the end. */
  closedDays: number;
}

export const month: MonthPlan = { stretchDays: 3, stretches: 10, settledIn: new Set([3, 7]), rentIn: 6, closedDays: 2 };

export interface PlannedPayment {
  /** Of a recipient that the demo's customer has saved. */
  recipient: string;
  sendAmount: string;
  /** What the payout partner is made to answer, where it does not just pay. */
  outcome?: "REFUSE_LATER";
}

/** What is sent in a stretch of the month: more by account than by mobile money, more each week. */
export function paymentsOf(stretch: number): readonly PlannedPayment[] {
  const toNigeria = { recipient: "B-AMINA-NG", sendAmount: `${40 + 5 * stretch}.00` };
  const toKenya = { recipient: "B-AMINA-KE", sendAmount: `${20 + 7 * (stretch % 3)}.00` };
  const toWallet = { recipient: "B-AMINA-KOFI", sendAmount: "15.50" };
  const refused = { recipient: "B-AMINA-NG", sendAmount: "11.00", outcome: "REFUSE_LATER" as const };
  return [toNigeria, toKenya, ...(stretch % 2 === 1 ? [toWallet] : []), ...(stretch === 4 ? [refused] : [])];
}

/**
 * What NGN or KES cost at the bank, in hundredths for one USD: a little less than customers paid,
 * so that positions win.
 */
const bankRates: Readonly<Record<string, bigint>> = { NGN: 153_500n, KES: 13_010n };

/** Of minor units, in USD, to the nearest cent; half a cent cannot come out. */
export function costMinorOf(minor: bigint, currency: string): bigint | undefined {
  const rate = bankRates[currency];
  return rate === undefined ? undefined : (minor * 200n + rate) / (rate * 2n);
}
