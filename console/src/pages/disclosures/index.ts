import { ScrollText } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/disclosures", load: () => import("./list"), operation: "listDisclosureTemplates" },
    { path: "/disclosures/$profile", load: () => import("./template"), operation: "listDisclosureTemplates" },
  ],
  nav: [
    {
      section: "settings",
      path: "/disclosures",
      label: { en: "Disclosures", fr: "Informations" },
      icon: ScrollText,
      operation: "listDisclosureTemplates",
      permission: "settings:write",
    },
  ],
};
