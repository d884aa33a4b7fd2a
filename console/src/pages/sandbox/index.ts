import { FlaskConical } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [{ path: "/sandbox-tools", load: () => import("./sandbox"), operation: "listSandboxMessages" }],
  nav: [
    {
      section: "developers",
      path: "/sandbox-tools",
      label: { en: "Sandbox tools", fr: "Outils du bac à sable" },
      icon: FlaskConical,
      operation: "listSandboxMessages",
      sandboxOnly: true,
    },
  ],
};
