import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { CallOptions, Client } from "../../../services/kernel/grpc/client.js";
import {
  accountFromWire,
  daySumsFromWire,
  dayText,
  journalEntryFromWire,
  journalRecordFromWire,
  journalRefusalFromWire,
  parseDay,
  storedPendingFromWire,
  volumeFromWire,
  type JournalSource,
} from "./rules.js";

export type LedgerClient = Pick<
  Client<LedgerServiceDefinition>,
  | "getJournalHead"
  | "listJournals"
  | "readJournal"
  | "readJournalAccounts"
  | "readJournalVolumes"
  | "readJournalReversals"
  | "readJournalPendings"
  | "readJournalRecords"
  | "readRefusals"
  | "importJournal"
  | "getTrialBalance"
>;

/** A tenant's ledger as an operator reaches it; `call` makes the options of one call. */
export interface RemoteLedger {
  readonly client: LedgerClient;
  readonly tenantId: string;
  readonly call: () => CallOptions;
}

const perPage = 1_000;

/**
 * The journal by sequence, as it comes over the wire; the next page is asked for while one is used.
 */
export async function* readTransfers({ client, call }: RemoteLedger, after: bigint) {
  const pageAfter = (afterSequence: bigint) => client.readJournal({ afterSequence, limit: perPage }, call());
  let next = pageAfter(after);
  for (;;) {
    const { transfers } = await next;
    const last = transfers.at(-1);
    if (last === undefined) return;
    next = pageAfter(last.sequence);
    // Awaited in the next round, if there is one; until then a rejection must not be unhandled.
    next.catch(() => undefined);
    yield* transfers;
  }
}

export async function* readAccounts({ client, call }: RemoteLedger) {
  for (let afterAccountId = ""; ;) {
    const { accounts } = await client.readJournalAccounts({ afterAccountId, limit: 0 }, call());
    const last = accounts.at(-1)?.account;
    if (last === undefined) return;
    afterAccountId = last.accountId;
    for (const { account } of accounts) yield account!;
  }
}

export async function* readRefusals({ client, call }: RemoteLedger) {
  for (let afterKey = ""; ;) {
    const { refusals } = await client.readRefusals({ afterKey, limit: perPage }, call());
    const last = refusals.at(-1);
    if (last === undefined) return;
    afterKey = last.key;
    yield* refusals;
  }
}

export async function* readRecords({ client, call }: RemoteLedger) {
  for (let afterNumber = 0n; ;) {
    const { records } = await client.readJournalRecords({ afterNumber }, call());
    const last = records.at(-1);
    if (last === undefined) return;
    afterNumber = last.number;
    yield* records;
  }
}

/** For verify: everything is recomputed here, from what the ledger hands out. */
export function remoteJournal(ledger: RemoteLedger): JournalSource {
  const { client, tenantId, call } = ledger;
  return {
    tenantId,
    async head() {
      const { sequence, hash, records, recordsHash, closedThrough } = await client.getJournalHead({}, call());
      const through = closedThrough === "" ? {} : { closedThrough: parseDay(closedThrough)! };
      return { seq: sequence, hash, records, recordsHash, ...through };
    },
    async *transfersAfter(seq) {
      for await (const transfer of readTransfers(ledger, seq)) {
        yield journalEntryFromWire(transfer, `transfer ${transfer.sequence}`).transfer;
      }
    },
    async accountsAfter(afterAccountId, limit) {
      const { accounts, sumsSequence } = await client.readJournalAccounts({ afterAccountId, limit }, call());
      return accounts.map(({ account, days, lastSequence, record }) => ({
        account: { ...accountFromWire(account!, lastSequence), ...(record === 0n ? {} : { record }) },
        days: days.map(daySumsFromWire),
        sumsSeq: sumsSequence,
      }));
    },
    async volumesAfter(day) {
      const afterDate = day === undefined ? "" : dayText(day);
      const { volumes, untilDate, sumsSequence } = await client.readJournalVolumes({ afterDate }, call());
      const until = untilDate === "" ? undefined : parseDay(untilDate);
      return { volumes: volumes.map(volumeFromWire), until, sumsSeq: sumsSequence };
    },
    async reversalsAfter(afterKey) {
      const { reversals } = await client.readJournalReversals({ afterKey }, call());
      return reversals.map(({ key, reversedByKey }) => ({ key, reversedBy: reversedByKey }));
    },
    async recordsAfter(afterNumber) {
      const { records } = await client.readJournalRecords({ afterNumber }, call());
      return records.map((record) => journalRecordFromWire(record, `record ${record.number}`));
    },
    async refusalsOf(keys) {
      const { refusals } = await client.readRefusals({ keys: [...keys] }, call());
      return refusals.map((refusal) => journalRefusalFromWire(refusal, `refusal ${refusal.key}`));
    },
    async refusalsAfter(afterKey) {
      const { refusals } = await client.readRefusals({ afterKey, limit: perPage }, call());
      return refusals.map((refusal) => journalRefusalFromWire(refusal, `refusal ${refusal.key}`));
    },
    async pendingsOf(keys) {
      const { pendings } = await client.readJournalPendings({ keys: [...keys] }, call());
      return pendings.map(storedPendingFromWire);
    },
  };
}
