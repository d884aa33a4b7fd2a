import { createHash, type Hash } from "node:crypto";
import type { Connection } from "mongoose";
import { inTransaction } from "../../kernel/mongo/transaction.js";
import type { RowHandler } from "../../kernel/outbox/index.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import type { Closing, PackageFile } from "../domain/closing.js";
import type { Day } from "../domain/days.js";
import type { Transfer } from "../domain/model.js";
import { packageFiles, type BookedTransfer, type FileForm, type PackageFrame } from "../domain/package-files.js";
import { manifestOf } from "../domain/package-manifest.js";
import {
  bookedAccount,
  createPackageSums,
  type AccountSums,
  type BookedAccount,
  type Sums,
} from "../domain/package-sums.js";
import { movesMoney } from "../domain/steps.js";
import type { LedgerStore, TenantStore } from "../store/index.js";
import { accountsPerPart, type PackageStore, type TenantPackages } from "../store/packages.js";
import type { PeriodStore } from "../store/periods.js";

export interface PackageDeps {
  readonly db: Connection;
  readonly store: Pick<LedgerStore, "forTenant">;
  readonly periods: PeriodStore;
  readonly packages: PackageStore;
}

// More at once outlive the young generation, and cost as much again to collect.
const transfersPerPage = 250;
// How far it is is a write of its own, which costs as much as reading a page.
const pagesPerNote = 100;

/**
 * Builds the package of a closing: one pass over its transfers, from which each file is hashed, and
 * what the next package opens with is kept. Whoever is killed leaves the next try to begin anew and
 * put the same.
 */
export function createPackageBuilds({ db, store, periods, packages }: PackageDeps): RowHandler {
  return async ({ tenantId, payload }, { signal, complete }) => {
    const number = Number(payload["number"]);
    const ofTenant = periods.forTenant(tenantId);
    const closing = await ofTenant.find(number);
    if (closing === undefined) throw new Error(`no closing ${number}`);
    if (closing.package.status === "DONE") return;
    const parts = packages.forTenant(tenantId);
    const mapping = await parts.findMapping(closing.mappingVersion);
    if (mapping === undefined) throw new Error(`no mapping ${closing.mappingVersion}`);
    const build = createBuild({ closing, mapping }, store.forTenant(tenantId), parts);
    await build.opening();
    let pages = 0;
    for await (const transfers of build.transfers()) {
      signal.throwIfAborted();
      if (pages++ % pagesPerNote === 0) await ofTenant.noteProgress(number, transfers);
    }
    crashPoint("ledger.package.read");
    const { files, transfers, sums } = await build.balances();
    await parts.putSums(number, sums);
    const manifest = manifestOf({ tenantId, closing, mapping, files, transfers, sums });
    await parts.putText(number, "manifest.json", manifest);
    crashPoint("ledger.package.kept");
    const all = [...files, { name: "manifest.json", ...hashed([manifest]) }];
    await inTransaction(
      db,
      async (session) => {
        await ofTenant.finish(number, transfers, all, session);
        await complete(session);
        return true;
      },
      { readBack: async () => (await ofTenant.find(number))?.package.status === "DONE" || undefined },
    );
  };
}

interface GrowingSums extends AccountSums {
  later: Map<Day, Sums>;
}

// Of nearly all accounts, which are held at once: a map each would be most of the memory.
const nothingLater = new Map<Day, Sums>();

function createBuild(frame: PackageFrame & { closing: Closing }, tenant: TenantStore, parts: TenantPackages) {
  const { closing, mapping } = frame;
  const sums = createPackageSums(mapping, closing.last);
  const files = Object.entries(packageFiles).map(([name, form]) => ({ name, form, ...createHashed() }));
  const write = (text: (form: FileForm) => string | undefined) => {
    for (const { form, add } of files) add(text(form) ?? "");
  };
  const moved = new Map<string, GrowingSums>();
  let transfers = 0;

  function move(account: BookedAccount, day: Day, debits: bigint, credits: bigint): void {
    sums.move(account, day, debits, credits);
    const known = moved.get(account.accountId);
    const own: GrowingSums = known ?? { account, debits: 0n, credits: 0n, later: nothingLater };
    if (known === undefined) moved.set(account.accountId, own);
    if (day <= closing.last) addTo(own, debits, credits);
    else addTo(laterOf(own, day), debits, credits);
  }

  return {
    async opening(): Promise<void> {
      write((form) => form.head?.(frame));
      for await (const page of balancesOf(parts, closing.previous)) {
        for (const account of page) {
          sums.open(account);
          write((form) => form.opening?.(account, frame));
        }
      }
    },

    /** How many there were, after each page. */
    async *transfers(): AsyncGenerator<number> {
      const infos = new Map<string, BookedAccount>();
      for await (const page of transfersOf(tenant, closing)) {
        for (const booked of await bookedOf(tenant, page, infos)) {
          const { transfer, debit, credit } = booked;
          write((form) => form.transfer?.(booked, frame));
          const minor = movesMoney(transfer) ? transfer.amountMinor : 0n;
          const { day } = transfer;
          move(debit, day, minor, 0n);
          move(credit, day, 0n, minor);
        }
        transfers += page.length;
        yield transfers;
      }
    },

    /** Keeps what accounts hold at the end, and gives the files with all of it. */
    async balances() {
      let part = 0;
      let page: AccountSums[] = [];
      const keep = async (): Promise<void> => {
        await parts.putBalances(closing.number, part++, page);
        page = [];
      };
      for await (const account of merged(balancesOf(parts, closing.previous), moved, closing.last)) {
        sums.close(account);
        write((form) => form.account?.(account, frame));
        page.push(account);
        if (page.length === accountsPerPart) await keep();
      }
      if (page.length > 0) await keep();
      const done = sums.done();
      write((form) => form.tail?.(done, frame).join(""));
      return { files: files.map(({ name, file }): PackageFile => ({ name, ...file() })), transfers, sums: done };
    },
  };
}

