import { Banknote, HandHelping, Send, Vault } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/till", load: () => import("./till"), operation: "openTill" },
    { path: "/send", load: () => import("./send"), operation: "createTransaction" },
    { path: "/pickup", load: () => import("./pickup"), operation: "payOutCash" },
    { path: "/cash", load: () => import("./cash"), operation: "listCashLimits" },
  ],
  nav: [
    {
      section: "work",
      path: "/till",
      label: { en: "Your till", fr: "Votre caisse" },
      labelOf: { AGENT: { en: "My float", fr: "Mon fonds de caisse" } },
      icon: Banknote,
      operation: "openTill",
    },
    {
      section: "work",
      path: "/send",
      label: { en: "Send money", fr: "Envoyer de l’argent" },
      icon: Send,
      operation: "createTransaction",
    },
    {
      section: "work",
      path: "/pickup",
      label: { en: "Cash pickup", fr: "Retrait d’espèces" },
      icon: HandHelping,
      operation: "payOutCash",
    },
    {
      section: "money",
      path: "/cash",
      label: { en: "Cash", fr: "Espèces" },
      icon: Vault,
      operation: "listCashLimits",
    },
  ],
};
