import { randomUUID } from "node:crypto";
import type { Clock } from "../../../kernel/time/clock.js";
import { crashPoint } from "../../../kernel/process/crash-point.js";
import type { Logger } from "../../../kernel/process/log.js";
import type { MadeCall } from "../../../platform/partners/sender.js";
import type { BankFile, BankReport } from "../../domain/bank-files.js";
import type { RemittanceStore } from "../../store/index.js";
import { readBankStatement } from "./bank-statement.js";
import type { BankConfiguration } from "./configuration.js";
import type { BankDocument } from "./document.js";
import type { BankFolders, WaitingFile } from "./folders.js";
import { matchLines } from "./matching.js";
import { bankFileMetrics } from "./metrics.js";
import { documentKindOf, type DocumentKind, type ValidateDocument } from "./schemas.js";
import { readStatusReport } from "./status-report.js";
import { fileTries, isLast, tooManyTries } from "./tries.js";
import { assertWithinBounds, FileFault, namespaceOf, TriesFault } from "./xml.js";

export interface InboxOptions {
  tenantId: string;
  installationId: string;
  configuration: BankConfiguration;
  store: RemittanceStore;
  folders: ReturnType<BankFolders["of"]>;
  validate: ValidateDocument;
  clock: Clock;
  log: Logger;
  onCall: (made: MadeCall) => void;
  maxBytes?: number;
  /** How long a file has not been written to before it is taken for whole, ms. */
  restMs?: number;
}

type Outcome = "read" | "failed" | "known";

// Some 25,000 entries; statements of more come in several files.
const defaultMaxBytes = 16 * 1_024 * 1_024;
const defaultRestMs = 5_000;
const staleAfterMs = 24 * 60 * 60_000;
// What is left is read at the next turn: other banks' files wait for this one's.
const beginForMs = 60_000;
const mostAtOnce = 1_000;

/**
 * Reads what a bank has laid into `in`: a file counts as a whole or not at all, and once. Any
 * number of replicas may do it at a time. Gives what was said anew.
 */
export async function readInbox(options: InboxOptions, signal?: AbortSignal): Promise<BankReport[]> {
  const { folders, restMs = defaultRestMs } = options;
  const reports: BankReport[] = [];
  const faults: unknown[] = [];
  const begun = performance.now();
  const tries = fileTries(options);
  for (const file of await tries.leastTriedFirst((await folders.list("in")).slice(0, mostAtOnce))) {
    if (signal?.aborted || performance.now() - begun > beginForMs) break;
    // Its time is rounded, and may be a millisecond ahead.
    if (Math.max(0, Date.now() - file.changedAt.getTime()) < restMs) continue;
    try {
      reports.push(...(await tries.count(file, (number) => readFile(options, file, number))));
    } catch (error) {
      // One that cannot be opened keeps none of the others.
      faults.push(error);
      options.log.warn({ err: error, tenantId: options.tenantId, file: file.name }, "a bank's file was not read");
    }
  }
  await discardStale(options);
  if (faults.length > 0 && reports.length === 0) throw faults[0];
  return reports;
}

/**
 * What a crash left ready that nobody has recorded: first nobody may
 * record it any more, then it goes.
 */
async function discardStale({ tenantId, installationId, store, folders }: InboxOptions): Promise<void> {
  for (const attempt of await folders.listAttempts(new Date(Date.now() - staleAfterMs))) {
    const messageId = `discarded:${attempt}`;
    const message = { installationId, messageId, attempt, fileName: "", createdAt: new Date() };
    const { bankFiles } = store.forTenant(tenantId);
    const isOurs = await bankFiles.discardAttempt({ ...message, state: "DISCARDED" });
    if (isOurs || (await bankFiles.findMessage(installationId, messageId)) !== undefined)
      await folders.discard(attempt);
  }
}

