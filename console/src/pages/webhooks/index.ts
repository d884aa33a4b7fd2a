import { Activity, Webhook } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/webhooks", load: () => import("./list"), operation: "listWebhookEndpoints" },
    { path: "/webhooks/$endpointId", load: () => import("./endpoint"), operation: "readWebhookEndpoint" },
    {
      path: "/webhooks/deliveries/$deliveryId",
      load: () => import("./delivery"),
      operation: "readWebhookDelivery",
    },
    { path: "/events", load: () => import("./events"), operation: "listEvents" },
    { path: "/events/$eventId", load: () => import("./event"), operation: "readEvent" },
  ],
  nav: [
    {
      section: "developers",
      path: "/webhooks",
      label: { en: "Webhooks", fr: "Webhooks" },
      icon: Webhook,
      operation: "listWebhookEndpoints",
      permission: "webhooks:manage",
    },
    {
      section: "developers",
      path: "/events",
      label: { en: "Events", fr: "Événements" },
      icon: Activity,
      operation: "listEvents",
      permission: "webhooks:manage",
    },
  ],
};
