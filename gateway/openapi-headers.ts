/** Response headers as the document describes them once, by the names that operations refer to. */
export const headers = {
  InteractionId: {
    description: "The caller's, or the one that was made for this request.",
    schema: { type: "string" },
  },
  Replayed: { description: "true when this answer was given before.", schema: { type: "string", pattern: "^true$" } },
  RateLimitLimit: {
    description: "Requests a minute of the limit that is nearest to its end.",
    schema: { type: "string", pattern: "^[0-9]+$" },
  },
  RateLimitRemaining: { description: "What is left of it.", schema: { type: "string", pattern: "^[0-9]+$" } },
  RateLimitReset: { description: "Seconds until it begins anew.", schema: { type: "string", pattern: "^[0-9]+$" } },
  RetryAfter: { description: "Seconds after which to try again.", schema: { type: "string", pattern: "^[0-9]+$" } },
  WwwAuthenticate: { description: "Bearer", schema: { type: "string" } },
  Allow: { description: "Methods of this path.", schema: { type: "string" } },
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
