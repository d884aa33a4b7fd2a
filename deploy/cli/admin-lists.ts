import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ScreeningList, ScreeningServiceDefinition } from "../../proto/gen/compliance/v1/screening.js";
import { outgoing, type Client } from "../../services/kernel/grpc/client.js";
import { sandboxIdOf } from "../../services/platform/sandbox/sandbox.js";

/** What operators do with screening lists that count for every organisation. */
export type ListCommand = { sandboxes: boolean } & (
  | { name: "lists load"; source: string; files: string[]; who: string; publishedAt?: Date }
  | { name: "lists list"; source: string; status: string }
  | { name: "lists show"; listId: string }
  | { name: "lists approve"; listId: string; who: string }
);

export interface ListDeps {
  screening: Client<ScreeningServiceDefinition>;
  print: (line: string) => void;
  /** Between two looks at a list that is read, ms; half a second when absent. */
  pollEveryMs?: number;
}

export const listUsage = `npm run admin -- lists load SOURCE FILE... [--who NAME] [--published TIME] [--sandboxes]
                                               reads a screening list; OFAC_SDN are sdn.csv, alt.csv, add.csv and sdn_comments.csv
npm run admin -- lists list [--source SOURCE] [--status STATUS] [--sandboxes]
                                               versions of screening lists, newest first
npm run admin -- lists show LIST [--sandboxes] one version, as JSON: what it changed, or why it failed or waits
npm run admin -- lists approve LIST [--who NAME] [--sandboxes]
                                               puts a version that waits to use; not by whoever loaded it`;

export const listOptions = {
  who: { type: "string" },
  published: { type: "string" },
  source: { type: "string", default: "" },
  status: { type: "string", default: "" },
  sandboxes: { type: "boolean", default: false },
} as const;

interface Values {
  who?: string | undefined;
  published?: string | undefined;
  source: string;
  status: string;
  sandboxes: boolean;
}

/** Undefined where it is another command. Throws an Error with a sentence for what is missing. */
export function listCommandOf(words: readonly string[], values: Values, user: string): ListCommand | undefined {
  const [noun, verb, subject = "", ...more] = words;
  if (noun !== "lists") return undefined;
  const { sandboxes, source, status, who = user, published } = values;
  const named = (sentence: string) => {
    if (subject.trim() === "") throw new Error(sentence);
    return subject;
  };
  switch (verb) {
    case "load": {
      named("name the list's source, such as EU");
      if (more.length === 0) throw new Error("name the list's file");
      const publishedAt = published === undefined ? undefined : new Date(published);
      if (publishedAt !== undefined && Number.isNaN(publishedAt.getTime()))
        throw new Error("--published is a time such as 2026-11-20T00:00:00Z");
      return { name: "lists load", source: subject, files: more, who, sandboxes, ...(publishedAt && { publishedAt }) };
    }
    case "list":
      return { name: "lists list", source, status, sandboxes };
    case "show":
      return { name: "lists show", listId: named("name the list: see `lists list`"), sandboxes };
    case "approve":
      return { name: "lists approve", listId: named("name the list: see `lists list`"), who, sandboxes };
    default:
      return undefined;
  }
}

/** Throws a sentence where a list failed, or the service's Refusal. */
export async function runLists(command: ListCommand, deps: ListDeps): Promise<void> {
  const { screening, print } = deps;
  const call = callFor(command.sandboxes);
  switch (command.name) {
    case "lists load":
      return load(command, deps, call);
    case "lists list": {
      const { source, status } = command;
      const { lists } = await screening.listScreeningLists({ source, status, pageSize: 100 }, call());
      for (const list of lists) print(lineOf(list));
      return print(`${lists.length} versions`);
    }
    case "lists show": {
      const { list } = await screening.getScreeningList({ listId: command.listId }, call());
      return print(JSON.stringify(list, null, 2));
    }
    case "lists approve": {
      const { list } = await screening.approveScreeningList({ listId: command.listId, operator: command.who }, call());
      return print(lineOf(list!));
    }
  }
}

type LoadCommand = ListCommand & { name: "lists load" };

async function load(
  { source, files, who, publishedAt, sandboxes }: LoadCommand,
  { screening, print, pollEveryMs = 500 }: ListDeps,
  call: ReturnType<typeof callFor>,
): Promise<void> {
  const uploaded = [];
  for (const file of files) {
    const uploadId = randomUUID();
    const sha256 = await upload(file, (offset, data) =>
      screening.uploadScreeningListPart({ uploadId, offset: BigInt(offset), data }, call()),
    );
    uploaded.push({ uploadId, sha256, part: source === "OFAC_SDN" ? partOf(file) : "" });
  }
  const request = { source, files: uploaded, operator: who, ...(publishedAt && { publishedAt }) };
  let list = (await screening.loadScreeningList(request, call())).list!;
  while (list.status === "LOADING") {
    await sleep(pollEveryMs);
    list = (await screening.getScreeningList({ listId: list.listId }, call())).list!;
  }
  print(lineOf(list));
  if (list.status === "WAITING") for (const line of nextOf(list, sandboxes)) print(line);
  if (list.status === "FAILED") throw new Error("the version that was in use stays");
}

/** Who has to look before it counts, and how they say so. */
function nextOf({ listId }: ScreeningList, sandboxes: boolean): string[] {
  const command = `npm run admin -- lists approve ${listId} --who NAME${sandboxes ? " --sandboxes" : ""}`;
  return [
    "the version that was in use stays until somebody else of the operator has looked: `lists show` says what it changes",
    `they approve it with: ${command}`,
    "a manager approves only what another manager of the same organisation has loaded",
  ];
}

const parts: Readonly<Record<string, string>> = {
  "sdn.csv": "SDN",
  "alt.csv": "ALT",
  "add.csv": "ADD",
  "sdn_comments.csv": "COMMENTS",
};

function partOf(file: string): string {
  const part = parts[basename(file).toLowerCase()];
  if (part === undefined) throw new Error(`${file} is none of ${Object.keys(parts).join(", ")}`);
  return part;
}

const partBytes = 1024 * 1024;

/** In parts; the file's digest. */
async function upload(file: string, send: (offset: number, data: Buffer) => Promise<unknown>): Promise<string> {
  const digest = createHash("sha256");
  let offset = 0;
  for await (const data of createReadStream(file, { highWaterMark: partBytes }) as AsyncIterable<Buffer>) {
    digest.update(data);
    await send(offset, data);
    offset += data.length;
  }
  if (offset === 0) throw new Error(`${file} is empty`);
  return digest.digest("hex");
}

function lineOf({ listId, source, version, status, entries, added, changed, removed, reason, line }: ScreeningList) {
  const counts = `${entries} entries (${added} added, ${changed} changed, ${removed} removed)`;
  const why = reason === "" ? "" : `  ${reason}${line > 0 ? ` (line ${line})` : ""}`;
  return `${listId}  ${source.padEnd(8)}  version ${version}  ${status.padEnd(10)}  ${counts}${why}`;
}

// Compliance's name of who owns the operator's lists; no tenant can have it.
const operatorsLists = "_lists";

function callFor(sandboxes: boolean) {
  const tenantId = sandboxes ? sandboxIdOf(operatorsLists) : operatorsLists;
  return () => outgoing({ tenantId, interactionId: randomUUID() }, { timeoutMs: 30_000 });
}
