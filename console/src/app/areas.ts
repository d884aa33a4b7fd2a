import type { Area } from "./area";
import { area as approvals } from "../pages/approvals";
import { area as corridors } from "../pages/corridors";
import { area as home } from "../pages/home";
import { area as investments } from "../pages/investments";
import { area as loans } from "../pages/loans";
import { area as transactions } from "../pages/transactions";

/** Every area of the console, a line each; the menu has their entries in this order. */
export const areas: readonly Area[] = [home, approvals, transactions, loans, investments, corridors];
