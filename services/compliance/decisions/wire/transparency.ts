import type {
  ReviseTransparencyRequest,
  TransparencyFacts as WireFacts,
  TransparencyProfile as WireProfile,
  TransparencyRow as WireRow,
} from "../../../../proto/gen/compliance/v1/transparency.js";
import type { WirePartial } from "../../../kernel/grpc/definition.js";
import { moneyFromWire, moneyToWire } from "../../../kernel/money.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import type { ProfileDraft } from "../domain/transparency-check.js";
import { standardRows } from "../domain/transparency-profiles.js";
import type { TransparencyFacts, TransparencyProfile, TransparencyRow } from "../domain/transparency.js";

const usualHours = 24;
const maxMembers = 32;
const maxRevised = 100;

/** A profile as asked for; checkPolicy looks at what is in it. */
export function profileFromWire({ standardRows: _shown, rows, linkedHours, ...profile }: WireProfile): ProfileDraft {
  return {
    ...profile,
    linkedHours: linkedHours === 0 ? usualHours : linkedHours,
    rows: rows.map(({ amount, ...row }) => ({
      ...row,
      amount: amount && { minor: amount.amountMinor, currency: amount.currency },
    })),
  };
}

/** A profile as it is edited: the tenant's own rows, and those of the named one to look at. */
export function profileToWire(profile: TransparencyProfile): WirePartial<WireProfile> {
  return { ...profile, rows: profile.rows.map(rowToWire), standardRows: standardRows(profile).map(rowToWire) };
}

export function rowToWire({ amount, source = "", ...row }: TransparencyRow): WirePartial<WireRow> {
  return { ...row, amount: moneyToWire(amount), source };
}

/** Refuses INVALID_INPUT naming the first fault. */
export function transparencyFromWire(wire: WireFacts | undefined): TransparencyFacts | undefined {
  if (wire === undefined) return undefined;
  const { amount, linkedAmount, knownMembers, policyVersion, isBirthWhole } = wire;
  return {
    ...(amount && { amount: moneyFromWire(amount, "transparency.amount") }),
    ...(linkedAmount && { linkedAmount: moneyFromWire(linkedAmount, "transparency.linkedAmount") }),
    knownMembers: membersFromWire(knownMembers, "transparency.knownMembers"),
    ...(policyVersion !== undefined && { policyVersion }),
    ...(isBirthWhole && { isBirthWhole }),
  };
}

/** What is known of orders by now, by transaction. Refuses INVALID_INPUT naming the first fault. */
export function revisedFromWire({ revised }: ReviseTransparencyRequest): Map<string, string[]> {
  if (revised.length === 0 || revised.length > maxRevised) throw invalidInput("revised", `must be 1 to ${maxRevised}`);
  return new Map(
    revised.map(({ transactionId, knownMembers }, index) => [
      idFromWire(transactionId, `revised[${index}].transactionId`),
      membersFromWire(knownMembers, `revised[${index}].knownMembers`),
    ]),
  );
}

/** Refuses INVALID_INPUT at the path. */
function membersFromWire(members: readonly string[], path: string): string[] {
  if (members.length > maxMembers) throw invalidInput(path, `must be at most ${maxMembers}`);
  for (const [index, name] of members.entries()) {
    if (!/^[A-Z_]{1,64}$/.test(name)) throw invalidInput(`${path}[${index}]`, "must be the name of a member");
  }
  return [...new Set(members)].toSorted();
}
