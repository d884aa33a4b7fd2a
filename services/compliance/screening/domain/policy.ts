import { isDeepStrictEqual } from "node:util";
import { Refusal } from "../../../kernel/refusal.js";
import { listSources, type ListSource } from "../../lists/domain/list-entry.js";

export const yearEffects = ["IGNORE", "LOWER", "EXCLUDE"] as const;
/** What a year of birth that differs by more than the tolerance does to a hit. */
export type YearEffect = (typeof yearEffects)[number];

/** How a tenant compares people with lists. */
export interface ScreeningPolicyContent {
  /** Sources that are on; each must have a list that is in use. */
  lists: readonly ListSource[];
  /** Per mille: a hit begins here. */
  threshold: number;
  otherYearOfBirth: YearEffect;
  yearTolerance: number;
  /** A list that was last seen current longer ago counts as not there. */
  staleAfterHours: number;
  /** Between re-screenings of a subject that did not change; 0 for never. */
  rescreenAfterDays: number;
  /** Whether a confirmed hit of a recipient blocks the customer who sends to them. */
  blocksSender: boolean;
}

/** A published version; 0 is the platform's own. */
export interface ScreeningPolicy extends ScreeningPolicyContent {
  version: number;
  publishedAt: Date;
  publishedBy: string;
  draftedBy: string;
  /** Of the draft that it was. */
  revision?: number;
}

/** A policy that is being written: one per tenant. */
export interface ScreeningPolicyDraft extends ScreeningPolicyContent {
  revision: number;
  basedOn: number;
  savedAt: Date;
  savedBy: string;
  /** Who wrote any of its revisions: none of them publishes it. */
  authors: readonly string[];
}

/** What holds where a tenant has published nothing. `threshold` is the matcher's. */
export function platformPolicy(threshold: number): ScreeningPolicy {
  return {
    version: 0,
    publishedAt: new Date(0),
    publishedBy: "",
    draftedBy: "",
    lists: ["OFAC_SDN", "EU", "UN", "UK"],
    threshold,
    otherYearOfBirth: "LOWER",
    yearTolerance: 1,
    staleAfterHours: 72,
    rescreenAfterDays: 30,
    blocksSender: true,
  };
}

/** Of a draft or a policy, what it says. */
export function contentOf(policy: ScreeningPolicyContent): ScreeningPolicyContent {
  const { lists, threshold, otherYearOfBirth, yearTolerance, staleAfterHours, rescreenAfterDays, blocksSender } =
    policy;
  return { lists, threshold, otherYearOfBirth, yearTolerance, staleAfterHours, rescreenAfterDays, blocksSender };
}

export function hasContent(policy: ScreeningPolicyContent, content: ScreeningPolicyContent): boolean {
  return isDeepStrictEqual(contentOf(policy), contentOf(content));
}

/** A policy as it was asked for. */
export type PolicyInput = Omit<ScreeningPolicyContent, "lists" | "otherYearOfBirth"> & {
  lists: readonly string[];
  otherYearOfBirth: string;
};

/** A policy whose every part was looked at. Refuses INVALID_INPUT naming each fault by its path. */
export function checkScreeningPolicy(requested: PolicyInput): ScreeningPolicyContent {
  const errors: { path: string; message: string }[] = [];
  const report = (path: string, message: string) => void errors.push({ path, message });
  const within = (path: keyof PolicyInput, value: number, from: number, to: number) => {
    if (!Number.isInteger(value) || value < from || value > to)
      report(path, `must be a whole number, ${from} to ${to}`);
  };
  if (requested.lists.length === 0) report("lists", "must name at least one list: nobody would be screened");
  requested.lists.forEach((source, at) => {
    if (!listSources.some((one) => one === source)) report(`lists.${at}`, `must be one of ${listSources.join(", ")}`);
    else if (requested.lists.indexOf(source) !== at) report(`lists.${at}`, "is named twice");
  });
  within("threshold", requested.threshold, 500, 1_000);
  if (!yearEffects.some((one) => one === requested.otherYearOfBirth)) {
    report("otherYearOfBirth", `must be one of ${yearEffects.join(", ")}`);
  }
  within("yearTolerance", requested.yearTolerance, 0, 20);
  within("staleAfterHours", requested.staleAfterHours, 1, 720);
  within("rescreenAfterDays", requested.rescreenAfterDays, 0, 3_650);
  const [first] = errors;
  if (first !== undefined) throw new Refusal("INVALID_INPUT", `${first.path} ${first.message}`, { errors });
  const inOrder = listSources.filter((source) => requested.lists.includes(source));
  return contentOf({ ...requested, lists: inOrder, otherYearOfBirth: requested.otherYearOfBirth as YearEffect });
}
