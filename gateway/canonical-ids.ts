const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const nameOfIds = /(^id|Ids?|_ids?)$/;

/** A UUID in lower case, as all of ours are; any other text as it is. */
export function canonicalId(text: string): string {
  return uuid.test(text) ? text.toLowerCase() : text;
}

/**
 * The same for members of a request that are named as ids, at any depth: UUIDs compare without case
 * (RFC 9562).
 */
export function canonicalIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonicalIds);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, nameOfIds.test(name) ? idsOf(member) : canonicalIds(member)]),
  );
}

function idsOf(member: unknown): unknown {
  if (typeof member === "string") return canonicalId(member);
  if (Array.isArray(member)) return member.map(idsOf);
  return canonicalIds(member);
}
