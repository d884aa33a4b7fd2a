import {
  AccountFlag as WireFlag,
  AccountType as WireType,
  type Account as WireAccount,
  type NewAccount as WireNewAccount,
} from "../../../proto/gen/ledger/v1/ledger.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import { invalidInput } from "../../kernel/refusal.js";
import type { Account, AccountFlag, AccountType, Figures, NewAccount } from "../domain/model.js";
import { rollOver } from "../domain/roll-over.js";
import { idFromWire, kindFromWire, metadataFromWire, textFromWire } from "./values.js";

const maxNameLength = 200;

const flags = {
  [WireFlag.ACCOUNT_FLAG_DEBITS_MUST_NOT_EXCEED_CREDITS]: "DEBITS_MUST_NOT_EXCEED_CREDITS",
  [WireFlag.ACCOUNT_FLAG_CREDITS_MUST_NOT_EXCEED_DEBITS]: "CREDITS_MUST_NOT_EXCEED_DEBITS",
  [WireFlag.ACCOUNT_FLAG_CLOSED]: "CLOSED",
} as const satisfies Partial<Record<WireFlag, AccountFlag>>;

/** Refuses INVALID_INPUT. */
export function newAccountFromWire(wire: WireNewAccount, path: string): NewAccount {
  const parsed = wire.flags.map((flag) => {
    const known = Object.hasOwn(flags, flag) ? flags[flag as keyof typeof flags] : undefined;
    if (known === undefined) throw invalidInput(`${path}.flags`, `does not know ${flag}`);
    if (known === "CLOSED") throw invalidInput(`${path}.flags`, "an account is not made closed");
    return known;
  });
  if (new Set(parsed).size > 1) throw invalidInput(`${path}.flags`, "an account cannot be bound on both sides");
  return {
    accountId: idFromWire(wire.accountId, `${path}.account_id`),
    code: kindFromWire(wire.code, `${path}.code`),
    currency: assertCurrency(wire.currency, `${path}.currency`),
    name: textFromWire(wire.name, maxNameLength, `${path}.name`),
    ownerId: wire.ownerId === "" ? "" : idFromWire(wire.ownerId, `${path}.owner_id`),
    flags: [...new Set(parsed)],
    metadata: metadataFromWire(wire.metadata, `${path}.metadata`),
  };
}

/**
 * An account as accountToWire gave it; `lastSeq` is told beside it. Throws on a type or flag that
 * it does not know.
 */
export function accountFromWire(wire: WireAccount, lastSeq: bigint): Account {
  const { accountId, code, currency, name, ownerId, owningService, metadata, createdAt } = wire;
  const { debitsPostedMinor, creditsPostedMinor, debitsPendingMinor, creditsPendingMinor } = wire;
  const rolledOver = BigInt(wire.rolledOverMinor);
  const type = accountTypes.find((one) => accountTypeToWire(one) === wire.type);
  if (type === undefined) throw new Error(`account ${accountId} has the unknown type ${wire.type}`);
  const known = wire.flags.map((flag) => {
    if (!Object.hasOwn(flags, flag)) throw new Error(`account ${accountId} has the unknown flag ${flag}`);
    return flags[flag as keyof typeof flags];
  });
  return {
    info: {
      accountId,
      code,
      currency,
      name,
      ownerId,
      type,
      service: owningService,
      flags: known,
      metadata: Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1)),
      createdAt: createdAt ?? new Date(0),
    },
    figures: {
      debitsPostedMinor: debitsPostedMinor + rolledOver,
      creditsPostedMinor: creditsPostedMinor + rolledOver,
      debitsPendingMinor,
      creditsPendingMinor,
      lastSeq,
    },
  };
}

const accountTypes: readonly AccountType[] = ["ASSET", "LIABILITY", "EQUITY", "INCOME", "EXPENSE"];

export function accountToWire({ info, figures }: Account): WirePartial<WireAccount> {
  const { accountId, code, currency, name, ownerId, createdAt } = info;
  const { debitsPendingMinor, creditsPendingMinor } = figures;
  const wireFlags = Object.entries(flags).filter(([, flag]) => info.flags.includes(flag));
  return {
    accountId,
    code,
    currency,
    name,
    ownerId,
    createdAt,
    ...postedToWire(figures),
    debitsPendingMinor,
    creditsPendingMinor,
    flags: wireFlags.map(([flag]) => flag as WireFlag),
    metadata: Object.fromEntries(info.metadata),
    type: accountTypeToWire(info.type),
    owningService: info.service,
  };
}

/** Posted sums, rolled over where they do not fit. */
export function postedToWire(figures: Pick<Figures, "debitsPostedMinor" | "creditsPostedMinor">) {
  const { rolledOverMinor, ...posted } = rollOver(figures);
  return { ...posted, rolledOverMinor: rolledOverMinor === 0n ? "" : String(rolledOverMinor) };
}

export function accountTypeToWire(type: AccountType): WireType {
  return WireType[`ACCOUNT_TYPE_${type}`];
}
