import type { EventType } from "../../platform/events/types.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { typesOf } from "./event.js";
import { nearestOf } from "./nearest.js";

export type EndpointStatus = "ACTIVE" | "PAUSED" | "DISABLED";

/** A secret that signs. It lies sealed in the store. */
export interface EndpointSecret {
  secretId: string;
  /** whsec_ and base64. */
  secret: string;
  createdAt: Date;
  /** Absent for the newest. */
  expiresAt?: Date;
}

export interface Endpoint {
  endpointId: string;
  url: string;
  description: string;
  /** Exact types, or such as `transaction.*`. */
  eventTypes: string[];
  status: EndpointStatus;
  /** Why it is DISABLED. */
  statusReason?: string;
  ordered: boolean;
  /** 0 for no limit. */
  rateLimitPerSecond: number;
  /** Whether events come that need the compliance permission. */
  includesConfidential: boolean;
  secrets: EndpointSecret[];
  createdAt: Date;
  changedAt: Date;
  /** Raised by every change. */
  version: number;
}

export const maxEndpoints = 50;
export const maxOverlapHours = 168;
const maxRate = 10_000;
const maxPatterns = 100;
const hourMs = 3_600_000;

/**
 * The patterns, each once. Refuses INVALID_INPUT at `eventTypes` for none, too many, and one that
 * means nothing, naming the nearest.
 */
export function eventTypesOf(patterns: readonly string[], all: readonly EventType[]): string[] {
  if (patterns.length === 0) throw invalidInput("eventTypes", "must name a type of event, or such as transaction.*");
  if (patterns.length > maxPatterns) throw invalidInput("eventTypes", `names at most ${maxPatterns}`);
  const wildcards = new Set(all.map((type) => `${type.slice(0, type.indexOf("."))}.*`));
  patterns.forEach((pattern, index) => {
    if (typesOf(pattern, all).length > 0) return;
    if (/^[*.]+$/.test(pattern)) {
      throw invalidInput(`eventTypes[${index}]`, `must name a subject: all of them are ${[...wildcards].join(", ")}`);
    }
    throw invalidInput(`eventTypes[${index}]`, noSuchType(pattern, [...all, ...wildcards]));
  });
  return [...new Set(patterns)];
}

/** Names the nearest, or where nothing is near, all types of the subject or all subjects. */
export function noSuchType(requested: string, names: readonly string[]): string {
  const nearest = nearestOf(requested, names);
  if (nearest !== undefined) return `is not a type of event; did you mean ${nearest}?`;
  const subjectOf = (name: string) => name.slice(0, name.indexOf("."));
  const ofSubject = names.filter((name) => subjectOf(name) === subjectOf(requested) && !name.endsWith("*"));
  if (ofSubject.length > 0) return `is not a type of event: there are ${ofSubject.join(", ")}`;
  return `is not a type of event: their subjects are ${[...new Set(names.map(subjectOf))].join(", ")}`;
}

/** Refuses INVALID_INPUT at `rateLimitPerSecond`. */
export function rateOf(rate: number): number {
  if (rate < 0 || rate > maxRate) throw invalidInput("rateLimitPerSecond", `must be 0 to ${maxRate}`);
  return rate;
}

/** Refuses WEBHOOK_LIMIT_REACHED for one more than a tenant may have. */
export function assertRoom(endpoints: number): void {
  if (endpoints < maxEndpoints) return;
  throw new Refusal("WEBHOOK_LIMIT_REACHED", `an organisation has at most ${maxEndpoints} webhook endpoints`);
}

/**
 * Refuses FORBIDDEN where the endpoint gets events that would tip off, and
 * the caller may not have those.
 */
export function assertMayHave(
  { includesConfidential }: Pick<Endpoint, "includesConfidential">,
  { mayIncludeConfidential }: { mayIncludeConfidential: boolean },
): void {
  if (!includesConfidential || mayIncludeConfidential) return;
  throw new Refusal("FORBIDDEN", "the endpoint gets confidential events: this needs compliance:read");
}

/** Secrets that sign now, the newest first. */
export function liveSecrets({ secrets }: Pick<Endpoint, "secrets">, now: Date): EndpointSecret[] {
  return secrets
    .filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now)
    .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}

/**
 * With a new secret, and the one before for the overlap; without an overlap all
 * earlier ones end, as after a leak. Refuses SECRET_ROTATION_UNDER_WAY for another
 * overlap while an earlier one lasts.
 */
export function rotate(
  endpoint: Endpoint,
  fresh: Pick<EndpointSecret, "secretId" | "secret">,
  overlapHours: number,
  now: Date,
): EndpointSecret[] {
  if (overlapHours < 0 || overlapHours > maxOverlapHours) {
    throw invalidInput("overlapHours", `must be 0 to ${maxOverlapHours}`);
  }
  const live = liveSecrets(endpoint, now);
  const ending = live.find(({ expiresAt }) => expiresAt !== undefined);
  if (ending?.expiresAt !== undefined && overlapHours > 0) {
    const until = ending.expiresAt.toISOString();
    const words = `an earlier secret still signs, until ${until}; overlapHours 0 ends it now`;
    throw new Refusal("SECRET_ROTATION_UNDER_WAY", words);
  }
  const expiresAt = new Date(now.getTime() + overlapHours * hourMs);
  const before = overlapHours === 0 ? [] : live.map((secret) => ({ ...secret, expiresAt }));
  return [...before, { ...fresh, createdAt: now }];
}
