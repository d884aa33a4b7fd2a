import { CircleUser } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [{ path: "/account", load: () => import("./account"), operation: "readProfile" }],
  nav: [
    {
      section: "settings",
      path: "/account",
      label: { en: "Your account", fr: "Votre compte" },
      icon: CircleUser,
      operation: "readProfile",
    },
  ],
};
