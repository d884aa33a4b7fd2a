/** The kinds of rows that a relay runs, where it does not run all of them. */
export type Kinds = { readonly only: readonly string[] } | { readonly but: readonly string[] };

/** The filter of a look for them. */
export function ofKinds(kinds: Kinds | undefined): { kind?: { $in: string[] } | { $nin: string[] } } {
  if (kinds === undefined) return {};
  return { kind: "only" in kinds ? { $in: [...kinds.only] } : { $nin: [...kinds.but] } };
}

export function isOfKinds(kind: string, kinds: Kinds | undefined): boolean {
  if (kinds === undefined) return true;
  return "only" in kinds ? kinds.only.includes(kind) : !kinds.but.includes(kind);
}
