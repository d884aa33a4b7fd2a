import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { processMetrics } from "../kernel/telemetry/metrics.js";

/** What one replica has to do. */
export interface JournalFigures {
  readonly journals: number;
  readonly queued: number;
  readonly load: number;
}

/** What a process of the ledger counts beside what all services do. */
export function createLedgerMetrics(registry: Registry) {
  const registers = [registry];
  const readers = new Set<() => JournalFigures>();
  const gauge = (name: string, help: string, figure: keyof JournalFigures) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set([...readers].reduce((sum, read) => sum + read()[figure], 0));
      },
    });
  gauge("manilla_ledger_journals", "Journals of tenants that this replica owns", "journals");
  gauge("manilla_ledger_queued_transfers", "Transfers that wait or are under way, in all its journals", "queued");
  gauge("manilla_ledger_load", "What replicas share by: its journals and, on average, their queued transfers", "load");
  return {
    groupTransfers: new Histogram({
      name: "manilla_ledger_group_transfers",
      help: "Transfers that one commit holds",
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
      registers,
    }),
    forwarded: new Counter({
      name: "manilla_ledger_forwarded_total",
      help: "Postings that went to the replica that owns the journal",
      registers,
    }),
    handedOver: new Counter({
      name: "manilla_ledger_handed_over_total",
      help: "Journals that went to a replica with less to do",
      registers,
    }),
    /** Asked at each scrape. Returns what ends it. */
    watch(read: () => JournalFigures): () => void {
      readers.add(read);
      return () => void readers.delete(read);
    },
  };
}

/** Figures of this process, beside its others. */
export const ledgerMetrics = createLedgerMetrics(processMetrics.registry);
