import { createReadStream, createWriteStream } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { finished } from "node:stream/promises";
import type { Account, JournalRefusal, JournalTransfer } from "../../../proto/gen/ledger/v1/ledger.js";
import { readAccounts, readRefusals, readTransfers, type RemoteLedger } from "./journal.js";
import { format, lineFromText, lineToText, type Line } from "./lines.js";
import type { Progress } from "./progress.js";

export interface Counts {
  accounts: number;
  transfers: number;
  refusals: number;
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
  const { sequence, hash, closedThrough } = await ledger.client.getJournalHead({}, ledger.call());
  const counts = { accounts: 0, transfers: 0, refusals: 0 };
  await write(lineToText({ journal: { format, tenant: ledger.tenantId, sequence, hash, closedThrough } }));
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
    counts.refusals++;
    await write(lineToText({ refusal }));
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
  const counts = { accounts: 0, transfers: 0, refusals: 0 };
  const sender = createSender(ledger);
  const closedAccountIds: string[] = [];
  let head: Extract<Line, { journal: unknown }>["journal"] | undefined;
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
        if (account.flags?.includes(closedFlag)) closedAccountIds.push(account.accountId);
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
  await sender.finish(closedAccountIds, head.closedThrough ?? "");
  const { sequence, hash } = await ledger.client.getJournalHead({}, ledger.call());
  if (sequence < head.sequence || (sequence === head.sequence && Buffer.compare(hash, head.hash) !== 0)) {
    throw new Error(`the journal ends at ${sequence}, the export says ${head.sequence}`);
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
}

/** Sends what gathers, linked transfers together, in the order it came. */
function createSender({ client, call }: RemoteLedger) {
  let parts: Parts = { accounts: [], transfers: [], refusals: [] };
  let bytes = 0;
  let group: JournalTransfer[] = [];
  let groupBytes = 0;

  const size = () => parts.accounts.length + parts.transfers.length + parts.refusals.length;

  async function flush(): Promise<void> {
    if (size() === 0) return;
    const request = parts;
    parts = { accounts: [], transfers: [], refusals: [] };
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
    async finish(closedAccountIds: readonly string[], closedThrough: string): Promise<void> {
      for (let at = 0; at < closedAccountIds.length; at += maxPerCall) {
        await client.importJournal({ closedAccountIds: closedAccountIds.slice(at, at + maxPerCall) }, call());
      }
      if (closedThrough !== "") await client.importJournal({ closedThrough }, call());
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
