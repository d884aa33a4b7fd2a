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
  | { kind: "response"; bytes: StoredBytes; secret?: boolean }
  | ({ kind: "refusal" } & StoredRefusal)
  | { kind: "refusal"; sealed: StoredBytes };

export async function answerToDocument(answer: StoredAnswer, scope: Scope, cipher?: AnswerCipher): Promise<AnswerRow> {
  const isSecret = answer.kind === "response" ? answer.secret : answer.details?.isPersonal;
  if (!isSecret) return answer;
  if (!cipher) throw new Error(`${scope.operation} answers with a secret but has no cipher`);
  if (answer.kind === "response") return { ...answer, bytes: await cipher.seal(answer.bytes, scope) };
  return { kind: "refusal", sealed: await cipher.seal(Buffer.from(JSON.stringify(answer)), scope) };
}

export async function answerFromDocument(row: AnswerRow, scope: Scope, cipher?: AnswerCipher): Promise<StoredAnswer> {
  if (row.kind === "refusal" && "code" in row) return row;
  const bytes = new Uint8Array(bytesOf(row.kind === "refusal" ? row.sealed : row.bytes));
  if (row.kind === "response" && !row.secret) return { kind: "response", bytes };
  if (!cipher) throw new Error(`${scope.operation} answered with a secret but has no cipher`);
  if (row.kind === "refusal") {
    return JSON.parse(Buffer.from(await cipher.open(bytes, scope)).toString()) as StoredAnswer;
  }
  return { kind: "response", secret: true, bytes: await cipher.open(bytes, scope) };
}

/** The refusal of a stored answer as it was thrown the first time. */
export function refusalOf(answer: StoredAnswer & { kind: "refusal" }): Refusal {
  return new Refusal(answer.code, answer.message, answer.details);
}

export function answerOfRefusal(refusal: Refusal): StoredAnswer {
  return { kind: "refusal", ...storedRefusal(refusal) };
}
