/** What the books say of settlements, journals and accounts, in French. */
export const frenchBooks: Readonly<Record<string, string>> = {
  ACQUIRER: "Acquéreur de cartes",
  CREDIT: "Crédit",
  DEBIT: "Débit",
  OPENING: "Soldes d’ouverture",
  PARTNER: "Partenaire",
  PERIOD: "Période",
  PROPOSED: "Proposé",
  PROPOSING: "En préparation",
  QUEUED: "En attente",
  REVERSED: "Contre-passé",
  STANDARD: "Écriture courante",
};
