import { createReadStream, createWriteStream } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";
import type { Account, JournalRecord, JournalRefusal, JournalTransfer } from "../../../proto/gen/ledger/v1/ledger.js";
import { readAccounts, readRecords, readRefusals, readTransfers, type RemoteLedger } from "./journal.js";
import { format, lineFromText, lineToText, type JournalLine, type Line } from "./lines.js";
import type { Progress } from "./progress.js";

export interface Counts {
  accounts: number;
  transfers: number;
  refusals: number;
  records: number;
}

const closedFlag = "ACCOUNT_FLAG_CLOSED";
const maxPerCall = 1_000;
// Leaves room below what one message may weigh; a linked group that is larger alone goes alone.
const maxCallBytes = 2_000_000;

/** Writes a tenant's whole journal as JSON lines, up to where it ends now. */
export async function exportJournal(
  ledger: RemoteLedger,
  write: (text: string) => Promise<void>,
  progress: Progress,
): Promise<Counts> {
  const { sequence, hash, records, recordsHash } = await ledger.client.getJournalHead({}, ledger.call());
  const counts = { accounts: 0, transfers: 0, refusals: 0, records: 0 };
  const ends = { sequence, hash, records, recordsHash };
  await write(lineToText({ journal: { format, tenant: ledger.tenantId, ...ends } }));
  for await (const account of readAccounts(ledger)) {
    counts.accounts++;
    await write(lineToText({ account: bare(account) }));
  }
  if (sequence > 0n) {
    for await (const transfer of readTransfers(ledger, 0n)) {
      counts.transfers++;
      await write(lineToText({ transfer }));
      progress.at(transfer.sequence, sequence, "transfers");
      if (transfer.sequence >= sequence) break;
    }
  }
  for await (const refusal of readRefusals(ledger)) {
    // What was refused since is in no record of this file.
    if (refusal.record > records) continue;
    counts.refusals++;
    await write(lineToText({ refusal }));
  }
  for await (const record of readRecords(ledger)) {
    if (record.number > records) break;
    counts.records++;
    await write(lineToText({ record }));
  }
  await write(lineToText({ end: counts }));
  progress.end();
  return counts;
}

/** Figures follow from the transfers. */
function bare(account: Account): Account {
  const figures = { debitsPostedMinor: 0n, creditsPostedMinor: 0n, debitsPendingMinor: 0n, creditsPendingMinor: 0n };
  const { accountId, code, currency, name, ownerId, flags, metadata, type, owningService, createdAt } = account;
  const about = { accountId, code, currency, name, ownerId, flags, metadata, type, owningService, createdAt };
  return Object.fromEntries(
    Object.entries({ ...about, ...figures }).filter(([, value]) => value !== 0n),
  ) as unknown as Account;
}

/**
 * Reads an export into a ledger, which checks the chain, every balance and every rule on the way
 * in; what is there already is checked and passed over, so that an import that was cut off can be
 * run again. Throws an Error naming the first line that does not fit.
 */
export async function importJournal(
  ledger: RemoteLedger,
  lines: AsyncIterable<string>,
  progress: Progress,
): Promise<Counts> {
  const counts = { accounts: 0, transfers: 0, refusals: 0, records: 0 };
  const sender = createSender(ledger);
  let head: JournalLine | undefined;
  let end: Counts | undefined;
  let number = 0;
  for await (const text of lines) {
    number++;
    try {
      if (end !== undefined) throw new Error("stands after the end");
      const line = lineFromText(text);
      if (head === undefined) {
        head = headOf(line, ledger.tenantId);
        continue;
      }
      if ("account" in line) {
        const { account } = line;
        const flags = (account.flags ?? []).filter((flag) => flag !== closedFlag);
        counts.accounts++;
        await sender.add("accounts", { ...account, flags }, text.length);
      } else if ("transfer" in line) {
        counts.transfers++;
        await sender.add("transfers", line.transfer, text.length);
        progress.at(line.transfer.sequence, head.sequence, "transfers");
      } else if ("refusal" in line) {
        counts.refusals++;
        await sender.add("refusals", line.refusal, text.length);
      } else if ("record" in line) {
        counts.records++;
        await sender.add("records", line.record, text.length);
      } else if ("end" in line) end = line.end;
      else throw new Error("is no line of an export");
    } catch (error) {
      progress.end();
      throw new Error(`line ${number}: ${(error as Error).message}`, { cause: error });
    }
  }
  progress.end();
  await sender.flush();
  if (head === undefined || end === undefined) throw new Error("the file is cut off: its last line is missing");
  for (const [name, count] of Object.entries(counts)) {
    if (end[name as keyof Counts] !== count) throw new Error(`the file holds ${count} ${name}, its end says otherwise`);
  }
  const there = await ledger.client.getJournalHead({}, ledger.call());
  const hasAll = (end: bigint, said: bigint, hash: Uint8Array, saidHash: Uint8Array) =>
    end > said || (end === said && Buffer.compare(hash, saidHash) === 0);
  if (!hasAll(there.sequence, head.sequence, there.hash, head.hash)) {
    throw new Error(`the journal ends at ${there.sequence}, the export says ${head.sequence}`);
  }
  if (!hasAll(there.records, head.records, there.recordsHash, head.recordsHash)) {
    throw new Error(`the records end at ${there.records}, the export says ${head.records}`);
  }
  return counts;
}

