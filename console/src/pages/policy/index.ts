import { Scale, SlidersHorizontal } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/policy", load: () => import("./compliance"), operation: "listCompliancePolicyVersions" },
    { path: "/policy/$version", load: () => import("./version"), operation: "readCompliancePolicyVersion" },
    { path: "/screening-policy", load: () => import("./screening"), operation: "readScreeningPolicy" },
  ],
  nav: [
    {
      section: "settings",
      path: "/policy",
      label: { en: "Compliance policy", fr: "Politique de conformité" },
      icon: Scale,
      operation: "listCompliancePolicyVersions",
    },
    {
      section: "settings",
      path: "/screening-policy",
      label: { en: "Screening policy", fr: "Politique de filtrage" },
      icon: SlidersHorizontal,
      operation: "readScreeningPolicy",
    },
  ],
};
