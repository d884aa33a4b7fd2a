import type { UsedList } from "../../common/domain/subject.js";

/** What somebody was compared with, as basisOf names it. */
export interface Basis {
  policyVersion: number;
  /** Ids of the versions, by source. */
  lists: ReadonlyMap<string, string>;
}

/** Reads what basisOf has written. */
export function readBasis(basis: string): Basis {
  const [policy = "", ...lists] = basis.split(", ");
  return {
    policyVersion: Number(policy.replace("policy ", "")),
    lists: new Map(lists.map((one): [string, string] => [one.split(" ")[0]!, one.split(" ")[1] ?? ""])),
  };
}

/**
 * Lists whose version somebody was not compared with; undefined where the policy is
 * another and all of them count.
 */
export function listsSince(
  before: Basis,
  { policyVersion, lists }: { policyVersion: number; lists: readonly UsedList[] },
): UsedList[] | undefined {
  if (before.policyVersion !== policyVersion) return undefined;
  return lists.filter(({ source, listId }) => before.lists.get(source) !== listId);
}
