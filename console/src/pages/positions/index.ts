import { Scale } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [{ path: "/positions", load: () => import("./positions"), operation: "readPositions" }],
  nav: [
    {
      section: "money",
      path: "/positions",
      label: { en: "Positions", fr: "Positions" },
      icon: Scale,
      operation: "readPositions",
    },
  ],
};
