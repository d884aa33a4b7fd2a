import { Building2 } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [{ path: "/organisation", load: () => import("./organisation"), operation: "changeOrganisationPreference" }],
  nav: [
    {
      section: "settings",
      path: "/organisation",
      label: { en: "Organisation", fr: "Organisation" },
      icon: Building2,
      operation: "changeOrganisationPreference",
    },
  ],
};
