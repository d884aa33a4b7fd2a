import { randomUUID } from "node:crypto";

export const password = "correct-horse-7";

export function tenantDraft(tenantId: string) {
  return {
    tenantId,
    name: `Tenant ${tenantId}`,
    hosts: [`${tenantId}.example`],
    preference: {
      baseCurrency: "USD",
      currencies: ["USD", "NGN"],
      countries: ["USA", "NG"],
      timeZone: "Africa/Lagos",
      locale: "en-NG",
      agentScope: "MANAGED",
      selfRegistration: false,
      doNotForwardEmailVerification: true,
      doNotForwardPhoneVerification: false,
      secondFactors: { otp: false, pin: false },
      transactionPasswordRequired: true,
      cashierWalletPayments: false,
    },
  };
}

export function registration(name: string) {
  return {
    idempotencyKey: randomUUID(),
    email: `${name}@x.example`,
    password,
    firstName: name,
    lastName: "Bello",
    phoneNumber: "+2348012345678",
    country: "NG",
  };
}
