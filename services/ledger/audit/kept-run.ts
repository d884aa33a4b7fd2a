import { deserialize, serialize } from "node:v8";
import type { VerificationRun } from "./verify.js";
import { passForm } from "./verify-pass.js";

/** A run as bytes; Node reads those of its earlier versions. */
export function runToBytes(run: VerificationRun): Uint8Array {
  return serialize({ form: passForm, run });
}

/** A run to go on with; undefined where a version of the ledger kept it that knew it otherwise. */
export function runFromBytes(bytes: Uint8Array): VerificationRun | undefined {
  const { form, run } = deserialize(bytes) as { form: number; run: VerificationRun };
  return form === passForm ? run : undefined;
}
