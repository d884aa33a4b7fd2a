import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

export type Search = Readonly<Record<string, string>>;

export const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text));

export function printSearch(search: Record<string, unknown>): string {
  const members = Object.entries(search).flatMap(([name, value]): [string, string][] =>
    typeof value !== "string" || value === "" ? [] : [[name, value]],
  );
  const text = new URLSearchParams(members).toString();
  return text && `?${text}`;
}

export interface UrlState {
  values: Search;
  /** Undefined or "" takes a member away. `replace` leaves no step for the browser's back. */
  set: (change: Readonly<Record<string, string | undefined>>, replace?: boolean) => void;
}

/**
 * The query of the page's address: filters, tabs and pages live in it,
 * so that a link shows the same.
 */
export function useUrlState(): UrlState {
  const values = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const set = useCallback(
    (change: Readonly<Record<string, string | undefined>>, replace = false) =>
      void navigate({ to: ".", search: (before: Search) => ({ ...before, ...change }), replace } as never),
    [navigate],
  );
  return { values, set };
}

/** Members that say which page of a list is shown; a changed filter begins at the first. */
export const firstPage = { at: undefined, page: undefined, way: undefined };

// Places have some hundred letters, and an address a few thousand.
const longestWay = 10;

/**
 * The members of the page behind this one; `way` has the places of the pages before it, so that a
 * link that was shared goes back, too.
 */
export function pageAfter({ at, page, way }: Search, next: string): Record<string, string | undefined> {
  const places = [...(way ?? "").split("|"), at ?? ""].filter((place) => place !== "");
  return { at: next, page: String(Number(page ?? 1) + 1), way: places.slice(-longestWay).join("|") || undefined };
}

/** The members of the page before this one; undefined where the address does not know its place. */
export function pageBefore({ page, way }: Search): Record<string, string | undefined> | undefined {
  if (Number(page ?? 1) <= 2) return firstPage;
  const places = (way ?? "").split("|");
  const at = places.at(-1);
  if (at === undefined || at === "") return undefined;
  return { at, page: String(Number(page) - 1), way: places.slice(0, -1).join("|") || undefined };
}

export interface Filters<Name extends string> {
  values: Readonly<Partial<Record<Name, string>>>;
  set: (name: Name, value: string, replace?: boolean) => void;
  clear: () => void;
  isFiltered: boolean;
}

/** The filters of a list by their names, from the address. */
export function useFilters<const Name extends string>(names: readonly Name[]): Filters<Name> {
  const { values, set } = useUrlState();
  const chosen = names.filter((name) => (values[name] ?? "") !== "");
  return {
    values: Object.fromEntries(chosen.map((name) => [name, values[name]])) as Partial<Record<Name, string>>,
    set: (name, value, replace) => set({ [name]: value || undefined, ...firstPage }, replace),
    clear: () => set({ ...Object.fromEntries(names.map((name) => [name, undefined])), ...firstPage }),
    isFiltered: chosen.length > 0,
  };
}
