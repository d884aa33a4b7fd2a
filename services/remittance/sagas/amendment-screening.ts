import type { ComplianceServiceDefinition } from "../../../proto/gen/compliance/v1/compliance.js";
import { outgoingUnnamed, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import { crashPoint } from "../../kernel/process/crash-point.js";
import { renamed, type AmendedNames } from "../domain/amendment.js";
import type { Transaction } from "../domain/transaction.js";
import { payeesToWire } from "../wire/compliance.js";

export type AmendmentScreening = ReturnType<typeof createAmendmentScreening>;

/**
 * Has new names compared with lists before they are a transaction's: whoever dies in between has
 * amended nothing, and nothing is ever handed over to somebody whom no list was asked about.
 */
export function createAmendmentScreening({
  compliance,
}: {
  compliance: Pick<Client<ComplianceServiceDefinition>, "screenAmendment">;
}) {
  return {
    /** Throws while compliance is away. What it finds holds the transaction, and is not told. */
    async screen(transaction: Transaction, names: AmendedNames, call: OutgoingContext): Promise<void> {
      const amended = { ...transaction, ...renamed(transaction, names) };
      await compliance.screenAmendment(payeesToWire(amended), outgoingUnnamed(call));
      crashPoint("remittance.amendment.screened");
    },

    /**
     * Says by which names a transaction goes now: those of another amendment, which was screened at
     * the same time and came too late, do not stay.
     */
    async tell(transaction: Transaction, call: OutgoingContext): Promise<void> {
      await compliance.screenAmendment(payeesToWire(transaction), outgoingUnnamed(call));
      crashPoint("remittance.amendment.told");
    },
  };
}
