import { randomUUID } from "node:crypto";
import { compareWallet } from "../../deploy/cli/reconcile-wallet.js";
import type { OperatorClients } from "../../deploy/local/operator-clients.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import type { Demo } from "../support/edge-client.js";
import { waitFor } from "../support/index.js";
import { insistOnRpc } from "./payment-jobs.js";
import { moneyInJobs } from "./wallet-jobs-money-in.js";
import { moneyOutJobs } from "./wallet-jobs-money-out.js";
import { createWalletPeople, patience } from "./wallet-people.js";

/**
 * Calls `arm` before the step that is to be cut off, and checks that its money moved once, or not
 * at all.
 */
export type WalletJobRun = (arm: () => void) => Promise<void>;

/** Everything of a wallet that takes more than one step and is no payment for a transaction. */
export type WalletJob = keyof ReturnType<typeof moneyInJobs> | keyof ReturnType<typeof moneyOutJobs>;

/** What clients do while the wallet is killed. */
export async function createWalletJobs(demo: Demo, operator: OperatorClients, partnerAddress: string) {
  const people = await createWalletPeople(demo, partnerAddress);
  const { tenantId } = people;
  const setStatus = async (status: "CUSTOMER_STATUS_BLOCKED" | "CUSTOMER_STATUS_CONFIRMED") => {
    const call = () => outgoing({ tenantId, interactionId: randomUUID() });
    const { customerId = "" } = people.amina;
    await insistOnRpc(() =>
      operator.compliance.setCustomerStatus({ customerId, status, reason: "court order" }, call()),
    );
  };
  const jobs: Record<WalletJob, WalletJobRun> = { ...moneyInJobs(people, setStatus), ...moneyOutJobs(people) };

  return {
    run: (job: WalletJob, arm: () => void) => jobs[job](arm),
    /** Wallet, remittance and ledger, once nothing is under way. */
    async compared() {
      const call = () => outgoing({ tenantId, interactionId: randomUUID() });
      return waitFor(
        async () => {
          const found = await compareWallet({ ...operator, call }).catch(() => undefined);
          return found?.inFlight === 0 ? found : undefined;
        },
        { ...patience, what: "nothing to be under way" },
      );
    },
  };
}
