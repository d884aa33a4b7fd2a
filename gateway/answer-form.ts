import type { Route } from "./route.js";

/**
 * What makes an answer's bytes beside what the service stored: its message and which members it
 * has. The service keeps it with the answer, so that a replay by a later version of the edge is
 * what the first answer was.
 */
export interface Form {
  revision: number;
  message: string;
}

type Formed = Pick<Route, "message" | "added">;

/** Of the answers that this version of the edge gives. */
export function formOf({ message, added = {} }: Formed): Form {
  return { revision: Math.max(1, ...Object.values(added)), message };
}

/** Between services: "2 Payment made". */
export function formText(route: Formed): string {
  const { revision, message } = formOf(route);
  return `${revision} ${message}`;
}

/** Undefined for text that is none of ours. */
export function readForm(text: string | undefined): Form | undefined {
  const [, revision, message] = /^([1-9]\d{0,5}) (.*)$/.exec(text ?? "") ?? [];
  return revision === undefined || message === undefined ? undefined : { revision: Number(revision), message };
}

/** The answer without members that came after a revision. */
export function inForm(answer: unknown, { added = {} }: Formed, revision: number): unknown {
  const later = Object.keys(added).filter((path) => added[path]! > revision);
  return later.reduce((given, path) => without(given, path.split(".")), answer);
}

function without(value: unknown, [name = "", ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, [name, ...rest]));
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return value;
  const { [name]: member, ...others } = value as Record<string, unknown>;
  return rest.length === 0 ? others : { ...value, [name]: without(member, rest) };
}
