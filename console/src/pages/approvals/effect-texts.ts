import { defineTexts } from "../../lib/language";

/** What an approval does, for one and for several. */
export const effectTexts = defineTexts({
  en: {
    HIT_CONFIRMED: (count: string) => (count === "1" ? "1 hit is confirmed" : `${count} hits are confirmed`),
    HIT_RELEASED: (count: string) => (count === "1" ? "1 hit is released" : `${count} hits are released`),
    CUSTOMER_BLOCKED: (count: string) => (count === "1" ? "1 customer is blocked" : `${count} customers are blocked`),
    CUSTOMER_UNBLOCKED: (count: string) =>
      count === "1" ? "1 customer is unblocked" : `${count} customers are unblocked`,
    CUSTOMER_STATUS_SET: (count: string) =>
      count === "1" ? "1 customer’s status is set" : `${count} customers’ statuses are set`,
    TRANSACTION_BLOCKED: (count: string) =>
      count === "1" ? "1 transaction is blocked" : `${count} transactions are blocked`,
    TRANSACTION_RELEASED: (count: string) => (count === "1" ? "1 transaction goes on" : `${count} transactions go on`),
    TRANSACTION_SENT_BACK: (count: string) =>
      count === "1" ? "1 transaction is sent back" : `${count} transactions are sent back`,
    TRANSACTION_DECIDED_ANEW: (count: string) =>
      count === "1" ? "1 waiting transaction is decided anew" : `${count} waiting transactions are decided anew`,
    WALLET_FROZEN: (count: string) => (count === "1" ? "1 wallet is frozen" : `${count} wallets are frozen`),
    WALLET_UNFROZEN: (count: string) => (count === "1" ? "1 wallet is unfrozen" : `${count} wallets are unfrozen`),
    MONEY_PAID_OUT: (count: string) => (count === "1" ? "1 amount is paid out" : `${count} amounts are paid out`),
    CASH_IN_ALLOWED: (count: string) =>
      count === "1" ? "1 amount of cash may be taken in" : `${count} amounts of cash may be taken in`,
    TILL_CLOSED: (count: string) =>
      count === "1" ? "1 till is closed with its difference" : `${count} tills are closed with their differences`,
    MONEY_REFUNDED: (count: string) => (count === "1" ? "1 amount is refunded" : `${count} amounts are refunded`),
    PAYOUT_ENDED: (count: string) =>
      count === "1" ? "1 part of how a payout ends" : `${count} parts of how a payout ends`,
    TRANSACTION_AMENDED: (count: string) =>
      count === "1" ? "1 transaction gets other names" : `${count} transactions get other names`,
    PARTNER_ASKED_TO_AMEND: (count: string) =>
      count === "1" ? "1 partner is asked to put a name right" : `${count} partners are asked to put a name right`,
    REPAYMENT_VERIFIED: (count: string) => (count === "1" ? "1 repayment counts" : `${count} repayments count`),
    REPAYMENT_REJECTED: (count: string) =>
      count === "1" ? "1 repayment is rejected" : `${count} repayments are rejected`,
    PERIOD_REOPENED: (count: string) =>
      count === "1" ? "1 period is opened again" : `${count} periods are opened again`,
    LOAN_WRITTEN_OFF: (count: string) => (count === "1" ? "1 loan is written off" : `${count} loans are written off`),
    LIMIT_SET: (count: string) => (count === "1" ? "1 limit is set" : `${count} limits are set`),
    CORRIDOR_SET: (count: string) =>
      count === "1" ? "1 field of corridors is set" : `${count} fields of corridors are set`,
    RATE_SET: (count: string) => (count === "1" ? "1 rate is put" : `${count} rates are put`),
    RATE_ACCEPTED: (count: string) =>
      count === "1" ? "1 rate counts once it is said again" : `${count} rates count once they are said again`,
    PLUGIN_SET: (count: string) =>
      count === "1" ? "1 field of a plugin is set" : `${count} fields of a plugin are set`,
    SETTING_SET: (count: string) => (count === "1" ? "1 setting is set" : `${count} settings are set`),
    FACTORS_TAKEN_AWAY: (count: string) =>
      count === "1" ? "1 second factor is taken away" : `${count} second factors are taken away`,
    ACCOUNT_DEBITED: (count: string) =>
      count === "1" ? "1 account of the books is debited" : `${count} accounts of the books are debited`,
    ACCOUNT_CREDITED: (count: string) =>
      count === "1" ? "1 account of the books is credited" : `${count} accounts of the books are credited`,
    NOTHING_DONE: (count: string) =>
      count === "1" ? "1 question that is over: nothing is done" : `${count} questions that are over: nothing is done`,
  },
  fr: {
    HIT_CONFIRMED: (count: string) =>
      count === "1" ? "1 correspondance est confirmée" : `${count} correspondances sont confirmées`,
    HIT_RELEASED: (count: string) =>
      count === "1" ? "1 correspondance est levée" : `${count} correspondances sont levées`,
    CUSTOMER_BLOCKED: (count: string) => (count === "1" ? "1 client est bloqué" : `${count} clients sont bloqués`),
    CUSTOMER_UNBLOCKED: (count: string) =>
      count === "1" ? "1 client est débloqué" : `${count} clients sont débloqués`,
    CUSTOMER_STATUS_SET: (count: string) =>
      count === "1" ? "1 statut de client est fixé" : `${count} statuts de clients sont fixés`,
    TRANSACTION_BLOCKED: (count: string) =>
      count === "1" ? "1 transaction est bloquée" : `${count} transactions sont bloquées`,
    TRANSACTION_RELEASED: (count: string) =>
      count === "1" ? "1 transaction continue" : `${count} transactions continuent`,
    TRANSACTION_SENT_BACK: (count: string) =>
      count === "1" ? "1 transaction est renvoyée" : `${count} transactions sont renvoyées`,
    TRANSACTION_DECIDED_ANEW: (count: string) =>
      count === "1" ? "1 transaction en attente est réexaminée" : `${count} transactions en attente sont réexaminées`,
    WALLET_FROZEN: (count: string) => (count === "1" ? "1 portefeuille est gelé" : `${count} portefeuilles sont gelés`),
    WALLET_UNFROZEN: (count: string) =>
      count === "1" ? "1 portefeuille est dégelé" : `${count} portefeuilles sont dégelés`,
    MONEY_PAID_OUT: (count: string) => (count === "1" ? "1 montant est décaissé" : `${count} montants sont décaissés`),
    CASH_IN_ALLOWED: (count: string) =>
      count === "1" ? "1 montant en espèces peut être encaissé" : `${count} montants en espèces peuvent être encaissés`,
    TILL_CLOSED: (count: string) =>
      count === "1" ? "1 caisse est clôturée avec son écart" : `${count} caisses sont clôturées avec leurs écarts`,
    MONEY_REFUNDED: (count: string) =>
      count === "1" ? "1 montant est remboursé" : `${count} montants sont remboursés`,
    PAYOUT_ENDED: (count: string) =>
      count === "1" ? "1 élément de la fin d’un paiement" : `${count} éléments de la fin d’un paiement`,
    TRANSACTION_AMENDED: (count: string) =>
      count === "1" ? "1 transaction reçoit d’autres noms" : `${count} transactions reçoivent d’autres noms`,
    PARTNER_ASKED_TO_AMEND: (count: string) =>
      count === "1" ? "1 partenaire est prié de corriger un nom" : `${count} partenaires sont priés de corriger un nom`,
    REPAYMENT_VERIFIED: (count: string) =>
      count === "1" ? "1 remboursement compte" : `${count} remboursements comptent`,
    REPAYMENT_REJECTED: (count: string) =>
      count === "1" ? "1 remboursement est rejeté" : `${count} remboursements sont rejetés`,
    PERIOD_REOPENED: (count: string) => (count === "1" ? "1 période est rouverte" : `${count} périodes sont rouvertes`),
    LOAN_WRITTEN_OFF: (count: string) => (count === "1" ? "1 prêt passe en perte" : `${count} prêts passent en perte`),
    LIMIT_SET: (count: string) => (count === "1" ? "1 limite est fixée" : `${count} limites sont fixées`),
    CORRIDOR_SET: (count: string) =>
      count === "1" ? "1 champ de corridors est fixé" : `${count} champs de corridors sont fixés`,
    RATE_SET: (count: string) => (count === "1" ? "1 taux est mis" : `${count} taux sont mis`),
    RATE_ACCEPTED: (count: string) =>
      count === "1" ? "1 taux compte dès qu’il est redit" : `${count} taux comptent dès qu’ils sont redits`,
    PLUGIN_SET: (count: string) =>
      count === "1" ? "1 champ d’une extension est fixé" : `${count} champs d’une extension sont fixés`,
    SETTING_SET: (count: string) => (count === "1" ? "1 réglage est fixé" : `${count} réglages sont fixés`),
    FACTORS_TAKEN_AWAY: (count: string) =>
      count === "1" ? "1 second facteur est retiré" : `${count} seconds facteurs sont retirés`,
    ACCOUNT_DEBITED: (count: string) =>
      count === "1" ? "1 compte des livres est débité" : `${count} comptes des livres sont débités`,
    ACCOUNT_CREDITED: (count: string) =>
      count === "1" ? "1 compte des livres est crédité" : `${count} comptes des livres sont crédités`,
    NOTHING_DONE: (count: string) =>
      count === "1" ? "1 demande est dépassée : rien n’est fait" : `${count} demandes sont dépassées : rien n’est fait`,
  },
});
