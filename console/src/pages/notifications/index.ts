import { MessageSquareText } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/notifications", load: () => import("./list"), operation: "listNotificationTemplates" },
    {
      path: "/notifications/$kind/$channel/$language",
      load: () => import("./template"),
      operation: "readNotificationTemplate",
    },
  ],
  nav: [
    {
      section: "settings",
      path: "/notifications",
      label: { en: "Messages", fr: "Messages" },
      icon: MessageSquareText,
      operation: "listNotificationTemplates",
      permission: "settings:write",
    },
  ],
};
