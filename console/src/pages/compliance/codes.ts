import type { screeningStatuses } from "../../generated/enums";
import { defineTexts, useTexts } from "../../lib/language";
import type { Tone } from "../../ui/badge";
import { inWords } from "../../ui/words";

/** Codes that compliance has words of its own for; the others are those of ui/words.ts. */
const words = defineTexts({
  en: {
    OFAC_SDN: "OFAC SDN",
    EU: "EU",
    UN: "UN",
    UK: "UK",
    PEP: "PEP",
    GIVEN: "Given name",
    FAMILY: "Family name",
    PATRONYMIC: "Father’s name",
    NAME: "Name",
    COMPANY_FORM: "Legal form",
    DATE_OF_BIRTH: "Date of birth",
    GENDER: "Gender",
    FEMALE: "Female",
    MALE: "Male",
    COUNTRY: "Country",
    DOCUMENT: "Document",
    FALSE_POSITIVE: "Another person",
    CONFIRMED: "Confirmed",
    CONFIRMATION_ASKED: "Confirmation asked",
    EXEMPT: "Exempt",
    RELEASED: "Released",
    CONFIRMED_RISK: "Risk confirmed",
    USEFUL: "Useful",
    IN_REVIEW: "In review",
    CONFIRMED_HIT: "Confirmed hit",
    NO_HIT: "No hit",
    ERROR: "List was away",
    VOID: "Void: it changed",
    OVER: "Over",
    US_BSA: "US: Bank Secrecy Act",
    EU_TFR: "EU: Regulation 2023/1113",
    UK_FTR: "UK: Funds Transfer Regulation",
    FATF_2025: "FATF Recommendation 16 (2025)",
    OWN: "Own rows alone",
    ANY: "Any",
    DOMESTIC: "The same country",
    ABROAD: "Another country",
    EEA: "The European Economic Area",
    OUTSIDE_EEA: "Outside the European Economic Area",
    WAIT: "The transaction waits",
    REFUSE: "The transaction is refused",
    ADDRESS_OR_BIRTH: "Address with a document, or date and place of birth",
    RECIPIENT_NAME: "Recipient’s name",
    RECIPIENT_ACCOUNT: "Recipient’s account",
    RECIPIENT_COUNTRY: "Recipient’s country",
    RECIPIENT_ADDRESS: "Recipient’s town and country",
  },
  fr: {
    OFAC_SDN: "OFAC SDN",
    EU: "UE",
    UN: "ONU",
    UK: "Royaume-Uni",
    PEP: "PPE",
    GIVEN: "Prénom",
    FAMILY: "Nom de famille",
    PATRONYMIC: "Nom du père",
    NAME: "Nom",
    COMPANY_FORM: "Forme juridique",
    DATE_OF_BIRTH: "Date de naissance",
    GENDER: "Sexe",
    FEMALE: "Féminin",
    MALE: "Masculin",
    COUNTRY: "Pays",
    DOCUMENT: "Document",
    FALSE_POSITIVE: "Autre personne",
    CONFIRMED: "Confirmé",
    CONFIRMATION_ASKED: "Confirmation demandée",
    EXEMPT: "Exempté",
    RELEASED: "Levé",
    CONFIRMED_RISK: "Risque confirmé",
    USEFUL: "Utile",
    IN_REVIEW: "À examiner",
    CONFIRMED_HIT: "Correspondance confirmée",
    NO_HIT: "Aucune correspondance",
    ERROR: "Liste indisponible",
    VOID: "Caduc : changement",
    OVER: "Terminé",
    US_BSA: "États-Unis : Bank Secrecy Act",
    EU_TFR: "UE : règlement 2023/1113",
    UK_FTR: "Royaume-Uni : Funds Transfer Regulation",
    FATF_2025: "GAFI, recommandation 16 (2025)",
    OWN: "Vos propres lignes seules",
    ANY: "Indifférent",
    DOMESTIC: "Le même pays",
    ABROAD: "Un autre pays",
    EEA: "L’Espace économique européen",
    OUTSIDE_EEA: "Hors de l’Espace économique européen",
    WAIT: "La transaction attend",
    REFUSE: "La transaction est refusée",
    ADDRESS_OR_BIRTH: "Adresse avec une pièce, ou date et lieu de naissance",
    RECIPIENT_NAME: "Nom du bénéficiaire",
    RECIPIENT_ACCOUNT: "Compte du bénéficiaire",
    RECIPIENT_COUNTRY: "Pays du bénéficiaire",
    RECIPIENT_ADDRESS: "Ville et pays du bénéficiaire",
  },
});

/** `const word = useWord(); word("FALSE_POSITIVE")` */
export function useWord(): (code: string) => string {
  const known: Readonly<Record<string, string>> = useTexts(words);
  return (code) => known[code] ?? inWords(code);
}

export const screeningTones: Readonly<Record<(typeof screeningStatuses)[number], Tone>> = {
  IN_REVIEW: "warn",
  CONFIRMED_HIT: "bad",
  NO_HIT: "good",
  ERROR: "bad",
};

/** `options(["LOW", "HIGH"])` for a select, in the language of the page. */
export function useOptions(): (codes: readonly string[]) => { value: string; label: string }[] {
  const word = useWord();
  return (codes) => codes.map((value) => ({ value, label: word(value) }));
}
