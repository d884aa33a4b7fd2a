/** Codes of cash, its tills and vaults. */
export const frenchCash: Readonly<Record<string, string>> = {
  AGENT_CHANGE: "Réglage d’un agent",
  AGENT_FLOAT: "Provision d’un agent",
  CASH_IN: "Dépôt d’espèces",
  CASH_ORDER: "Envoi d’espèces",
  CASH_OUT: "Sortie d’espèces",
  CASH_PICKUP: "Retrait d’espèces",
  ENDING: "Se termine",
  FROM_BANK: "De la banque",
  HAND_OVER: "Passation",
  ORDER_RECEIVED: "Envoi reçu",
  ORDER_RETURNED: "Envoi revenu",
  ORDER_SENT: "Envoi parti",
  TILL_CLOSING: "Fermeture de caisse",
  TILL_FLOAT: "Fonds de caisse",
  TO_BANK: "À la banque",
  VAULT_MOVEMENT: "Mouvement de coffre",
};
