import { z } from "zod";
import type { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { AllowedOrigins } from "../partners/address.js";
import { createResolve, type Resolve } from "../partners/addresses.js";
import type { Bound } from "../../kernel/batching/bound.js";
import { createPinnedExchange } from "../partners/exchange.js";
import type { SenderOptions } from "../partners/sender.js";
import { startCallNotes, type CallNotes } from "../plugins/call-notes.js";
import { createInstallations, type Installation } from "../plugins/installations.js";
import { createInstalledPartners, type ConnectAt } from "../plugins/installed-partners.js";
import type { PluginKind } from "../plugins/kinds.js";
import { Refusal } from "../../kernel/refusal.js";
import { isSandbox } from "../sandbox/sandbox.js";
import type { BankConnector, CardConnector, Collection } from "./bank-connector.js";
import { creditMetrics } from "./credit-metrics.js";
import { createHttpBankConnector } from "./http-bank-connector.js";
import { createHttpCardConnector } from "./http-card-connector.js";
import type { OwnPartner } from "./own-partner.js";
import {
  createPartnersOfKind,
  askedElsewhere,
  ReadElsewhere,
  type PartnersOfKind,
  type Reached,
} from "./partners-of-kind.js";

export interface OpenBankPartnersDeps {
  plugins: Client<PluginServiceDefinition>;
  /** The operator's default bank and acquirer. */
  operator: SenderOptions;
  collection: Collection;
  allowedOf: (tenantId: string) => AllowedOrigins;
  /** In place of the name servers. */
  resolve?: Resolve | undefined;
  /** How long an answer of identity is used, in ms; see createInstallations. */
  keepForMs?: number | undefined;
  onClose(step: () => unknown): void;
}

// Short enough to stand behind an installation's id in a key of the ledger.
const ownCreditIds = z.string().regex(/^[A-Za-z0-9._:-]{1,64}$/);

/** Banks and card acquirers: tenants' own, and the operator's default for whoever has none. */
export function openBankPartners(deps: OpenBankPartnersDeps) {
  const { plugins, operator, collection, allowedOf, keepForMs, onClose } = deps;
  const notes = startCallNotes({ identity: plugins });
  onClose(() => notes.stop());
  const exchange = createPinnedExchange({ resolve: deps.resolve ?? createResolve() });
  onClose(() => exchange.close());
  const hasDefault = (tenantId: string) => operator.accessOf(tenantId) !== undefined;

  function ofKind<Connector>(kind: PluginKind, byDefault: Connector, connect: (at: ConnectAt) => Connector) {
    const installations = createInstallations({ identity: plugins, kinds: [kind], keepForMs });
    const installed = createInstalledPartners({ installations, exchange, allowedOf, notes, connect });
    return createPartnersOfKind({ installations, installed, operator: byDefault, hasDefault });
  }

  const banks = ofKind<BankConnector>(
    "BANK",
    createHttpBankConnector({ ...operator, collection }),
    ({ installation, options, breakers, bound }) => {
      assertType(installation, "bank-http");
      return boundedBank(createHttpBankConnector({ ...options, breakers, collection, creditIds: ownCreditIds }), bound);
    },
  );
  const cards = ofKind<CardConnector>(
    "CARD",
    createHttpCardConnector(operator),
    ({ installation, options, breakers, bound }) => {
      assertType(installation, "card-http");
      return boundedCard(createHttpCardConnector({ ...options, breakers }), bound);
    },
  );
  return { exchange, allowedOf, banks, cards, bank: bankByPartner(banks, notes), card: cardByPartner(cards) };
}

/** One of a newer version's types: whatever it is, this version does not speak to it. */
function assertType({ type, installationId }: Installation, known: string): void {
  if (type !== known) throw new Refusal("UNAVAILABLE", `plugin ${installationId} is of the type ${type}`);
}

/** Lists of credits are read beside the orders, by few at a time: they take no place of theirs. */
function boundedBank(bank: BankConnector, { within }: Bound): BankConnector {
  return {
    checkAccount: (reference, account, call) => within(() => bank.checkAccount(reference, account, call)),
    lookUpBvn: (reference, asked, call) => within(() => bank.lookUpBvn(reference, asked, call)),
    transfer: (order, call) => within(() => bank.transfer(order, call)),
    findTransfer: (reference, call) => within(() => bank.findTransfer(reference, call)),
    credits: (after, call) => bank.credits(after, call),
  };
}

function boundedCard(card: CardConnector, { within }: Bound): CardConnector {
  return {
    charge: (reference, token, amount, call) => within(() => card.charge(reference, token, amount, call)),
    findCharge: (reference, call) => within(() => card.findCharge(reference, call)),
    storedCard: (customerId, call) => within(() => card.storedCard(customerId, call)),
  };
}

/** What was begun goes to whom it names; a question about an account goes to whoever serves the tenant now. */
function bankByPartner(banks: PartnersOfKind<BankConnector>, notes: Pick<CallNotes, "note">): BankConnector {
  const serving = async (tenantId: string) =>
    (await banks.at({ tenantId, at: await banks.takerOf(tenantId, "bank") })).connector;
  return {
    checkAccount: async (reference, account, call) =>
      (await serving(call.tenantId)).checkAccount(reference, account, call),
    lookUpBvn: async (reference, asked, call) => (await serving(call.tenantId)).lookUpBvn(reference, asked, call),
    async transfer(order, call) {
      const { connector, hasMoved } = await banks.at(call);
      if (!hasMoved) return connector.transfer(order, call);
      const known = await connector.findTransfer(order.reference, call);
      if (known === undefined) throw askedElsewhere(order.reference);
      return known;
    },
    findTransfer: async (reference, call) => (await banks.at(call)).connector.findTransfer(reference, call),
    async credits(after, call) {
      const reached = await banks.at(call);
      if (reached.hasMoved && call.at !== undefined) throw readElsewhere(call.tenantId, call.at, reached, notes);
      return reached.connector.credits(after, call);
    },
  };
}

/** Nobody is called, so its managers would see a list that is not read any more as one in which nothing arrives. */
function readElsewhere(
  tenantId: string,
  at: OwnPartner,
  { isOpen }: Pick<Reached<unknown>, "isOpen">,
  notes: Pick<CallNotes, "note">,
): ReadElsewhere {
  const refused = { at: new Date(), status: 0, durationMs: 0, outcome: "REFUSED" as const };
  notes.note(tenantId, at.installationId, { operation: "credits", reference: "", ...refused }, isOpen);
  if (!isSandbox(tenantId)) creditMetrics.notRead.inc();
  return new ReadElsewhere(at);
}

function cardByPartner(cards: PartnersOfKind<CardConnector>): CardConnector {
  return {
    async charge(reference, token, amount, call) {
      const { connector, hasMoved } = await cards.at(call);
      if (!hasMoved) return connector.charge(reference, token, amount, call);
      const known = await connector.findCharge(reference, call);
      if (known === undefined) throw askedElsewhere(reference);
      return known;
    },
    findCharge: async (reference, call) => (await cards.at(call)).connector.findCharge(reference, call),
    storedCard: async (customerId, call) => (await cards.at(call)).connector.storedCard(customerId, call),
  };
}
