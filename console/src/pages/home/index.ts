import { House } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [{ path: "/", load: () => import("./home"), operation: "listTransactions" }],
  nav: [
    { section: "work", path: "/", label: { en: "Home", fr: "Accueil" }, icon: House, operation: "listTransactions" },
  ],
};
