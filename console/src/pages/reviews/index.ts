import { ClipboardCheck } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [{ path: "/reviews", load: () => import("./list"), operation: "listComplianceReviews" }],
  nav: [
    {
      section: "work",
      path: "/reviews",
      label: { en: "Reviews", fr: "Examens" },
      icon: ClipboardCheck,
      operation: "listComplianceReviews",
    },
  ],
};
