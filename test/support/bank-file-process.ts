// Hands a payout over to a bank that takes files, or reads what the bank has laid ready, in a
// process of its own for tests that kill it.
import { pino } from "pino";
import { createFileBanks } from "../../services/remittance/clients/bank-files/index.js";
import type { PayoutOrder } from "../../services/remittance/clients/payout-connector.js";
import { createFileHints } from "../../services/remittance/jobs/payout-hints.js";
import { createPayoutSteps } from "../../services/remittance/sagas/payout-steps.js";
import { createRemittanceStore } from "../../services/remittance/store/index.js";
import { systemClock } from "../../services/kernel/time/clock.js";
import { connectMongo } from "../../services/kernel/mongo/connect.js";
import { createOutbox } from "../../services/kernel/outbox/index.js";
import { createBreakers } from "../../services/platform/partners/breakers.js";
import { bankInstallation } from "./file-bank.js";

export interface BankFileWork {
  readonly uri: string;
  readonly database: string;
  readonly root: string;
  readonly tenantId: string;
  readonly installationId: string;
  /** To be submitted; where it is absent, files are read. */
  readonly order?: Omit<PayoutOrder, "amount"> & { readonly amountMinor: string };
}

const log = pino({ level: "silent" });

async function work({ uri, database, root, tenantId, installationId, order }: BankFileWork): Promise<void> {
  const { db, close } = await connectMongo({ uri, database, log });
  const store = createRemittanceStore(db);
  const banks = createFileBanks({
    root,
    store,
    clock: systemClock,
    timeZoneOf: async () => "UTC",
    log,
    notes: { note: () => {} },
    restMs: 0,
  });
  const installation = bankInstallation(installationId);
  if (order === undefined) {
    await banks.readInbox(tenantId, installation);
    const outbox = createOutbox({ db, clock: systemClock, log, service: "remittance" });
    const steps = createPayoutSteps({ store, outbox, clock: systemClock });
    await createFileHints({ store, steps, outbox, clock: systemClock, log })(tenantId, installationId);
  } else {
    const { amountMinor, ...rest } = order;
    const amount = { minor: BigInt(amountMinor), currency: "EUR" };
    await banks.open(tenantId, installation, createBreakers()).submit({ ...rest, amount }, { tenantId });
  }
  await close();
}

process.once("message", (requested) => {
  void work(requested as BankFileWork).then(() => process.exit(0));
});
