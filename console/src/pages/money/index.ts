import { Hourglass } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [{ path: "/money", load: () => import("./money"), operation: "listHeldArrivals" }],
  nav: [
    {
      section: "money",
      path: "/money",
      label: { en: "Money that waits", fr: "Argent en attente" },
      icon: Hourglass,
      operation: "listHeldArrivals",
    },
  ],
};
