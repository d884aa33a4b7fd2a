import type { DataKeys, SealedField } from "../../shared/erasure/data-keys.js";
import type { AnswerCipher, Scope } from "../../shared/idempotency/index.js";

/** Seals stored answers that hold a webhook's secret. */
export function createAnswerCipher(keys: DataKeys): AnswerCipher {
  const contextOf = ({ tenantId, caller, operation, key }: Scope) =>
    JSON.stringify(["answer", tenantId, caller, operation, key]);
  return {
    async seal(bytes, scope) {
      const sealed = await keys.seal(Buffer.from(bytes).toString("base64"), contextOf(scope));
      return Buffer.from(JSON.stringify(sealed));
    },
    async open(bytes, scope) {
      const sealed = JSON.parse(Buffer.from(bytes).toString()) as SealedField;
      return new Uint8Array(Buffer.from(await keys.open(sealed, contextOf(scope)), "base64"));
    },
  };
}
