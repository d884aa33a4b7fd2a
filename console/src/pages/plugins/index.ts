import { Plug } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/plugins", load: () => import("./list"), operation: "listPlugins" },
    { path: "/plugins/$installationId", load: () => import("./plugin"), operation: "readPlugin" },
  ],
  nav: [
    {
      section: "developers",
      path: "/plugins",
      label: { en: "Plugins", fr: "Plugins" },
      icon: Plug,
      operation: "listPlugins",
    },
  ],
};
