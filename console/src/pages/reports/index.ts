import { ChartColumn } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [{ path: "/reports", load: () => import("./reports"), operation: "callOverReport" }],
  nav: [
    {
      section: "money",
      path: "/reports",
      label: { en: "Reports", fr: "Rapports" },
      icon: ChartColumn,
      operation: "callOverReport",
    },
  ],
};
