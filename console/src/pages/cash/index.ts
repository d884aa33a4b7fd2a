import { Banknote, HandHelping, Send, Truck, Vault } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/till", load: () => import("./till"), operation: "openTill" },
    { path: "/till/$tillId", load: () => import("./till-lines"), operation: "listTillLines" },
    { path: "/cash-orders", load: () => import("./cash-orders"), operation: "listCashOrders" },
    // An agent makes and sells at the counter, out of no wallet.
    { path: "/send", load: () => import("./send"), operation: "payFromWallet" },
    { path: "/pickup", load: () => import("./pickup"), operation: "payOutCash" },
    { path: "/agent-pickup", load: () => import("./pickup"), operation: "payOutAsAgent" },
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
      operation: "payFromWallet",
    },
    {
      section: "work",
      path: "/pickup",
      label: { en: "Cash pickup", fr: "Retrait d’espèces" },
      icon: HandHelping,
      operation: "payOutCash",
    },
    {
      section: "work",
      path: "/agent-pickup",
      label: { en: "Cash pickup", fr: "Retrait d’espèces" },
      icon: HandHelping,
      operation: "payOutAsAgent",
    },
    {
      section: "money",
      path: "/cash",
      label: { en: "Cash", fr: "Espèces" },
      icon: Vault,
      operation: "listCashLimits",
    },
    {
      section: "money",
      path: "/cash-orders",
      label: { en: "Cash orders", fr: "Envois d’espèces" },
      icon: Truck,
      operation: "listCashOrders",
    },
  ],
};
