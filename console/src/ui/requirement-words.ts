/** What is asked of people, and of those whom they send to, in French. */
export const frenchRequirements: Readonly<Record<string, string>> = {
  ADDRESS: "Adresse",
  ADDRESS_OR_BIRTH: "Adresse avec une pièce, ou date et lieu de naissance",
  DATE_OF_BIRTH: "Date de naissance",
  IDENTITY_DOCUMENT: "Pièce d’identité",
  IDENTITY_DOCUMENT_DETAILS: "Détails d’une pièce d’identité",
  NATIONALITY: "Nationalité",
  ORDER_SOURCE_OF_FUNDS: "Origine des fonds, selon l’ordre",
  PLACE_OF_BIRTH: "Lieu de naissance",
  PROOF_OF_ADDRESS: "Justificatif de domicile",
  PURPOSE: "Objet",
  RECIPIENT_ACCOUNT: "Compte du bénéficiaire",
  RECIPIENT_ADDRESS: "Ville et pays du bénéficiaire",
  RECIPIENT_COUNTRY: "Pays du bénéficiaire",
  RECIPIENT_NAME: "Nom du bénéficiaire",
  SOURCE_OF_FUNDS: "Origine des fonds",
};
