import { ScrollText } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [{ path: "/audit", load: () => import("./list"), operation: "listComplianceAudit" }],
  nav: [
    {
      section: "settings",
      path: "/audit",
      label: { en: "Audit trail", fr: "Piste d’audit" },
      icon: ScrollText,
      operation: "listComplianceAudit",
    },
  ],
};
