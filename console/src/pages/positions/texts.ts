import { areaTexts } from "../../lib/area-texts";

export const texts = areaTexts({
  en: {
    title: "Positions",
    titleAbout: "What exchanges left in each currency: long is what is held, short what is owed, at average cost.",
    positions: "Positions",
    ofCode: "From",
    quantity: "Quantity",
    long: "Long",
    short: "Short",
    flat: "Even",
    cost: "Cost",
    costHint: (currency: string) =>
      `Cost and result are in ${currency}: cost is what was paid, below zero what was received.`,
    realised: "Won or lost so far",
    totals: "In all",
    none: "No positions",
    noneHint: "The first exchange of two currencies opens one.",
    waiting: "Exchanges without a price",
    waitingHint:
      "Each exchanges two foreign currencies and says no price in the base currency. Nothing behind it is counted until its group has one.",
    sequence: "Number in the journal",
    currencies: "Currencies",
  },
  fr: {
    title: "Positions",
    titleAbout: "Ce que les changes ont laissé dans chaque devise : long est détenu, court est dû, au coût moyen.",
    positions: "Positions",
    ofCode: "Origine",
    quantity: "Quantité",
    long: "Long",
    short: "Court",
    flat: "Soldée",
    cost: "Coût",
    costHint: (currency: string) => `Coût et résultat sont en ${currency} : le coût est payé, sous zéro il est reçu.`,
    realised: "Gagné ou perdu jusqu’ici",
    totals: "En tout",
    none: "Aucune position",
    noneHint: "Le premier change entre deux devises en ouvre une.",
    waiting: "Changes sans prix",
    waitingHint:
      "Chacun échange deux devises étrangères sans dire de prix dans la devise de base. Rien n’est compté après lui tant que son groupe n’en a pas.",
    sequence: "Numéro dans le journal",
    currencies: "Devises",
  },
});
