import { Gift, LineChart, Route, Store } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/corridors", load: () => import("./list"), operation: "putCorridor" },
    { path: "/corridors/$corridor", load: () => import("./corridor"), operation: "putCorridor" },
    { path: "/rates", load: () => import("./rates"), operation: "listExchangeRates" },
    { path: "/promotions", load: () => import("./promotions"), operation: "listPromotions" },
    { path: "/payout-points", load: () => import("./places"), operation: "putPayoutPoint" },
  ],
  nav: [
    {
      section: "products",
      path: "/corridors",
      label: { en: "Corridors", fr: "Corridors" },
      icon: Route,
      operation: "putCorridor",
    },
    {
      section: "products",
      path: "/rates",
      label: { en: "Rates", fr: "Taux de change" },
      icon: LineChart,
      operation: "listExchangeRates",
    },
    {
      section: "products",
      path: "/promotions",
      label: { en: "Promotions", fr: "Promotions" },
      icon: Gift,
      operation: "listPromotions",
    },
    {
      section: "products",
      path: "/payout-points",
      label: { en: "Payout points", fr: "Points de paiement" },
      icon: Store,
      operation: "putPayoutPoint",
    },
  ],
};
