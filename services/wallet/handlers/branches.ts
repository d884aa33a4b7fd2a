import { outgoing } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import { invalidInput, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { house } from "../domain/vault.js";
import type { WalletDeps } from "./deps.js";

/**
 * A branch that is there and not switched off, or the house where none is named. Refuses
 * INVALID_INPUT at the path.
 */
export async function assertBranch(
  { remittance }: Pick<WalletDeps, "remittance">,
  code: string,
  path: string,
  call: Call,
  { mayBeOff = false } = {},
): Promise<string> {
  const named = textFromWire(code, path, { minimum: 0, maximum: 64 });
  if (named === "") return house;
  const { branch } = await remittance.getBranch({ code: named }, outgoing(call)).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === "NOT_FOUND")
      throw invalidInput(path, "is no branch of the organisation");
    throw error;
  });
  if (branch?.enabled !== true && !mayBeOff) throw invalidInput(path, "is a branch that is switched off");
  return named;
}
