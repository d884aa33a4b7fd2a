import { randomUUID } from "node:crypto";
import { readClusterFile } from "../../deploy/local/cluster-file.js";
import { createOperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import type { Demo } from "./edge-client.js";

/** A new, confirmed customer of the first demo tenant, with `minor` US cents in a wallet. */
export async function fundedCustomer(demo: Demo, minor: bigint, dataDir = process.env["E2E_DATA_DIR"] ?? "") {
  const { addresses, keys } = readClusterFile(dataDir);
  const operator = await createOperatorClients({ ...addresses, operatorKeyFile: keys.operatorKeyFile } as never);
  const call = () => outgoing({ tenantId: demo.tenants[0]?.id ?? "", interactionId: randomUUID() });
  const email = `${randomUUID()}@demo.example`;
  const person = { email, password: "A-Long-Pass-1", firstName: "Efua", lastName: "Mensah", country: "USA" };
  const { customer } = await operator.identity.registerCustomer({ idempotencyKey: email, ...person }, call());
  const { customerId = "", customerCode = "" } = customer ?? {};
  const confirmed = { customerId, status: "CUSTOMER_STATUS_CONFIRMED" as const, reason: "test" };
  await operator.compliance.setCustomerStatus(confirmed, call());
  const wallet = { idempotencyKey: randomUUID(), customerId, currency: "USD" };
  const accountId = (await operator.wallet.openWalletAccount(wallet, call())).account?.accountId ?? "";
  const amount = { amountMinor: minor, currency: "USD" };
  await operator.wallet.recordDeposit({ idempotencyKey: randomUUID(), accountId, amount, reference: "t" }, call());
  operator.close();
  return { person, customerId, customerCode, accountId };
}
