/** Parts that the day's work of a tenant is shared out by. */
export const sliceCount = 16;

/** The part that a customer's holdings belong to, for ever: FNV-1a over the id. */
export function sliceOf(customerId: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < customerId.length; index++) {
    hash = Math.imul(hash ^ customerId.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % sliceCount;
}
