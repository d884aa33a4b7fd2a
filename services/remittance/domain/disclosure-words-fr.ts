import type { ShippedDisclosure } from "./disclosure-words.js";

const cancel =
  "Vous pouvez annuler et être remboursé en totalité dans les {{minutes}} minutes suivant le paiement, sauf si les fonds ont déjà été retirés ou crédités.";
const lessReceived =
  "Le bénéficiaire peut recevoir un montant inférieur en raison de frais prélevés par sa banque et de taxes étrangères.";
const contact = "Pour toute question ou réclamation concernant {{organisation}}, adressez-vous à\u00a0:";
const errors =
  "Signalez sans tarder à {{organisation}} tout paiement non autorisé ou mal exécuté, et au plus tard dans les 13 mois suivant la date de débit\u00a0: il vous est remboursé sans tarder. Nous répondons aux réclamations dans les 15 jours ouvrables.";

export const frenchDisclosure: ShippedDisclosure = {
  common: {
    prepaymentTitle: "Informations avant le paiement",
    receiptTitle: "Reçu",
    transaction: "Transaction",
    validUntil: "Prix valable jusqu’au",
    payUntil: "À payer avant le",
    paid: "Payé le",
    sender: "Expéditeur",
    recipient: "Bénéficiaire",
    bankname: "Banque",
    bankaccountno: "Compte",
    accountholdername: "Titulaire du compte",
    bankcode: "Code banque",
    swiftbic: "BIC",
    mobileoperator: "Opérateur mobile",
    mobilenumber: "Numéro de mobile",
    payoutpointid: "Point de retrait",
    recipientname: "Retiré par",
    walletaccountno: "Portefeuille",
    transferAmount: "Montant du transfert",
    fees: "Frais de transfert",
    taxes: "Taxes sur le transfert",
    taxOn: "Taxe sur {{fee}}",
    total: "Total",
    exchangeRate: "Taux de change",
    transferredAmount: "Montant du transfert",
    otherFees: "Autres frais",
    totalToRecipient: "Total pour le bénéficiaire",
    refunded: "Remboursé",
    cashReceived: "Espèces reçues",
    cashChange: "Monnaie rendue",
    dateAvailable: "Disponible le",
    maySooner: "{{date}} (éventuellement plus tôt)",
    exactRate: "Le taux est affiché arrondi. Les montants ont été calculés avec le taux complet\u00a0:",
    businessDays:
      "La date compte les jours ouvrables selon la semaine du pays du bénéficiaire\u00a0; les jours fériés n’en sont pas déduits.",
    cancelTitle: "Droit d’annulation",
    errorsTitle: "Erreurs et réclamations",
    contactTitle: "Contact",
    authorityTitle: "Autorités",
  },
  legal: {
    GENERIC: {
      lessReceived,
      cancel,
      errors:
        "Si vous pensez que votre transfert comporte une erreur, signalez-le aussitôt à {{organisation}}. Vous pouvez aussi demander une explication écrite de vos droits.",
      contact,
      authority: "Si {{organisation}} ne règle pas votre réclamation, vous pouvez vous adresser à\u00a0:",
    },
    US_BSA: {
      lessReceived,
      cancel,
      errors:
        "Vous avez le droit de contester les erreurs de votre transaction. Si vous pensez qu’il y a une erreur, contactez {{organisation}} dans les 180 jours suivant la date de disponibilité. Vous pouvez aussi nous demander une explication écrite de vos droits.",
      contact,
      authority: "Pour toute question ou réclamation concernant {{organisation}}, vous pouvez aussi contacter\u00a0:",
    },
    EU_TFR: {
      lessReceived:
        "Les frais ci-dessus sont tous ceux de {{organisation}}. Des prestataires de services de paiement hors de l’Espace économique européen peuvent déduire leurs propres frais.",
      cancel,
      errors,
      contact,
      authority:
        "Vous pouvez adresser une réclamation à l’autorité compétente, et soumettre un litige à l’organisme de règlement extrajudiciaire\u00a0:",
    },
    UK_FTR: {
      lessReceived:
        "Les frais ci-dessus sont tous ceux de {{organisation}}. Des prestataires de services de paiement hors du Royaume-Uni peuvent déduire leurs propres frais.",
      cancel,
      errors,
      contact,
      authority: "Si notre réponse ne vous satisfait pas, vous pouvez porter votre réclamation devant\u00a0:",
    },
  },
};
