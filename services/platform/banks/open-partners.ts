import { z } from "zod";
import type { Bound } from "../../kernel/batching/bound.js";
import type { Opened } from "../../kernel/startup/start-service.js";
import { bankOf, type BankConfig } from "../partners/config.js";
import { createPartnerNames } from "../plugins/partner-accounts.js";
import { openPlugins, type OpenPluginsDeps, type PluginsConfig } from "../plugins/open-plugins.js";
import type { BankConnector, CardConnector, Collection } from "./bank-connector.js";
import { createHttpBankConnector } from "./http-bank-connector.js";
import { createHttpCardConnector } from "./http-card-connector.js";
import { createPartnersOfKind, type PartnersOfKind } from "./partners-of-kind.js";

// Short enough to stand behind an installation's id in a key of the ledger.
const ownCreditIds = z.string().regex(/^[A-Za-z0-9._:-]{1,64}$/);

/** Banks and card acquirers: tenants' own, and the operator's default for whoever has none. */
export function openBankPartners(
  opened: Pick<Opened<PluginsConfig & BankConfig>, "config" | "connect" | "started" | "onClose">,
  deps: OpenPluginsDeps,
  collection: Collection,
) {
  const { openPartners, plugins, exchange, allowedOf, installationsOf } = openPlugins(opened, deps);
  const toBank = bankOf(opened.config);
  const hasDefault = (tenantId: string) => toBank.accessOf(tenantId) !== undefined;
  const ownBanks = openPartners(["BANK"], {
    "bank-http": ({ options, breakers, bound }) =>
      boundedBank(createHttpBankConnector({ ...options, breakers, collection, creditIds: ownCreditIds }), bound),
  });
  const ownCards = openPartners(["CARD"], {
    "card-http": ({ options, breakers, bound }) =>
      boundedCard(createHttpCardConnector({ ...options, breakers }), bound),
  });
  const banks = createPartnersOfKind(ownBanks, createHttpBankConnector({ ...toBank, collection }), hasDefault);
  const cards = createPartnersOfKind(ownCards, createHttpCardConnector(toBank), hasDefault);
  const bank = bankByPartner(banks);
  const card = cardByPartner(cards);
  const nameOf = createPartnerNames(installationsOf("BANK", "CARD"));
  return { plugins, exchange, allowedOf, toBank, banks, cards, bank, card, nameOf };
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
