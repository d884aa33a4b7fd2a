import type { mongo } from "mongoose";
import { isDuplicateKey } from "../../kernel/mongo/transaction.js";
import { uniqueIndexes } from "./collections.js";

/** Another document holds what must be unique. It has already aborted the transaction. */
export class Taken extends Error {
  override readonly name = "Taken";
  readonly what: keyof typeof uniqueIndexes;

  constructor(what: keyof typeof uniqueIndexes, cause: unknown) {
    super(`${what} is taken`, { cause });
    this.what = what;
  }
}

/** Taken where the error says that a unique index has it already; else the error as it is. */
export function takenOr(error: unknown): unknown {
  if (!isDuplicateKey(error)) return error;
  const { message } = error as mongo.MongoServerError;
  const names = Object.keys(uniqueIndexes) as (keyof typeof uniqueIndexes)[];
  const what = names.find((name) => message.includes(` ${uniqueIndexes[name]} `));
  return what === undefined ? error : new Taken(what, error);
}
