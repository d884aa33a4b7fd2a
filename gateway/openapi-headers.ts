import { interactionIdPattern } from "../services/kernel/grpc/metadata.js";
import * as leaf from "../services/platform/events/shapes/leaves.js";

const digits = { schema: { type: "string", pattern: "^[0-9]+$" } } as const;

/** Response headers as the document describes them once, by the names that operations refer to. */
export const headers = {
  InteractionId: {
    description: "The caller's, or the one that was made for this request.",
    schema: { type: "string", pattern: interactionIdPattern.source },
    example: leaf.ids.interactionId,
  },
  Replayed: {
    description: "true when this answer was given before.",
    schema: { type: "string", pattern: "^true$" },
    example: "true",
  },
  RateLimitLimit: {
    description: "Requests a minute of the limit that is nearest to its end.",
    ...digits,
    example: "1200",
  },
  RateLimitRemaining: { description: "What is left of it.", ...digits, example: "1199" },
  RateLimitReset: { description: "Seconds until it begins anew.", ...digits, example: "31" },
  RetryAfter: { description: "Seconds after which to try again.", ...digits, example: "1" },
  WwwAuthenticate: {
    description: "How to authenticate.",
    schema: { type: "string", pattern: "^Bearer" },
    example: "Bearer",
  },
  Allow: {
    description: "Methods of this path.",
    schema: { type: "string", pattern: "^[A-Z]+(, [A-Z]+)*$" },
    example: "GET, HEAD",
  },
} as const;

/** References from response headers to their one description. */
export function headerRefs(names: Partial<Record<string, keyof typeof headers>>) {
  return Object.fromEntries(
    Object.entries(names).map(([name, key]) => [name, { $ref: `#/components/headers/${key}` }]),
  );
}

/** What an answer carries whatever its status. */
export const everyAnswer = {
  "x-fapi-interaction-id": "InteractionId",
  "RateLimit-Limit": "RateLimitLimit",
  "RateLimit-Remaining": "RateLimitRemaining",
  "RateLimit-Reset": "RateLimitReset",
} as const;
