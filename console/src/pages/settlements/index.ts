import { HandCoins } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/settlements", load: () => import("./list"), operation: "listSettlements" },
    { path: "/settlements/$settlementId", load: () => import("./settlement"), operation: "readSettlement" },
  ],
  nav: [
    {
      section: "money",
      path: "/settlements",
      label: { en: "Settlements", fr: "Règlements" },
      icon: HandCoins,
      operation: "listSettlements",
    },
  ],
};