async function readFile(options: InboxOptions, { name, changedAt }: WaitingFile, tries: number): Promise<BankReport[]> {
  const { tenantId, installationId, folders, clock, maxBytes = defaultMaxBytes } = options;
  const startedAt = performance.now();
  const file: BankFile = {
    installationId,
    fileId: "",
    fileName: name,
    kind: "",
    messageId: "",
    state: "FAILED",
    reason: "",
    at: clock.now(),
  };
  const ended = (outcome: Outcome) => note(options, file, outcome, startedAt);
  try {
    tooManyTries(tries);
    const found = await folders.read(name, maxBytes);
    if (found === undefined) return [];
    file.fileId = found.fileId;
    const reports = await takeFile(options, file, found.bytes);
    await folders.settle(name, "done", file.fileId);
    ended(reports === undefined ? "known" : "read");
    return reports ?? [];
  } catch (error) {
    if (!(error instanceof FileFault) && !(error instanceof TriesFault && isLast(tries))) throw error;
    file.reason = error.message;
    // One that is too large has no hash.
    file.fileId ||= `${changedAt.getTime()}-${randomUUID()}`;
    await options.store.forTenant(tenantId).bankFiles.insertFile(file);
    await folders.settle(name, "failed", file.fileId);
    ended("failed");
    return [];
  }
}

/** Its reports, once they count; undefined where it was read before. */
async function takeFile(options: InboxOptions, file: BankFile, bytes: Buffer): Promise<BankReport[] | undefined> {
  const { tenantId, installationId, store } = options;
  const { bankFiles } = store.forTenant(tenantId);
  const { kind, messageId, lines } = await documentOf(options, bytes);
  file.kind = kind;
  file.messageId = messageId;
  const before = await bankFiles.findReadFile(installationId, file);
  if (before !== undefined) return assertSame(before, file);
  const reports = await matchLines(bankFiles, file, lines);
  await bankFiles.addReports(reports);
  crashPoint("remittance.bank-file.noted");
  // From here on they count, and whoever watches the bank drives payouts on by them.
  const isNew = await bankFiles.insertFile({ ...file, state: "READ", toHint: true });
  crashPoint("remittance.bank-file.read");
  if (isNew) return reports;
  const other = await bankFiles.findReadFile(installationId, file);
  if (other === undefined) throw new Error(`${file.fileName} was read and was not`);
  return assertSame(other, file);
}

/** Another file under a number that was read would count twice, or against what was said. */
function assertSame(before: BankFile, { fileId, messageId }: BankFile): undefined {
  if (before.fileId === fileId) return undefined;
  throw new FileFault(`has the MsgId ${messageId} of another file, ${before.fileName}`);
}

/** Throws FileFault for what is no valid document of a kind that banks send us. */
export async function documentOf(
  { configuration, validate }: Pick<InboxOptions, "configuration" | "validate">,
  bytes: Buffer,
): Promise<BankDocument & { kind: DocumentKind }> {
  const text = textOf(bytes);
  await assertWithinBounds(bytes);
  const namespace = namespaceOf(text);
  const kind = documentKindOf(namespace);
  if (kind === undefined || kind.startsWith("pain.001"))
    throw new FileFault(`is of the kind ${namespace.slice(0, 100)}`);
  await validate(kind, text);
  if (!kind.startsWith("camt.053")) return { kind, ...(await readStatusReport(text)) };
  const own = bare(configuration.debtorIban ?? configuration.debtorAccount ?? "");
  return { kind, ...(await readBankStatement(text, (account) => bare(account) === own)) };
}

const bare = (account: string) => account.replaceAll(/[\s-]/g, "").toUpperCase();

function textOf(bytes: Buffer): string {
  const declared = /^\s*<\?xml[^>]*encoding=["']([^"']+)["']/.exec(bytes.subarray(0, 200).toString("latin1"))?.[1];
  if (declared !== undefined && declared.toUpperCase() !== "UTF-8") throw new FileFault("is not written in UTF-8");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new FileFault("has bytes that are no UTF-8");
  }
}

function note({ tenantId, log, onCall }: InboxOptions, file: BankFile, outcome: Outcome, startedAt: number): void {
  const { installationId, fileName, kind, reason, at } = file;
  const isFailed = outcome === "failed";
  bankFileMetrics.files.inc({ result: outcome });
  onCall({
    operation: "read-file",
    reference: fileName,
    at,
    status: isFailed ? 422 : 200,
    durationMs: Math.round(performance.now() - startedAt),
    outcome: isFailed ? "REFUSED" : "OK",
  });
  const about = { tenantId, installationId, fileName, kind };
  if (isFailed) log.error({ ...about, reason }, "a file of a bank cannot be read and counts for nothing");
  else log.info(about, outcome === "known" ? "a file of a bank was read before" : "a file of a bank is read");
}
