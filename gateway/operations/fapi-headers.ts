/** Headers that the contract asks of a repayment and a payoff. */
export const fapi = {
  idempotencyKey: "required",
  interactionId: "required",
  authDate: "required",
  customerIp: "required",
} as const;

/** The same in an example. */
export const fapiExample = {
  "x-idempotency-key": "repayment-2026-0042",
  "x-fapi-interaction-id": "3f1c9a52-6d0e-4b8f-9a37-2c5d8e1f7b61",
  "x-fapi-auth-date": "2026-11-21T10:15:00Z",
  "x-fapi-customer-ip-address": "203.0.113.7",
};
