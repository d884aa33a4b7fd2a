import { Users2 } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/agents", load: () => import("./agents"), operation: "listAgentConfigurations" },
    { path: "/agent-settlements/$settlementId", load: () => import("./settlement"), operation: "readAgentSettlement" },
    { path: "/agents/$agentId", load: () => import("./agent"), operation: "readAgentConfiguration" },
  ],
  nav: [
    {
      section: "money",
      path: "/agents",
      label: { en: "Agents", fr: "Agents" },
      icon: Users2,
      operation: "listAgentConfigurations",
    },
  ],
};
