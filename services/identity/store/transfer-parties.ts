import type { ClientSession } from "mongoose";
import { v7 as uuidv7 } from "uuid";
import type { RecordCollection } from "../../kernel/mongo/record-collection.js";
import { isDuplicateKey } from "../../kernel/mongo/transaction.js";
import type { FieldCipher } from "../credentials/sealing.js";
import type { TransferParty, TransferPartyRecord } from "../domain/transfer-parties.js";

/** Who customers of one tenant were when a transfer for them was first sent. */
export function transferPartyPart(
  parties: RecordCollection<TransferPartyRecord, "transferPartyId">,
  cipher: FieldCipher,
  tenantId: string,
) {
  const contextOf = (transfer: string) => `${tenantId}/${transfer}/party`;

  async function findTransferParty(transfer: string, customerId: string): Promise<TransferParty | undefined> {
    const found = await parties.findOne({ transfer, customerId });
    return found === undefined
      ? undefined
      : (JSON.parse(cipher.open(found.party, contextOf(transfer))) as TransferParty);
  }

  return {
    findTransferParty,
    /**
     * As it was kept first, whoever else keeps it at this moment. Undefined where the transfer is
     * another customer's.
     */
    async keepTransferParty(
      transfer: string,
      party: TransferParty,
      expiresAt: Date,
    ): Promise<TransferParty | undefined> {
      const sealed = cipher.seal(JSON.stringify(party), contextOf(transfer));
      try {
        await parties.insertOne({
          transferPartyId: uuidv7(),
          transfer,
          customerId: party.id,
          party: sealed,
          expiresAt,
        });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      return findTransferParty(transfer, party.id);
    },
    deleteTransferParties: (customerId: string, session: ClientSession) =>
      parties.deleteMany({ customerId }, { session }),
  };
}
