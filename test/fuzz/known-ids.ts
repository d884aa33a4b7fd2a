import type { EdgeClient } from "../support/edge-client.js";

/** What is read of docs/openapi.json. */
export interface OpenApiDocument {
  paths: Record<
    string,
    Partial<
      Record<
        string,
        {
          operationId: string;
          parameters?: { name: string; in: string; required?: boolean }[];
          responses?: Record<string, { content?: Record<string, unknown> }>;
        }
      >
    >
  >;
}

export type KnownIds = Record<string, string[]>;

// Enough for any combination, few enough that two requests meet on one thing.
const maxPerName = 20;

/**
 * The ids that lists show to the client, by the name of the field or path parameter that takes
 * them: `id` in the answer of `GET …/transactions` is a transactionId, since
 * `…/transactions/{transactionId}` reads one.
 */
export async function readKnownIds(client: EdgeClient, document: OpenApiDocument): Promise<KnownIds> {
  const known = new Map<string, Set<string>>();
  const note = (name: string, value: string) => {
    const values = known.get(name) ?? new Set();
    if (values.size < maxPerName) values.add(value);
    known.set(name, values);
  };
  for (const [path, { get }] of Object.entries(document.paths)) {
    if (!get || path.includes("{") || get.parameters?.some((one) => one.required && one.in === "query")) continue;
    // A stream has no end.
    if (get.responses?.["200"]?.content?.["text/event-stream"] !== undefined) continue;
    const answer = await client.send("GET", path, { headers: { "x-fapi-interaction-id": "known-ids" } });
    if (answer.status === 200 && answer.body?.data) noteIds(answer.body.data, parameterBelow(document, path), note);
  }
  return Object.fromEntries([...known].map(([name, values]) => [name, [...values]]));
}

/** The parameter that follows a list's path, as `transactionId`. */
function parameterBelow(document: OpenApiDocument, list: string): string | undefined {
  const below = Object.keys(document.paths).find((path) => path.startsWith(`${list}/{`));
  return below?.slice(list.length + 2).split("}")[0];
}

function noteIds(value: unknown, ownName: string | undefined, note: (name: string, value: string) => void): void {
  if (Array.isArray(value)) {
    for (const one of value) noteIds(one, ownName, note);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === "object") noteIds(member, undefined, note);
    if (typeof member !== "string" || member === "") continue;
    if (name === "id" && ownName !== undefined) note(ownName, member);
    if (/(Id|Code|Number)$|^(code|currency|country)$/.test(name)) note(name, member);
    // Names of the contract that differ from the field that shows the id.
    for (const alias of aliases[name] ?? []) note(alias, member);
  }
}

const aliases: Readonly<Record<string, readonly string[]>> = {
  accountId: ["userWalletId", "payAbleId"],
  currency: ["sendCurrency", "receivingCurrency"],
  customerCode: ["preExistingSenderCustomerCode"],
  code: ["preExistingRecipientCustomerCode"],
};
