import type { LucideIcon } from "lucide-react";
import type { ComponentType } from "react";
import type { OperationId } from "../generated/roles";
import type { Language } from "../i18n/language";
import type { Role } from "./session";

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
