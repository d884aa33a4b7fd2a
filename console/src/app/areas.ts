import type { Area } from "../lib/area";
import { area as account } from "../pages/account";
import { area as agents } from "../pages/agents";
import { area as approvals } from "../pages/approvals";
import { area as audit } from "../pages/audit";
import { area as cases } from "../pages/cases";
import { area as cash } from "../pages/cash";
import { area as closing } from "../pages/closing";
import { area as corridors } from "../pages/corridors";
import { area as counter } from "../pages/counter";
import { area as customers } from "../pages/customers";
import { area as disclosures } from "../pages/disclosures";
import { area as home } from "../pages/home";
import { area as investments } from "../pages/investments";
import { area as journals } from "../pages/journals";
import { area as ledger } from "../pages/ledger";
import { area as loans } from "../pages/loans";
import { area as money } from "../pages/money";
import { area as notifications } from "../pages/notifications";
import { area as organisation } from "../pages/organisation";
import { area as plugins } from "../pages/plugins";
import { area as policy } from "../pages/policy";
import { area as positions } from "../pages/positions";
import { area as reports } from "../pages/reports";
import { area as reviews } from "../pages/reviews";
import { area as sandbox } from "../pages/sandbox";
import { area as screenings } from "../pages/screenings";
import { area as settlements } from "../pages/settlements";
import { area as staff } from "../pages/staff";
import { area as tokens } from "../pages/tokens";
import { area as transactions } from "../pages/transactions";
import { area as webhooks } from "../pages/webhooks";

/** Every area of the console, a line each; the menu has their entries in this order. */
export const areas: readonly Area[] = [
  home,
  approvals,
  cases,
  reviews,
  screenings,
  counter,
  transactions,
  cash,
  agents,
  money,
  ledger,
  settlements,
  journals,
  positions,
  closing,
  reports,
  customers,
  staff,
  loans,
  investments,
  corridors,
  organisation,
  policy,
  audit,
  webhooks,
  plugins,
  notifications,
  disclosures,
  tokens,
  account,
  sandbox,
];
