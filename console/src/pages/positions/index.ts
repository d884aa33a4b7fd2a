import { Scale } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [{ path: "/positions", load: () => import("./positions"), operation: "readPositions" }],
  nav: [
    {
      section: "money",
      path: "/positions",
      label: { en: "Positions and partners", fr: "Positions et partenaires" },
      icon: Scale,
      operation: "readPositions",
    },
  ],
};
