import type { LucideIcon } from "lucide-react";
import { createContext, useContext, type ComponentType } from "react";
import type { OperationId } from "../generated/roles";
import { isSandbox } from "./environment";
import type { Language } from "./language";
import type { Role } from "./session";
import { mayCall, useUser } from "./use-session";

/** The parts of the menu, in their order. */
export const sections = ["work", "money", "people", "products", "settings", "developers"] as const;
export type Section = (typeof sections)[number];

export interface AreaRoute {
  /** Below /console, with parameters as $name: /transactions/$transactionId. */
  path: string;
  load: () => Promise<{ default: ComponentType }>;
  /** Who may call it may see the page. */
  operation: OperationId;
}

export interface NavEntry {
  section: Section;
  path: string;
  label: Readonly<Record<Language, string>>;
  /** What a role calls it, where that differs. */
  labelOf?: Partial<Record<Role, Readonly<Record<Language, string>>>>;
  icon: LucideIcon;
  operation: OperationId;
  /** Of `user.permissions`; whoever lacks it is not shown the entry. */
  permission?: string;
  /** In the sandbox alone. */
  sandboxOnly?: true;
}

/** What an area adds to the console; app/areas.ts lists them. */
export interface Area {
  routes: readonly AreaRoute[];
  nav: readonly NavEntry[];
}

export const AreasContext = createContext<readonly Area[]>([]);

/** The entries that whoever is signed in may open, in the order of the menu. */
export function useEntries(): readonly NavEntry[] {
  const user = useUser();
  const all = useContext(AreasContext).flatMap(({ nav }) => nav);
  const own = all.filter(
    ({ operation, permission, sandboxOnly }) =>
      mayCall(user, operation) &&
      (permission === undefined || user.permissions.includes(permission)) &&
      (!sandboxOnly || isSandbox),
  );
  return own.map((entry) => ({ ...entry, label: entry.labelOf?.[user.role] ?? entry.label }));
}
