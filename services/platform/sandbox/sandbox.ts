const ending = "--sandbox";

/** Ids of sandboxes, for filters that cross tenants. */
export const sandboxIds = new RegExp(`${ending}$`);

/** The id of a live tenant's sandbox, which is a tenant of its own. */
export function sandboxIdOf(tenantId: string): string {
  return `${tenantId}${ending}`;
}

/** The id of the live tenant whose sandbox this is. */
export function liveIdOf(sandboxId: string): string {
  return sandboxId.slice(0, -ending.length);
}

/**
 * A tenant's sandbox says so in its id. Its business date can be moved on, and it reaches no live
 * partner.
 */
export function isSandbox(tenantId: string): boolean {
  return tenantId.endsWith(ending);
}
