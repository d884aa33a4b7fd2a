import type {
  CheckTransactionRequest,
  CheckWalletPaymentRequest,
  ComplianceServiceDefinition,
} from "../../../../proto/gen/compliance/v1/compliance.js";
import type { Call } from "../../../kernel/grpc/context.js";
import type { Handlers } from "../../../kernel/grpc/server.js";
import { invalidInput } from "../../../kernel/refusal.js";
import { idFromWire } from "../../../kernel/text/wire-text.js";
import type { KnownPerson } from "../clients/people.js";
import type { RecordedDecision } from "../domain/recorded-decision.js";
import { OutdatedFacts } from "../domain/outdated-facts.js";
import { decisionOnMove } from "../domain/moves.js";
import type { NamedParty } from "../../screening/domain/screening-targets.js";
import type { ScreenedParty } from "../../lists/domain/party.js";
import { holdsOn } from "../../screening/domain/subject-hold.js";
import type { PartyRole } from "../../screening/domain/summary.js";
import { ownerOf } from "../../screening/engine/runs.js";
import { partiesFromWire } from "../../screening/wire/screened-parties.js";
import {
  actionFacts,
  cashFacts,
  decisionToWire,
  factsFromWire,
  outdatedToWire,
  paymentFacts,
} from "../wire/transactions.js";
import { originOf, type ComplianceDeps } from "../../common/handlers/deps.js";

/** Decisions on transactions, payments between wallets, and what customers ask for. */
export function transactionHandlers({ store, checks, people }: ComplianceDeps) {
  async function checkTransaction(request: CheckTransactionRequest, call: Call) {
    const facts = factsFromWire(request, idFromWire(request.transactionId, "transactionId"));
    const parties = partiesFromWire(request.parties);
    const owner = await ownerToScreen(request, call);
    const requested = { ...owner, parties: [...parties, ...(owner?.parties ?? [])] };
    try {
      return decisionToWire(await checks.check(originOf(call), facts, call, requested));
    } catch (error) {
      if (error instanceof OutdatedFacts) return outdatedToWire(error);
      throw error;
    }
  }

  /**
   * The customer whose wallet is paid. Undefined where none is, and where it is the
   * sender's, who is compared anyway. Who has no name is compared with nothing: a person decides.
   */
  async function ownerToScreen({ recipientCustomerId, customerId }: CheckTransactionRequest, call: Call) {
    if (recipientCustomerId === "" || recipientCustomerId === customerId) return undefined;
    const walletOwner = idFromWire(recipientCustomerId, "recipientCustomerId");
    const [person, { isStopped }] = await Promise.all([
      people.knownOrNobody(walletOwner, call),
      heldOf(walletOwner, call),
    ]);
    const isNamed = person !== undefined && person.party.names.length > 0;
    return { walletOwner, isPayeeStopped: isStopped, parties: isNamed ? [ownerOf(walletOwner, person.party)] : [] };
  }

  async function checkWalletPayment(request: CheckWalletPaymentRequest, call: Call) {
    const { atOnce, customerId, payeeCustomerId } = request;
    const ids: [string, string] = [
      idFromWire(customerId, "customerId"),
      idFromWire(payeeCustomerId, "payeeCustomerId"),
    ];
    const [[payer, payee], held] = await Promise.all([people.bothOf(ids, call), heldOf(payeeCustomerId, call)]);
    // A customer who pays themself gets nothing from anybody else.
    const isHeldForPayee = customerId !== payeeCustomerId && held.isHeld;
    const parties = partiesOf([payer, payee], payeeCustomerId);
    const requested = { atOnce, isHeldForPayee, parties, isPayeeStopped: held.isStopped };
    const facts = paymentFacts(request, payer.country, payee.country);
    const recorded = await checks.check(originOf(call), facts, call, requested);
    const { decision, message, outstandingRequirements } = recorded;
    // A payment cannot wait, so its reservation is given back at once.
    if (recorded.isOpen) await checks.settle(call.tenantId, recorded.transactionId, "RELEASED");
    const approved = decision === "APPROVED";
    const isHeld = recorded.isHeldForPayee === true;
    return { approved, reasonCode: reasonFor(recorded), message, outstandingRequirements, isHeldForPayee: isHeld };
  }

  async function heldOf(payeeCustomerId: string, { tenantId }: Call) {
    const { status, holds = [] } = await store.forTenant(tenantId).payeeOf(payeeCustomerId);
    const isHeld = decisionOnMove("PAYMENT_RECEIVED", status) === "HOLD";
    return { isHeld, isStopped: holdsOn(holds, undefined).length > 0 };
  }

  return {
    checkTransaction,
    checkWalletPayment,

    /** Nobody waits at a desk: what would wait is refused, and not counted. */
    async checkCash(request, call) {
      const person = await people.find({ customerId: idFromWire(request.customerId, "customerId") }, call);
      const recorded = await checks.check(originOf(call), cashFacts(request, person), call, { atOnce: true });
      if (recorded.isOpen) await checks.settle(call.tenantId, recorded.transactionId, "RELEASED");
      const { decision, message, outstandingRequirements } = recorded;
      const approved = decision === "APPROVED";
      return { approved, reasonCode: reasonFor(recorded), message, outstandingRequirements };
    },

    async screenAmendment(request, call) {
      const transactionId = idFromWire(request.transactionId, "transactionId");
      const { version } = request;
      if (version !== undefined && version < 1) throw invalidInput("version", "must be at least 1");
      await checks.amend(originOf(call), { transactionId, parties: partiesFromWire(request.parties), version }, call);
      return {};
    },

    async checkCustomerAction(request, call) {
      const person = await people.find({ customerId: idFromWire(request.customerId, "customerId") }, call);
      const parties = namedAs("SENDER", person.party);
      const recorded = await checks.check(originOf(call), actionFacts(request, person), call, { parties });
      return { ...decisionToWire(recorded), reasonCode: reasonFor(recorded) };
    },
  } satisfies Partial<Handlers<ComplianceServiceDefinition>>;
}

/** What whoever pays or asks may be told: of lists that are away no more than of a hit. */
function reasonFor({ reasonCode }: RecordedDecision): string {
  return reasonCode === "SCREENING_UNAVAILABLE" ? "" : reasonCode;
}

/** Payer and payee of a payment, both customers; whoever has no name is not named. */
function partiesOf([payer, payee]: readonly [KnownPerson, KnownPerson], payeeCustomerId: string): NamedParty[] {
  return [...namedAs("SENDER", payer.party), ...namedAs("RECIPIENT", payee.party, payeeCustomerId)];
}

function namedAs(role: PartyRole, party: ScreenedParty, customerId?: string): NamedParty[] {
  return party.names.length === 0 ? [] : [{ role, party, ...(customerId !== undefined && { customerId }) }];
}
