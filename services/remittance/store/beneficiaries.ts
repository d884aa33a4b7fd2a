import type { ClientSession, Connection } from "mongoose";
import { createBatchRead } from "../../kernel/mongo/batch-read.js";
import type { SealedField } from "../../kernel/keys/data-keys.js";
import { recordCollection } from "../../kernel/mongo/record-collection.js";
import { isDuplicateKey } from "../../kernel/mongo/transaction.js";
import { Refusal } from "../../kernel/refusal.js";
import type { Beneficiary } from "../domain/beneficiary.js";
import type { RecipientDetails } from "../domain/recipient-details.js";
import { collections } from "./collections.js";
import type { PartyCipher, StoredVerdict } from "./party-cipher.js";

/** What a beneficiary's personal data is bound to. */
const recordOf = (tenantId: string, beneficiaryId: string) => `${tenantId} beneficiary ${beneficiaryId}`;

/** As it lies in the database. */
type StoredBeneficiary = Omit<Beneficiary, "details"> & StoredVerdict & { sealedDetails?: SealedField };

const notRemoved = { removedAt: { $exists: false } };

/** Saved recipients. What identifies a person among their details lies sealed. */
export function createBeneficiaryStore(db: Connection, cipher: PartyCipher) {
  const beneficiaries = recordCollection<StoredBeneficiary>(db, collections.beneficiaries);
  const byCode = createBatchRead<string, StoredBeneficiary>({
    nameOf: (code) => code,
    readOne: (tenantId, code) => beneficiaries.forTenant(tenantId).findOne({ code, ...notRemoved }),
    async readMany(tenantId, codes) {
      const found = await beneficiaries.forTenant(tenantId).find({ code: { $in: [...codes] }, ...notRemoved });
      return new Map(found.map((one) => [one.code, one]));
    },
  });
  return {
    forTenant(tenantId: string) {
      const own = beneficiaries.forTenant(tenantId);
      const record = (beneficiaryId: string) => recordOf(tenantId, beneficiaryId);
      const open = async (stored: StoredBeneficiary): Promise<Beneficiary> => {
        const { sealedDetails, sealedAccountName: _name, ...one } = stored;
        const name = record(one.beneficiaryId);
        const details = await cipher.openValue<RecipientDetails>(sealedDetails, name, "details");
        return {
          ...one,
          creditParty: await cipher.open(one.creditParty, name),
          ...(details !== undefined && { details }),
          ...(await cipher.openVerdict(stored, name)),
        };
      };
      const seal = async ({ details, payeeCheck, ...one }: Beneficiary): Promise<StoredBeneficiary> => {
        const name = record(one.beneficiaryId);
        const sealedDetails = await cipher.sealValue(details, name, "details");
        return {
          ...one,
          creditParty: await cipher.seal(one.creditParty, name),
          ...(sealedDetails !== undefined && { sealedDetails }),
          ...(await cipher.sealVerdict(payeeCheck, name)),
        };
      };
      return {
        /** One that was not removed. */
        async findBeneficiary(by: { code: string; customerId?: string }, session?: ClientSession) {
          const found = await own.findOne({ ...by, ...notRemoved }, { session });
          return found && open(found);
        },

        /** As findBeneficiary, together with others who ask at the same time. */
        async findRecipient(code: string): Promise<Beneficiary | undefined> {
          const found = await byCode(tenantId, code);
          return found && open(found);
        },

        /** Of one or more customers, or of the whole tenant; oldest first. */
        async listBeneficiaries(customerIds?: readonly string[]): Promise<Beneficiary[]> {
          const of = customerIds === undefined ? {} : { customerId: { $in: [...customerIds] } };
          const found = await own.find({ ...of, ...notRemoved }, { sort: { createdAt: 1, beneficiaryId: 1 } });
          return Promise.all(found.map(open));
        },

        /**
         * Refuses ALREADY_EXISTS where another beneficiary of the tenant has the code, or had it.
         */
        async insertBeneficiary(beneficiary: Beneficiary, session: ClientSession): Promise<void> {
          const sealed = await seal(beneficiary);
          try {
            await own.insertOne(sealed, { session });
          } catch (error) {
            if (!isDuplicateKey(error)) throw error;
            throw new Refusal("ALREADY_EXISTS", `beneficiary code ${beneficiary.code} is taken`);
          }
        },

        async replaceBeneficiary(beneficiary: Beneficiary, session: ClientSession): Promise<void> {
          const { beneficiaryId, ...content } = await seal(beneficiary);
          const optional = ["sealedDetails", "payeeCheck", "sealedAccountName"] as const;
          const gone = optional.filter((name) => content[name] === undefined).map((name) => [name, true] as const);
          const without = gone.length > 0 && { $unset: Object.fromEntries(gone) };
          await own.updateOne({ beneficiaryId }, { $set: content, ...without } as object, { session });
        },
      };
    },
  };
}
