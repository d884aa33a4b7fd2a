import { Stamp } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [{ path: "/approvals", load: () => import("./queue"), operation: "listApprovals" }],
  nav: [
    {
      section: "work",
      path: "/approvals",
      label: { en: "Approvals", fr: "Approbations" },
      icon: Stamp,
      operation: "listApprovals",
    },
  ],
};
