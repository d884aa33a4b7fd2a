import type { DataKeys, SealedField } from "../keys/data-keys.js";
import type { AnswerCipher, Scope } from "./answer.js";

/** Seals answers that are kept for repeats; bound to the request that they answer. */
export function createAnswerCipher(keys: DataKeys): AnswerCipher {
  const contextOf = ({ tenantId, caller, operation, key }: Scope) =>
    `answer ${JSON.stringify([tenantId, caller, operation, key])}`;
  return {
    async seal(bytes, scope) {
      const sealed = await keys.seal(Buffer.from(bytes).toString("base64"), contextOf(scope));
      return Buffer.from(JSON.stringify(sealed));
    },
    async open(bytes, scope) {
      const sealed = JSON.parse(Buffer.from(bytes).toString()) as SealedField;
      return Buffer.from(await keys.open(sealed, contextOf(scope)), "base64");
    },
  };
}
