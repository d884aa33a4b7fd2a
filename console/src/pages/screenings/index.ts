import { ListChecks, ScanSearch } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/screenings", load: () => import("./list"), operation: "listScreenings" },
    { path: "/screenings/$screeningId", load: () => import("./detail"), operation: "readScreening" },
    { path: "/screening-lists", load: () => import("./lists"), operation: "listScreeningLists" },
    { path: "/screening-lists/$listId", load: () => import("./list-version"), operation: "readScreeningList" },
  ],
  nav: [
    {
      section: "work",
      path: "/screenings",
      label: { en: "Screening", fr: "Filtrage" },
      icon: ScanSearch,
      operation: "listScreenings",
    },
    {
      section: "settings",
      path: "/screening-lists",
      label: { en: "Screening lists", fr: "Listes de filtrage" },
      icon: ListChecks,
      operation: "listScreeningLists",
    },
  ],
};
