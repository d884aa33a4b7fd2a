import { IdCard, Percent } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/staff", load: () => import("./list"), operation: "listStaffUsers" },
    { path: "/markups", load: () => import("./markups"), operation: "listMarkups" },
  ],
  nav: [
    {
      section: "people",
      path: "/staff",
      label: { en: "Staff and agents", fr: "Personnel et agents" },
      icon: IdCard,
      operation: "listStaffUsers",
    },
    {
      section: "people",
      path: "/markups",
      label: { en: "Markups", fr: "Marges" },
      icon: Percent,
      operation: "listMarkups",
    },
  ],
};
