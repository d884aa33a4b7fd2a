import type { Handlers } from "../../services/kernel/grpc/server.js";
import type { IdentityServiceDefinition } from "../../proto/gen/identity/v1/identity.js";

/** Of a customer whom a transfer is made for, until they move. */
const details = (city: string) => ({
  dateOfBirth: "1990-04-12",
  placeOfBirth: { city: "Kano", country: "NGA" },
  nationality: "NGA",
  address: { lines: ["7 Broad Street"], city, region: "", postalCode: "", country: "NGA" },
  identityDocuments: [],
});

/** Keeps who somebody was when a transfer was first asked about, as identity does. */
export function createKeptParties() {
  const kept = new Map<string, ReturnType<typeof details>>();
  const towns = new Map<string, string>();
  const keepTransferParty: Handlers<IdentityServiceDefinition>["keepTransferParty"] = async (request, { tenantId }) => {
    const { reference, customerId } = request;
    const key = `${tenantId}/${reference}/${customerId}`;
    const known = kept.get(key) ?? details(towns.get(customerId) ?? "Lagos");
    kept.set(key, known);
    const names = { customerCode: `C-${customerId.slice(0, 8)}`, firstName: "Amina", lastName: "Bello" };
    return { customer: { customerId, ...names, country: "NGA", details: known } };
  };
  return { keepTransferParty, moves: (customerId: string, city: string) => void towns.set(customerId, city) };
}
