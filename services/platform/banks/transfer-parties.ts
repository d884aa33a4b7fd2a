import type { Customer, IdentityServiceDefinition } from "../../../proto/gen/identity/v1/identity.js";
import { outgoing, type Client, type OutgoingContext } from "../../kernel/grpc/client.js";
import { addressShape, type OrderBeneficiary, type Originator } from "../plugins/party-contract.js";
import type { NamedAccount } from "./bank-connector.js";

/** Whom a transfer is from and to: a customer, in both places. */
export interface TransferParties {
  readonly originator: Originator;
  readonly beneficiary: OrderBeneficiary;
}

export interface OwnTransfer {
  /** Ours, as the bank is sent it. */
  readonly reference: string;
  readonly customerId: string;
  readonly to: Pick<NamedAccount, "accountNumber" | "country">;
}

export type PartiesOf = (transfer: OwnTransfer, call: OutgoingContext) => Promise<TransferParties>;

const mostOfId = 35;

/**
 * Who a customer is whose own money goes to their own account, as identity has kept it since the
 * transfer was first sent. Refuses UNAVAILABLE while identity is away.
 */
export function createTransferParties(
  identity: Pick<Client<IdentityServiceDefinition>, "keepTransferParty">,
): PartiesOf {
  return async ({ reference, customerId, to }, call) => {
    const { customer } = await identity.keepTransferParty({ reference, customerId }, outgoing(call));
    if (customer === undefined) throw new Error(`identity knows nobody for the transfer ${reference}`);
    return partiesOf(customer, reference, to);
  };
}

function partiesOf(
  customer: Customer,
  reference: string,
  { accountNumber, country }: OwnTransfer["to"],
): TransferParties {
  const { customerCode, firstName, lastName, details } = customer;
  const { dateOfBirth = "", placeOfBirth, nationality = "" } = details ?? {};
  const known = { kind: "PERSON", name: `${firstName} ${lastName}`.trim(), ...addressOf(customer) } as const;
  const uniqueId = reference.replaceAll(/[^A-Za-z0-9]/g, "").slice(-mostOfId);
  return {
    originator: {
      ...known,
      ...(dateOfBirth !== "" && { dateOfBirth }),
      ...(placeOfBirth !== undefined && { placeOfBirth: { city: placeOfBirth.city, country: placeOfBirth.country } }),
      ...(nationality !== "" && { nationality }),
      uniqueId,
      customerCode,
    },
    beneficiary: { ...known, account: accountNumber, country },
  };
}

/** Whole, or not at all: nothing is cut. */
function addressOf({ details }: Customer): { address?: NonNullable<Originator["address"]> } {
  if (details?.address === undefined) return {};
  const { lines, city, region, postalCode, country } = details.address;
  const given = { lines, ...(postalCode !== "" && { postalCode }), city, ...(region !== "" && { region }), country };
  const { data } = addressShape.safeParse(given);
  return data === undefined ? {} : { address: data };
}
