import { PiggyBank, Sprout } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/investments", load: () => import("./list"), operation: "listInvestments" },
    { path: "/investments/$holdingId", load: () => import("./holding"), operation: "readInvestment" },
    { path: "/investment-products", load: () => import("./products"), operation: "putInvestmentProduct" },
    { path: "/investment-products/$productId", load: () => import("./product"), operation: "putInvestmentProduct" },
  ],
  nav: [
    {
      section: "money",
      path: "/investments",
      label: { en: "Investments", fr: "Placements" },
      icon: Sprout,
      operation: "listInvestments",
    },
    {
      section: "products",
      path: "/investment-products",
      label: { en: "Investment products", fr: "Produits de placement" },
      icon: PiggyBank,
      operation: "putInvestmentProduct",
    },
  ],
};
