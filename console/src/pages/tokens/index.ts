import { KeyRound } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [{ path: "/tokens", load: () => import("./list"), operation: "listApiTokens" }],
  nav: [
    {
      section: "developers",
      path: "/tokens",
      label: { en: "API tokens", fr: "Jetons d’API" },
      icon: KeyRound,
      operation: "listApiTokens",
    },
  ],
};
