import { Store, Undo2 } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/counter", load: () => import("./counter"), operation: "sellTransaction" },
    { path: "/give-back", load: () => import("./give-back"), operation: "issueCounterPayableCode" },
  ],
  nav: [
    {
      section: "work",
      path: "/counter",
      label: { en: "Counter", fr: "Guichet" },
      icon: Store,
      operation: "sellTransaction",
    },
    {
      section: "work",
      path: "/give-back",
      label: { en: "Cash to give back", fr: "Espèces à rendre" },
      icon: Undo2,
      operation: "issueCounterPayableCode",
    },
  ],
};