/** What accounts held at a closing, by id, a part at a time; nothing before the first one. */
export async function* balancesOf(parts: TenantPackages, closing: number | undefined): AsyncGenerator<AccountSums[]> {
  for (let part = 0; ; part++) {
    const page = await parts.findBalances(closing, part);
    if (page === undefined) return;
    yield page;
  }
}

/** A closing's transfers, a page at a time; the next one is read while a page is worked on. */
async function* transfersOf(
  tenant: Pick<TenantStore, "journalAfter">,
  closing: Closing,
): AsyncGenerator<Transfer[], undefined> {
  const { afterSeq, throughSeq } = closing;
  let coming = afterSeq < throughSeq ? transferPage(tenant, closing, afterSeq) : undefined;
  while (coming !== undefined) {
    const page: Transfer[] = await coming;
    const end = page.at(-1)?.seq;
    if (end === undefined) throw new Error(`the journal lacks transfers of ${closing.period}`);
    coming = end < throughSeq ? transferPage(tenant, closing, end) : undefined;
    // Whoever stops in between does not wait for it.
    coming?.catch(() => undefined);
    yield page;
  }
}

/** Those after a sequence, to the closing's last one. */
export async function transferPage(
  tenant: Pick<TenantStore, "journalAfter">,
  { throughSeq }: Closing,
  after: bigint,
): Promise<Transfer[]> {
  const found = await tenant.journalAfter(after, transfersPerPage);
  return found.flatMap(({ transfer }) => (transfer !== undefined && transfer.seq <= throughSeq ? [transfer] : []));
}

/** Transfers with the accounts of both sides; `infos` keeps those for pages to come. */
export async function bookedOf(
  tenant: Pick<TenantStore, "findAccounts">,
  page: readonly Transfer[],
  infos = new Map<string, BookedAccount>(),
): Promise<BookedTransfer[]> {
  const ids = new Set(page.flatMap(({ debitAccountId, creditAccountId }) => [debitAccountId, creditAccountId]));
  const unknown = [...ids].filter((id) => !infos.has(id));
  if (unknown.length > 0) {
    for (const { info } of await tenant.findAccounts(unknown)) {
      infos.set(info.accountId, bookedAccount(info));
    }
  }
  return page.map((transfer) => ({
    transfer,
    debit: infos.get(transfer.debitAccountId)!,
    credit: infos.get(transfer.creditAccountId)!,
  }));
}

/**
 * What accounts held, with what they moved since, by id; what counts by `last` is of the period
 * now.
 */
async function* merged(
  before: AsyncIterable<readonly AccountSums[]>,
  moved: Map<string, AccountSums>,
  last: Day,
): AsyncGenerator<AccountSums> {
  const fresh = [...moved.keys()].toSorted();
  let next = 0;
  const isOld = new Set<string>();
  for await (const page of before) {
    for (const old of page) {
      for (; next < fresh.length && fresh[next]! <= old.account.accountId; next++) {
        if (fresh[next] !== old.account.accountId) yield moved.get(fresh[next]!)!;
        else isOld.add(fresh[next]!);
      }
      yield together(old, isOld.has(old.account.accountId) ? moved.get(old.account.accountId) : undefined, last);
    }
  }
  for (; next < fresh.length; next++) yield moved.get(fresh[next]!)!;
}

function together(old: AccountSums, since: AccountSums | undefined, last: Day): AccountSums {
  const all: GrowingSums = { ...old, later: nothingLater };
  for (const [day, sums] of old.later) addTo(day <= last ? all : laterOf(all, day), sums.debits, sums.credits);
  if (since === undefined) return all;
  addTo(all, since.debits, since.credits);
  for (const [day, sums] of since.later) addTo(laterOf(all, day), sums.debits, sums.credits);
  return all;
}

function laterOf(account: GrowingSums, day: Day): Sums {
  const known = account.later.get(day);
  if (known !== undefined) return known;
  const sums = { debits: 0n, credits: 0n };
  if (account.later === nothingLater) account.later = new Map();
  account.later.set(day, sums);
  return sums;
}

function addTo(sums: Sums, debits: bigint, credits: bigint): void {
  sums.debits += debits;
  sums.credits += credits;
}

// Hashing a text at a time costs more than hashing many.
const hashedAtOnce = 65_536;

function createHashed() {
  const hash: Hash = createHash("sha256");
  let bytes = 0;
  let waiting = "";
  const flush = (): void => {
    const chunk = Buffer.from(waiting);
    hash.update(chunk);
    bytes += chunk.length;
    waiting = "";
  };
  return {
    add(text: string): void {
      waiting += text;
      if (waiting.length >= hashedAtOnce) flush();
    },
    file(): Omit<PackageFile, "name"> {
      flush();
      return { bytes, sha256: hash.digest("hex") };
    },
  };
}

function hashed(texts: readonly string[]): Omit<PackageFile, "name"> {
  const { add, file } = createHashed();
  for (const text of texts) add(text);
  return file();
}
