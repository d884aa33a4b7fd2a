const creditParty = [
  { key: "payoutpointid", value: "LAG-1" },
  { key: "recipientname", value: "Ngozi Okafor" },
];
/** Where our own cashiers hand out cash. */
export const cashPoint = {
  code: "LAG-1",
  name: "Lagos Island",
  type: "PAYOUT_POINT_TYPE_CASH" as const,
  country: "NG",
  currency: "NGN",
  minimumMinor: 1_000_00n,
  maximumMinor: 1_000_000_00n,
  enabled: true,
};
/** What asks for cash there. */
export const asCash = { type: "DELIVERY_METHOD_CASH_PICKUP" as const, creditParty };
