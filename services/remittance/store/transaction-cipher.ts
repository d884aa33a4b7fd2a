import type { SealedField } from "../../kernel/keys/data-keys.js";
import type { OrderParties } from "../../platform/plugins/party-contract.js";
import type { RecipientDetails } from "../domain/recipient-details.js";
import { recipientIdentities } from "../domain/linked-recipients.js";
import type { KnownParties } from "../domain/requested-parties.js";
import type { Counted } from "../domain/counted.js";
import type { PayerAccount } from "../domain/counter-sale.js";
import type { Change, Transaction } from "../domain/transaction.js";
import { amendmentFromSealed, traceFromSealed, type SealedAmendment, type SealedTrace } from "./amendments.js";
import type { PartyCipher, StoredVerdict } from "./party-cipher.js";

/** What lies sealed of a transaction as a whole, and under which name. */
const sealedAs = {
  parties: "sealedParties",
  recipientDetails: "sealedRecipientDetails",
  orderParties: "sealedOrderParties",
  amendments: "sealedAmendments",
  payer: "sealedPayer",
  traces: "sealedTraces",
} as const;
const neverDropped: readonly (keyof typeof sealedAs)[] = ["orderParties", "amendments", "traces"];
type Sealed = Pick<Transaction, keyof typeof sealedAs>;

type SealedFields = Partial<Record<(typeof sealedAs)[keyof Sealed], SealedField>>;
/** A transaction as it lies in the database. */
export type StoredTransaction = Omit<Transaction, keyof Sealed> &
  SealedFields &
  StoredVerdict &
  CountedFields &
  LinkedFields;

/** What others of its sender to the same recipient are found by: hashes of its identities. */
interface LinkedFields {
  linkedBy?: string[];
}

/** What day sums have of it, and since when, by real time, they are behind it; 1970 where not. */
export interface CountedFields {
  counted?: Counted;
  uncountedSince?: Date;
}

/** What a transaction's personal data is bound to. */
const recordOf = (tenantId: string, transactionId: string) => `${tenantId} transaction ${transactionId}`;

/** Seals and opens what identifies people in a transaction's details. */
export function createTransactionCipher(cipher: PartyCipher) {
  const whole = createWholes(cipher);

  /** What identifies a person by its own field, where a change or a transaction has it. */
  async function sealFields(
    { creditParty, payeeCheck }: Pick<NonNullable<Change["set"]>, "creditParty" | "payeeCheck">,
    record: string,
  ) {
    return {
      ...(creditParty !== undefined && { creditParty: await cipher.seal(creditParty, record) }),
      ...(await cipher.sealVerdict(payeeCheck, record)),
    };
  }

  // A transaction that is stored is asked about right after it.
  const links = new WeakMap<Transaction, Promise<string[]>>();

  /** A sender's own: nobody sees whom two senders have in common. */
  function linksOf(tenantId: string, transaction: Transaction): Promise<string[]> {
    const context = `${tenantId} linked ${transaction.sender.customerId}`;
    const made = links.get(transaction) ?? cipher.hashes(recipientIdentities(transaction), context);
    links.set(transaction, made);
    return made;
  }

  return {
    async open(tenantId: string, stored: StoredTransaction): Promise<Transaction> {
      const record = recordOf(tenantId, stored.transactionId);
      const { sealedAccountName: _name, counted: _counted, uncountedSince: _since, linkedBy: _by, ...kept } = stored;
      const [found, opened] = await whole.open(kept, record);
      const verdict = await cipher.openVerdict(stored, record);
      return { ...found, creditParty: await cipher.open(found.creditParty, record), ...opened, ...verdict };
    },

    async sealed(tenantId: string, transaction: Transaction): Promise<StoredTransaction> {
      const record = recordOf(tenantId, transaction.transactionId);
      const { payeeCheck: _verdict, ...kept } = await whole.seal(transaction, record);
      const linkedBy = await linksOf(tenantId, transaction);
      return { ...kept, ...(await sealFields(transaction, record)), linkedBy };
    },

    /** `after` is the transaction with what is set. */
    async sealedChange(tenantId: string, set: NonNullable<Change["set"]>, after: Transaction) {
      const record = recordOf(tenantId, after.transactionId);
      const { creditParty: _party, payeeCheck: _verdict, ...kept } = await whole.seal(set, record);
      const isToOther = set.recipient !== undefined || set.creditParty !== undefined;
      return {
        ...kept,
        ...(await sealFields(set, record)),
        ...(isToOther && { linkedBy: await linksOf(tenantId, after) }),
      };
    },

    /** Whatever has one of these goes from the same sender to the same recipient. */
    linkedBy: linksOf,
  };
}

type WithoutSealed<T> = Omit<T, keyof Sealed>;

/** Seals and opens what lies sealed as a whole, of a transaction or of a change to one. */
function createWholes(cipher: PartyCipher) {
  const names = Object.keys(sealedAs) as (keyof Sealed)[];
  return {
    async seal<T extends Sealed>(of: T, record: string): Promise<WithoutSealed<T> & SealedFields> {
      const { parties, recipientDetails, orderParties, amendments, payer, traces, ...others } = of;
      const given = { parties, recipientDetails, orderParties, amendments, payer, traces };
      const sealed: SealedFields = {};
      for (const name of names) {
        const field = await cipher.sealValue(given[name], record, name);
        if (field !== undefined) sealed[sealedAs[name]] = field;
        // A resend without it would say something else, or nothing, of who pays.
        else if (given[name] !== undefined && neverDropped.includes(name)) throw new Error(`no keys to seal ${name}`);
      }
      return { ...others, ...sealed };
    },
    async open(stored: StoredTransaction, record: string): Promise<[WithoutSealed<Transaction>, Sealed]> {
      const {
        sealedParties,
        sealedRecipientDetails,
        sealedOrderParties,
        sealedAmendments,
        sealedPayer,
        sealedTraces,
        ...found
      } = stored;
      const [parties, recipientDetails, orderParties, amendments, payer, traces] = await Promise.all([
        cipher.openValue<KnownParties>(sealedParties, record, "parties"),
        cipher.openValue<RecipientDetails>(sealedRecipientDetails, record, "recipientDetails"),
        cipher.openValue<OrderParties>(sealedOrderParties, record, "orderParties"),
        cipher.openValue<SealedAmendment[]>(sealedAmendments, record, "amendments"),
        cipher.openValue<PayerAccount>(sealedPayer, record, "payer"),
        cipher.openValue<SealedTrace[]>(sealedTraces, record, "traces"),
      ]);
      const opened = {
        ...(parties !== undefined && { parties }),
        ...(recipientDetails !== undefined && { recipientDetails }),
        ...(orderParties !== undefined && { orderParties }),
        ...(amendments !== undefined && { amendments: amendments.map(amendmentFromSealed) }),
        ...(payer !== undefined && { payer }),
        ...(traces !== undefined && { traces: traces.map(traceFromSealed) }),
      };
      return [found, opened];
    },
  };
}
