import { z } from "zod";
import type { PluginServiceDefinition } from "../../../proto/gen/identity/v1/plugins.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { AllowedOrigins } from "../partners/address.js";
import { createResolve, type Resolve } from "../partners/addresses.js";
import type { Bound } from "../../kernel/batching/bound.js";
import { createPinnedExchange } from "../partners/exchange.js";
import type { SenderOptions } from "../partners/sender.js";
import { startCallLog } from "../plugins/call-log.js";
import { createInstallations, type Installation } from "../plugins/installations.js";
import { createInstalledPartners, type ConnectAt } from "../plugins/installed-partners.js";
import type { PluginKind } from "../plugins/kinds.js";
import { Refusal } from "../../kernel/refusal.js";
import type { BankConnector, CardConnector, Collection } from "./bank-connector.js";
import { createHttpBankConnector } from "./http-bank-connector.js";
import { createHttpCardConnector } from "./http-card-connector.js";
import { createPartnersOfKind, type PartnersOfKind } from "./partners-of-kind.js";

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
  const notes = startCallLog({ identity: plugins });
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
  return { exchange, allowedOf, banks, cards, bank: bankByPartner(banks), card: cardByPartner(cards) };
}

/** One of a newer version's types: whatever it is, this version does not speak to it. */
function assertType({ type, installationId }: Installation, known: string): void {
  if (type !== known) throw new Refusal("UNAVAILABLE", `plugin ${installationId} is of the type ${type}`);
}

/** Lists of credits are read beside the orders, by few at a time: they take no place of theirs. */
function boundedBank(bank: BankConnector, { within }: Bound): BankConnector {
  return {
    checkAccount: (reference, account, call) => within(() => bank.checkAccount(reference, account, call)),
    lookUpBvn: (reference, requested, call) => within(() => bank.lookUpBvn(reference, requested, call)),
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

/**
 * What was begun goes to whom it names; a question about an account goes to
 * whoever serves the tenant now.
 */
function bankByPartner(banks: PartnersOfKind<BankConnector>): BankConnector {
  const serving = async (tenantId: string) => banks.at({ tenantId, at: await banks.takerOf(tenantId, "bank") });
  return {
    checkAccount: async (reference, account, call) =>
      (await serving(call.tenantId)).checkAccount(reference, account, call),
    lookUpBvn: async (reference, requested, call) =>
      (await serving(call.tenantId)).lookUpBvn(reference, requested, call),
    transfer: async (order, call) => (await banks.at(call)).transfer(order, call),
    findTransfer: async (reference, call) => (await banks.at(call)).findTransfer(reference, call),
    credits: async (after, call) => (await banks.at(call)).credits(after, call),
  };
}

function cardByPartner(cards: PartnersOfKind<CardConnector>): CardConnector {
  return {
    charge: async (reference, token, amount, call) => (await cards.at(call)).charge(reference, token, amount, call),
    findCharge: async (reference, call) => (await cards.at(call)).findCharge(reference, call),
    storedCard: async (customerId, call) => (await cards.at(call)).storedCard(customerId, call),
  };
}
