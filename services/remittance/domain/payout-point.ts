import type { DeliveryMethod } from "./corridor.js";
import type { Price } from "./pricing.js";

export const pointTypes = ["BANK", "MOBILE_MONEY", "CASH", "WALLET"] as const;
export type PointType = (typeof pointTypes)[number];

/** Allocated to everybody in the tenant; otherwise to an agent, by their user id. */
export const wholeTenant = "TENANT";

/** Where a recipient can be paid: a bank, a mobile operator, a cash branch, a wallet scheme. */
export interface PayoutPointContent {
  pointId: string;
  /** Unique in the tenant. */
  code: string;
  name: string;
  type: PointType;
  /** Alpha-3. */
  country: string;
  currency: string;
  address: string;
  city: string;
  openingHours: string;
  mobileOperator: string;
  /** The same for looking it up: lower case. */
  operatorKey: string;
  /** Of what is paid out, in its currency. */
  minimumMinor: bigint;
  maximumMinor: bigint;
  allocatedTo: string;
  partner: string;
  enabled: boolean;
}

export interface PayoutPoint extends PayoutPointContent {
  version: number;
}

/** What is paid out in a currency at points of a type, with its price where one was asked for. */
export interface PointOffer {
  currency: string;
  type: PointType;
  price?: Price;
  deliveryMinutes: number;
}

/** One of the organisation's own places. */
export interface BranchContent {
  code: string;
  name: string;
  country: string;
  city: string;
  address: string;
  phoneNumber: string;
  openingHours: string;
  allocatedTo: string;
  enabled: boolean;
}

export interface Branch extends BranchContent {
  version: number;
}

const types: Record<DeliveryMethod, PointType> = {
  ACCOUNTPAYMENT: "BANK",
  MOBILE_MONEY: "MOBILE_MONEY",
  CASH_PICKUP: "CASH",
  WALLET: "WALLET",
};

/** Where a delivery method pays out. */
export function pointTypeOf(method: DeliveryMethod): PointType {
  return types[method];
}

export function operatorKeyOf(operator: string): string {
  return operator.trim().toLowerCase();
}
