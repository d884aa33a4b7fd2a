import { ArrowLeftRight } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/transactions", load: () => import("./list"), operation: "listTransactions" },
    { path: "/transactions/$transactionId", load: () => import("./detail"), operation: "readTransaction" },
  ],
  nav: [
    {
      section: "money",
      path: "/transactions",
      label: { en: "Transactions", fr: "Transactions" },
      icon: ArrowLeftRight,
      operation: "listTransactions",
    },
  ],
};
