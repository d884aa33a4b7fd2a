import { BookOpenCheck } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/ledger", load: () => import("./books"), operation: "listLedgerAccounts" },
    { path: "/ledger/accounts/$accountId", load: () => import("./account"), operation: "readLedgerAccount" },
    { path: "/ledger/transfers/$transferId", load: () => import("./transfer"), operation: "readLedgerTransfer" },
    {
      path: "/ledger/verifications/$verificationId",
      load: () => import("./verification"),
      operation: "readLedgerVerification",
    },
  ],
  nav: [
    {
      section: "money",
      path: "/ledger",
      label: { en: "Books", fr: "Livres" },
      icon: BookOpenCheck,
      operation: "listLedgerAccounts",
    },
  ],
};