function headOf(line: Line, tenantId: string) {
  if (!("journal" in line)) throw new Error("the first line must say what journal it is");
  const { journal } = line;
  if (journal.format !== format) throw new Error(`format ${journal.format} is not known here`);
  if (journal.tenant !== tenantId) throw new Error(`the journal is that of ${journal.tenant}: its chain fits no other`);
  return journal;
}

interface Parts {
  accounts: Account[];
  transfers: JournalTransfer[];
  refusals: JournalRefusal[];
  records: JournalRecord[];
}

const noParts = (): Parts => ({ accounts: [], transfers: [], refusals: [], records: [] });

/** Sends what gathers, linked transfers together, in the order it came. */
function createSender({ client, call }: RemoteLedger) {
  let parts: Parts = noParts();
  let bytes = 0;
  let group: JournalTransfer[] = [];
  let groupBytes = 0;

  const size = () => parts.accounts.length + parts.transfers.length + parts.refusals.length + parts.records.length;

  async function flush(): Promise<void> {
    if (size() === 0) return;
    const request = parts;
    parts = noParts();
    bytes = 0;
    await client.importJournal(request, call());
  }

  async function room(items: number, itemBytes: number): Promise<void> {
    if (size() + items > maxPerCall || bytes + itemBytes > maxCallBytes) await flush();
    bytes += itemBytes;
  }

  return {
    async add<Kind extends keyof Parts>(kind: Kind, item: Parts[Kind][number], itemBytes: number): Promise<void> {
      if (kind !== "transfers") {
        await room(1, itemBytes);
        (parts[kind] as unknown[]).push(item);
        return;
      }
      const transfer = item as JournalTransfer;
      group.push(transfer);
      groupBytes += itemBytes;
      if (group.length < transfer.linkSize) return;
      await room(group.length, groupBytes);
      parts.transfers.push(...group);
      group = [];
      groupBytes = 0;
    },
    async flush(): Promise<void> {
      if (group.length > 0) throw new Error(`the linked group of ${group[0]!.key} is cut off`);
      await flush();
    },
  };
}

/** Lines of a file, or of standard input for "-". */
export function linesOf(file: string): AsyncIterable<string> {
  return createInterface({ input: file === "-" ? process.stdin : createReadStream(file), crlfDelay: Infinity });
}

/**
 * Writes to a file that must not be there yet, or to standard output for "-"; waits where the
 * reader is slow.
 */
export function writerTo(file: string): { write(text: string): Promise<void>; close(): Promise<void> } {
  const stream = file === "-" ? process.stdout : createWriteStream(file, { flags: "wx", mode: 0o600 });
  let failure: Error | undefined;
  stream.on("error", (error: Error) => (failure = error));
  return {
    async write(text) {
      if (failure !== undefined) throw failure;
      if (!stream.write(text)) await once(stream, "drain");
    },
    async close() {
      if (failure !== undefined) throw failure;
      if (stream === process.stdout) return;
      stream.end();
      await finished(stream);
    },
  };
}
