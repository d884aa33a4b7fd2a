import { CalendarCheck, HandCoins, Landmark } from "lucide-react";
import type { Area } from "../../lib/area";

export const area: Area = {
  routes: [
    { path: "/loans", load: () => import("./list"), operation: "listLoanApplications" },
    { path: "/loans/$loanId", load: () => import("./loan"), operation: "readLoanApplication" },
    { path: "/loan-repayments", load: () => import("./repayments"), operation: "listPendingRepayments" },
    { path: "/loan-products", load: () => import("./products"), operation: "putLoanProduct" },
  ],
  nav: [
    {
      section: "money",
      path: "/loans",
      label: { en: "Loans", fr: "Prêts" },
      icon: HandCoins,
      operation: "listLoanApplications",
    },
    {
      section: "money",
      path: "/loan-repayments",
      label: { en: "Loan repayments", fr: "Remboursements de prêts" },
      icon: CalendarCheck,
      operation: "listPendingRepayments",
    },
    {
      section: "products",
      path: "/loan-products",
      label: { en: "Loan products", fr: "Produits de prêt" },
      icon: Landmark,
      operation: "putLoanProduct",
    },
  ],
};
