import { invalidInput } from "../../kernel/refusal.js";
import type { Closing } from "../domain/closing.js";
import { packageFiles } from "../domain/package-files.js";
import type { TenantStore } from "../store/index.js";
import type { TenantPackages } from "../store/packages.js";
import { bookedOf, transfersPerPage } from "./packages.js";

interface Sources {
  readonly journal: Pick<TenantStore, "journalAfter" | "findAccounts">;
  readonly parts: TenantPackages;
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
  { journal, parts }: Sources,
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
    const found = after >= closing.throughSeq ? [] : await journal.journalAfter(after, transfersPerPage);
    const page = found.flatMap(({ transfer }) => (transfer && transfer.seq <= closing.throughSeq ? [transfer] : []));
    const text = (await bookedOf(journal, page)).map((booked) => form.transfer!(booked, frame)).join("");
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
