import { useQuery } from "@tanstack/react-query";
import type { FieldPath, FieldValues } from "react-hook-form";
import { ApiError } from "@manilla/client";
import { api } from "../../lib/api";
import { useLanguage } from "../../lib/language";
import { read } from "../../lib/queries";
import { kindNames, manifestIn } from "./manifest-texts";
import type { Plugin } from "./types";

/** What a plugin is changed in. */
export const stales = ["plugins", "approvals"] as const;

/** Types in the language of the page; they come with a version of the platform. */
export function useTypes() {
  const language = useLanguage();
  return useQuery({
    ...read("plugins", "listPluginTypes", {}, async (options) => (await api.plugins.listTypes(options)).pluginTypes),
    staleTime: 300_000,
    select: (types) => types.map((type) => manifestIn(language, type)),
  });
}

/** What a kind is called; as the API has it where it is newer than the page. */
export function useKindName(): (kind: string) => string {
  const names = kindNames[useLanguage()];
  return (kind) => names[kind] ?? kind;
}

/** Nothing more becomes of it. */
export const isGone = ({ status }: Plugin): boolean => status === "REMOVING" || status === "REMOVED";

/**
 * Paths of the API's faults → fields of a form: what is wrong within a list or a map is said beside
 * its one field.
 */
export function faultPaths<Values extends FieldValues>(error: unknown): Record<string, FieldPath<Values>> {
  const errors = error instanceof ApiError ? error.errors : [];
  return Object.fromEntries(
    errors.map(({ path }) => {
      const [first = "", ...rest] = path
        .replace(/^body\./, "")
        .replaceAll(/\[(\d+)\]/g, ".$1")
        .split(".");
      const retained = first === "configuration" ? rest.slice(0, 1) : rest;
      return [path, [first, ...retained].join(".") as FieldPath<Values>];
    }),
  );
}
