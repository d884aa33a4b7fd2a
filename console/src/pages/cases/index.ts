import { FolderSearch } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/cases", load: () => import("./list"), operation: "listCases" },
    { path: "/cases/$caseId", load: () => import("./detail"), operation: "readCase" },
  ],
  nav: [
    {
      section: "work",
      path: "/cases",
      label: { en: "Cases", fr: "Dossiers" },
      icon: FolderSearch,
      operation: "listCases",
    },
  ],
};
