import type { mongo } from "mongoose";
import { storedRefusal, Refusal, type StoredRefusal } from "../refusal.js";

/** What the first request was answered: the response's encoded bytes, or the refusal. */
export type StoredAnswer =
  | { kind: "response"; bytes: Uint8Array; /** Kept encrypted. */ secret?: boolean }
  | ({ kind: "refusal" } & StoredRefusal);

export interface Scope {
  tenantId: string;
  /** User id, or the service that calls. */
  caller: string;
  operation: string;
  key: string;
}

/** Encrypts answers that hold a secret; the scope is authenticated along with them. */
export interface AnswerCipher {
  seal(bytes: Uint8Array, scope: Scope): Promise<Uint8Array>;
  open(bytes: Uint8Array, scope: Scope): Promise<Uint8Array>;
}

/** An answer as MongoDB keeps it. */
export type AnswerRow =
  { kind: "response"; bytes: Uint8Array | mongo.Binary; secret?: boolean } | ({ kind: "refusal" } & StoredRefusal);

export async function answerToRow(answer: StoredAnswer, scope: Scope, cipher?: AnswerCipher): Promise<AnswerRow> {
  if (answer.kind !== "response" || !answer.secret) return answer;
  if (!cipher) throw new Error(`${scope.operation} answers with a secret but has no cipher`);
  return { ...answer, bytes: await cipher.seal(answer.bytes, scope) };
}

export async function answerFromRow(row: AnswerRow, scope: Scope, cipher?: AnswerCipher): Promise<StoredAnswer> {
  if (row.kind !== "response") return row;
  const bytes = plainBytes(row.bytes);
  if (!row.secret) return { kind: "response", bytes };
  if (!cipher) throw new Error(`${scope.operation} answered with a secret but has no cipher`);
  return { kind: "response", secret: true, bytes: await cipher.open(bytes, scope) };
}

function plainBytes(stored: Uint8Array | mongo.Binary): Uint8Array {
  const bytes = stored instanceof Uint8Array ? stored : (stored.buffer.subarray(0, stored.position) as Uint8Array);
  return new Uint8Array(bytes);
}

/** The refusal of a stored answer as it was thrown the first time. */
export function refusalOf(answer: StoredAnswer & { kind: "refusal" }): Refusal {
  return new Refusal(answer.code, answer.message, answer.details);
}

export function answerOfRefusal(refusal: Refusal): StoredAnswer {
  return { kind: "refusal", ...storedRefusal(refusal) };
}
