import { usualRetentionYears, type Preference } from "./tenants.js";

/** Where a stored answer holds a person's data, so that erasing them finds it. */
export interface PersonalAnswerRecord {
  personalAnswerId: string;
  userId: string;
  caller: string;
  operation: string;
  key: string;
}

export type ErasureStage = "AT_ONCE" | "AFTER_RETENTION";

export interface CountedRecords {
  kind: string;
  records: bigint;
}

/** What a service answered last at a stage of an erasure. */
export interface ErasureAnswer {
  service: string;
  stage: ErasureStage;
  at: Date;
  erased: CountedRecords[];
  kept: CountedRecords[];
}

/** A person who was erased, and what those who keep personal data made of it. */
export interface ErasureRecord {
  erasureId: string;
  customerId: string;
  userId: string;
  at: Date;
  by: string;
  reason: string;
  /** Until when the services keep what the law wants kept. */
  retainedUntil: Date;
  /** Who was told. */
  services: string[];
  answers: ErasureAnswer[];
}

/**
 * Who keeps personal data. What identity need not keep is erased with the customer; this is about
 * what it keeps for a time. Ledger and investment keep ids alone; what they have still to tell of
 * somebody, events keeps without its body.
 */
export const personalDataKeepers = ["identity", "compliance", "remittance", "wallet", "lending", "events"] as const;
export type PersonalDataKeeper = (typeof personalDataKeepers)[number];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Until when records are kept: by the calendar, in UTC, from the end of the relationship. */
export function retainedUntil(
  endedAt: Date,
  { recordRetentionYears = usualRetentionYears }: Partial<Preference>,
): Date {
  const until = new Date(endedAt);
  until.setUTCFullYear(endedAt.getUTCFullYear() + recordRetentionYears);
  return until;
}

/** What a service is asked for next. */
export interface ErasureRequest {
  stage: ErasureStage;
  /** Of its stage: 1, 2… */
  round: number;
  dueAt: Date;
}

/**
 * After an answer: at once a second time a day later, for what was under way when the person was
 * erased; all of it when the retention is over, and then as often as something is still under way.
 * Undefined at the end.
 */
export function nextErasureRequest(
  { stage, round }: Pick<ErasureRequest, "stage" | "round">,
  isAllErased: boolean,
  until: Date,
  now: Date,
): ErasureRequest | undefined {
  const dayLater = new Date(now.getTime() + dayMs);
  if (stage === "AT_ONCE") {
    if (round === 1 && dayLater < until) return { stage, round: 2, dueAt: dayLater };
    return { stage: "AFTER_RETENTION", round: 1, dueAt: until > now ? until : now };
  }
  return isAllErased
    ? undefined
    : { stage, round: round + 1, dueAt: round < 24 ? new Date(now.getTime() + hourMs) : dayLater };
}

/** How far a service is, by its answers. */
export function stateOf(service: string, { answers }: Pick<ErasureRecord, "answers">) {
  const own = answers.filter((one) => one.service === service);
  const last: ErasureAnswer | undefined = own.find(({ stage }) => stage === "AFTER_RETENTION") ?? own[0];
  const isOver = last?.stage === "AFTER_RETENTION" && last.kept.length === 0;
  const erased = new Map<string, bigint>();
  for (const { kind, records } of own.flatMap((one) => one.erased)) {
    erased.set(kind, (erased.get(kind) ?? 0n) + BigInt(records));
  }
  return {
    state: last === undefined ? "PENDING" : isOver ? "ERASED" : "RETAINING",
    answeredAt: last?.at,
    erased: [...erased].map(([kind, records]) => ({ kind, records })),
    kept: last?.kept ?? [],
  };
}
