import { invalidInput } from "../../kernel/refusal.js";
import type { Closing } from "../domain/closing.js";
import type { Transfer } from "../domain/model.js";
import { packageFiles, type BookedTransfer } from "../domain/package-files.js";
import type { BookedAccount } from "../domain/package-sums.js";
import type { TenantStore } from "../store/index.js";
import type { TenantPackages } from "../store/packages.js";
import { bookedOf, transferPage } from "./packages.js";

interface Sources {
  readonly journal: Pick<TenantStore, "journalAfter" | "findAccounts">;
  readonly parts: TenantPackages;
  /** Accounts of the tenant that earlier pages had; what is found is added. */
  readonly known: Map<string, BookedAccount>;
}

const maxKnownAccounts = 50_000;

/** Keeps accounts between pages, of the tenant that was read last: the next page has many again. */
export function createKnownAccounts() {
  let last = { tenantId: "", known: new Map<string, BookedAccount>() };
  return (tenantId: string): Map<string, BookedAccount> => {
    if (last.tenantId !== tenantId || last.known.size > maxKnownAccounts) last = { tenantId, known: new Map() };
    return last.known;
  };
}

interface Page {
  readonly text: string;
  /** Where the next one begins; undefined after the last one. */
  readonly next?: string | undefined;
}

/** The parts of a file in their order, each with how far it is. */
const sections = ["opening", "transfer", "account", "tail"] as const;
type Section = (typeof sections)[number];

/**
 * A page of a package's file, made anew from the journal and what the closing keeps: the same bytes
 * each time. A position is "section:place".
 */
export async function readPackagePage(
  { journal, parts, known }: Sources,
  closing: Closing,
  file: string,
  position: string | undefined,
): Promise<Page> {
  if (file === "manifest.json") return { text: (await parts.findText(closing.number, file)) ?? "" };
  const form = packageFiles[file]!;
  const mapping = (await parts.findMapping(closing.mappingVersion))!;
  const frame = { closing, mapping };
  if (position === undefined) return { text: form.head?.(frame) ?? "", next: nextSection(undefined) };
  const [section, place] = placeOf(position);
  const at = (next: number | bigint) => `${section}:${next}`;
  if (form[section] === undefined) return { text: "", next: nextSection(section) };
  if (section === "transfer") {
    const after = BigInt(place) === 0n ? closing.afterSeq : BigInt(place);
    const page = after >= closing.throughSeq ? [] : await transferPage(journal, closing, after);
    const booked = form.isOfTransfersAlone === true ? page.map(unbooked) : await bookedOf(journal, page, known);
    const text = booked.map((one) => form.transfer!(one, frame)).join("");
    const end = page.at(-1)?.seq ?? closing.throughSeq;
    return { text, next: end < closing.throughSeq ? at(end) : nextSection(section) };
  }
  if (section === "tail") {
    const pieces = form.tail!(await parts.findSums(closing.number), frame);
    const next = place + 1 < pieces.length ? at(place + 1) : undefined;
    return { text: pieces[place] ?? "", next };
  }
  const of = section === "opening" ? closing.previous : closing.number;
  const accounts = await parts.findBalances(of, place);
  if (accounts === undefined) return { text: "", next: nextSection(section) };
  return { text: accounts.map((account) => form[section]!(account, frame)).join(""), next: at(place + 1) };
}

/** Of accounts that nobody looks at. */
function unbooked(transfer: Transfer): BookedTransfer {
  return { transfer, debit: undefined as never, credit: undefined as never };
}

function nextSection(section: Section | undefined): string | undefined {
  const next = sections[section === undefined ? 0 : sections.indexOf(section) + 1];
  return next === undefined ? undefined : `${next}:0`;
}

function placeOf(position: string): [Section, number] {
  const [name, place] = position.split(":");
  const section = sections.find((one) => one === name);
  if (section === undefined || !/^\d{1,16}$/.test(place ?? "")) throw invalidInput("cursor", "is none of this file");
  return [section, Number(place)];
}
