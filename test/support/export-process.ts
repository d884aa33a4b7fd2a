// Makes exports of reports in a process of its own, for tests that kill it.
import { pino } from "pino";
import { connectMongo } from "../../services/kernel/mongo/connect.js";
import { createDataKeys } from "../../services/kernel/keys/data-keys.js";
import { createLocalKey } from "../../services/kernel/keys/file-keys.js";
import { startReportExports } from "../../services/remittance/jobs/report-exports.js";
import { createRemittanceStore } from "../../services/remittance/store/index.js";
import { createPartyCipher } from "../../services/remittance/store/party-cipher.js";

export interface ExportWork {
  readonly uri: string;
  readonly database: string;
  /** base64 of the master key. */
  readonly key: string;
  readonly rowsAPiece: number;
}

/** The store as a service has it, with the key that a test gives. */
export function exportStore(db: Parameters<typeof createRemittanceStore>[0], key: string) {
  const wrapper = createLocalKey(Buffer.from(key, "base64"));
  return createRemittanceStore(
    db,
    createPartyCipher(createDataKeys({ db, wrapper, service: "remittance", purpose: "personal-data" })),
  );
}

async function work({ uri, database, key, rowsAPiece }: ExportWork): Promise<void> {
  const log = pino({ level: "silent" });
  const { db, close } = await connectMongo({ uri, database, log });
  const options = { store: exportStore(db, key), log, exportEveryMs: 3_600_000, exportLeaseMs: 1, rowsAPiece };
  const job = startReportExports(options);
  await job.exportNow();
  await job.stop();
  await close();
}

process.once("message", (requested) => {
  void work(requested as ExportWork).then(() => process.exit(0));
});
