import { bytesOf, type StoredBytes } from "../mongo/bytes.js";
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
  { kind: "response"; bytes: StoredBytes; secret?: boolean } | ({ kind: "refusal" } & StoredRefusal);

export async function answerToDocument(answer: StoredAnswer, scope: Scope, cipher?: AnswerCipher): Promise<AnswerRow> {
  if (answer.kind !== "response" || !answer.secret) return answer;
  if (!cipher) throw new Error(`${scope.operation} answers with a secret but has no cipher`);
  return { ...answer, bytes: await cipher.seal(answer.bytes, scope) };
}

export async function answerFromDocument(row: AnswerRow, scope: Scope, cipher?: AnswerCipher): Promise<StoredAnswer> {
  if (row.kind !== "response") return row;
  const bytes = new Uint8Array(bytesOf(row.bytes));
  if (!row.secret) return { kind: "response", bytes };
  if (!cipher) throw new Error(`${scope.operation} answered with a secret but has no cipher`);
  return { kind: "response", secret: true, bytes: await cipher.open(bytes, scope) };
}

/** The refusal of a stored answer as it was thrown the first time. */
export function refusalOf(answer: StoredAnswer & { kind: "refusal" }): Refusal {
  return new Refusal(answer.code, answer.message, answer.details);
}

export function answerOfRefusal(refusal: Refusal): StoredAnswer {
  return { kind: "refusal", ...storedRefusal(refusal) };
}
