import { Lock } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/close", load: () => import("./close"), operation: "readPeriods" },
    { path: "/close/$closingNumber", load: () => import("./closing"), operation: "readClosing" },
  ],
  nav: [
    {
      section: "money",
      path: "/close",
      label: { en: "Close", fr: "Clôture" },
      icon: Lock,
      operation: "readPeriods",
    },
  ],
};
