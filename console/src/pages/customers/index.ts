import { Users } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/customers", load: () => import("./list"), operation: "findCustomer" },
    { path: "/customers/register", load: () => import("./register"), operation: "registerCustomer" },
    { path: "/customers/$customerId", load: () => import("./detail"), operation: "readCustomer" },
  ],
  nav: [
    {
      section: "people",
      path: "/customers",
      label: { en: "Customers", fr: "Clients" },
      icon: Users,
      operation: "findCustomer",
    },
  ],
};
