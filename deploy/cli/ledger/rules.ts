// The ledger is reached through its rpcs alone. What it answers is then recomputed here by its own
// rules: to write them a second time would prove less, not more.
/* oxlint-disable eslint/no-restricted-imports -- pure rules, no store and no server */
export { dayText, parseDay } from "../../../services/ledger/domain/days.js";
export { readPublishedHeads } from "../../../services/ledger/jobs/published-heads.js";
export { verifyJournal, type Fault, type JournalSource } from "../../../services/ledger/audit/verify.js";
export { accountFromWire } from "../../../services/ledger/wire/accounts.js";
export {
  daySumsFromWire,
  journalEntryFromWire,
  journalRecordFromWire,
  journalRefusalFromWire,
  storedPendingFromWire,
  volumeFromWire,
} from "../../../services/ledger/wire/audit.js";
