import { NotebookPen } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/journals", load: () => import("./list"), operation: "listJournals" },
    { path: "/journals/new", load: () => import("./write"), operation: "writeJournal" },
    { path: "/journals/$journalId", load: () => import("./journal"), operation: "readJournal" },
  ],
  nav: [
    {
      section: "money",
      path: "/journals",
      label: { en: "Journals", fr: "Écritures" },
      icon: NotebookPen,
      operation: "listJournals",
    },
  ],
};
