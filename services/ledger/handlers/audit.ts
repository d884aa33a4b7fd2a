import type { LedgerServiceDefinition } from "../../../proto/gen/ledger/v1/ledger.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { dayText } from "../domain/days.js";
import { emptyHead } from "../domain/journal.js";
import { accountToWire } from "../wire/accounts.js";
import { cursorOf, sequenceOf } from "../wire/cursor.js";
import { dayFromWire, idFromWire, timeFromWire } from "../wire/values.js";
import { daySumsToWire, importedAccounts, journalEntryFromWire, journalEntryToWire } from "../wire/audit.js";
import {
  journalRecordFromWire,
  journalRecordToWire,
  journalRefusalFromWire,
  journalRefusalToWire,
  journalTransferToWire,
  storedPendingToWire,
  volumeToWire,
} from "../wire/audit.js";
import { sameContent } from "../domain/accounts.js";
import { byId, checkCount, pageSize, type LedgerDeps } from "./deps.js";

const maxAccountsPerPage = 500;
const reversalsPerPage = 1_000;
const maxImported = 1_000;

export function auditHandlers({ store, importJournal }: LedgerDeps) {
  return {
    async listJournals({ afterTenantId, limit }) {
      return { tenantIds: await store.journalsAfter(afterTenantId, pageSize(limit, "limit", 1_000)) };
    },

    async getJournalHead(_request, call) {
      const head = await store.forTenant(call.tenantId).findHead();
      if (head === undefined) {
        const { hash, recordsHash } = emptyHead(call.tenantId);
        return { hash, recordsHash };
      }
      return {
        sequence: head.seq,
        hash: head.hash,
        ...(head.seq === 0n ? {} : { time: new Date(head.timeMs) }),
        closedThrough: head.closedThrough === undefined ? "" : dayText(head.closedThrough),
        sumsSequence: head.seq,
        records: head.records,
        recordsHash: head.recordsHash,
      };
    },

    async readJournal({ afterSequence, limit }, call) {
      const size = pageSize(limit, "limit", 1_000);
      const decisions = await store.forTenant(call.tenantId).journalAfter(afterSequence, size);
      return {
        transfers: decisions.map(({ transfer, fingerprint }) =>
          journalEntryToWire({ transfer: transfer!, fingerprint }),
        ),
      };
    },

    async listJournalTransfers({ from, until, cursor, ...request }, call) {
      const tenant = store.forTenant(call.tenantId);
      const limit = pageSize(request.pageSize);
      const scope = ["journal", call.tenantId, from?.getTime(), until?.getTime()];
      const position = sequenceOf(scope, cursor);
      const end = (await tenant.findHead())?.seq ?? 0n;
      const bound = (time: Date, path: string) => tenant.sequenceBefore(timeFromWire(time, path), end);
      const first = from === undefined ? 0n : await bound(from, "from");
      const last = until === undefined ? end : await bound(until, "until");
      const after = position ?? first;
      const found = after >= last ? [] : await tenant.journalAfter(after, limit);
      const page = found.flatMap(({ transfer }) => (transfer !== undefined && transfer.seq <= last ? [transfer] : []));
      const reached = page.at(-1)?.seq ?? last;
      return {
        transfers: page.map((transfer) => journalTransferToWire(transfer)),
        nextCursor: reached < last ? cursorOf(scope, String(reached)) : "",
        lastSequence: last > first ? last : 0n,
      };
    },

    async readJournalAccounts({ afterAccountId, limit }, call) {
      const after = afterAccountId === "" ? "" : idFromWire(afterAccountId, "after_account_id");
      const size = pageSize(limit, "limit", maxAccountsPerPage, maxAccountsPerPage);
      const { accounts, sumsSeq } = await store.forTenant(call.tenantId).accountDaysAfter(after, size);
      return {
        sumsSequence: sumsSeq,
        accounts: accounts.map(({ account, days }) => ({
          account: accountToWire(account),
          lastSequence: account.figures.lastSeq,
          record: account.record ?? 0n,
          days: days.map(daySumsToWire),
        })),
      };
    },

    async readJournalVolumes({ afterDate }, call) {
      const after = afterDate === "" ? undefined : dayFromWire(afterDate, "after_date");
      const { volumes, until, sumsSeq } = await store.forTenant(call.tenantId).storedVolumesAfter(after);
      const untilDate = until === undefined ? "" : dayText(until);
      return { volumes: volumes.map(volumeToWire), untilDate, sumsSequence: sumsSeq };
    },

    async readJournalReversals({ afterKey }, call) {
      const stored = await store.forTenant(call.tenantId).reversalsAfter(afterKey, reversalsPerPage);
      return { reversals: stored.map(({ key, reversedBy }) => ({ key, reversedByKey: reversedBy })) };
    },

    async readJournalPendings({ keys }, call) {
      checkCount(keys.length, "keys");
      const wanted = [...new Set(keys.map((key) => idFromWire(key, "keys")))];
      return { pendings: (await store.forTenant(call.tenantId).pendingsOf(wanted)).map(storedPendingToWire) };
    },

    async readJournalRecords({ afterNumber }, call) {
      return { records: (await store.forTenant(call.tenantId).recordsAfter(afterNumber)).map(journalRecordToWire) };
    },

    async readRefusals({ afterKey, limit, keys }, call) {
      const tenant = store.forTenant(call.tenantId);
      if (keys.length > 0) checkCount(keys.length, "keys");
      const refusals =
        keys.length > 0
          ? await tenant.refusalsOf([...new Set(keys)])
          : await tenant.refusalsAfter(afterKey, pageSize(limit, "limit", 1_000));
      return { refusals: refusals.map(journalRefusalToWire) };
    },

    async importJournal(request, call) {
      const tenant = store.forTenant(call.tenantId);
      const { accounts, transfers, refusals, records } = request;
      const count = accounts.length + transfers.length + refusals.length + records.length;
      if (count > maxImported) throw invalidInput("transfers", `at most ${maxImported} of all together`);
      const infos = importedAccounts(request);
      const entries = transfers.map((transfer, index) => journalEntryFromWire(transfer, `transfers[${index}]`));
      const kept = refusals.map((refusal, index) => journalRefusalFromWire(refusal, `refusals[${index}]`));
      const recorded = records.map((record, index) => journalRecordFromWire(record, `records[${index}]`));

      const stored = byId(infos.length === 0 ? [] : await tenant.ensureAccounts(infos));
      for (const info of infos) {
        if (sameContent(stored.get(info.accountId)!.info, info)) continue;
        throw new Refusal("STATE_CONFLICT", `account ${info.accountId} exists with other content`);
      }
      const head = await importJournal(call.tenantId, entries);
      if (kept.length > 0) await tenant.importRefusals(kept);
      for (const record of recorded) await tenant.importRecord(record);
      return { sequence: head.seq, hash: head.hash };
    },
  } satisfies Partial<Handlers<LedgerServiceDefinition>>;
}
