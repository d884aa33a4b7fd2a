import type { Area } from "./area";
import { area as approvals } from "../pages/approvals";
import { area as audit } from "../pages/audit";
import { area as cases } from "../pages/cases";
import { area as home } from "../pages/home";
import { area as policy } from "../pages/policy";
import { area as reviews } from "../pages/reviews";
import { area as screenings } from "../pages/screenings";
import { area as transactions } from "../pages/transactions";

/** Every area of the console, a line each; the menu has their entries in this order. */
export const areas: readonly Area[] = [home, approvals, cases, reviews, screenings, transactions, policy, audit];
