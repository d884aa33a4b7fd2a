import type { Language } from "../../lib/language";

/** Names of what partners do, by kind. */
export const kindNames: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    PAYOUT: "Payouts",
    BANK: "Bank",
    CARD: "Cards",
    EMAIL: "E-mail",
    SMS: "Text messages",
    CONTACT_VERIFICATION: "Verification of contacts",
    SCREENING_LIST: "Screening lists",
    FX_RATES: "Exchange rates",
    IDENTITY_CHECK: "Identity checks",
    PAYEE_CHECK: "Payee checks",
  },
  fr: {
    PAYOUT: "Versements",
    BANK: "Banque",
    CARD: "Cartes",
    EMAIL: "E-mail",
    SMS: "SMS",
    CONTACT_VERIFICATION: "Vérification des coordonnées",
    SCREENING_LIST: "Listes de filtrage",
    FX_RATES: "Taux de change",
    IDENTITY_CHECK: "Contrôles d’identité",
    PAYEE_CHECK: "Contrôles du bénéficiaire",
  },
};

/** What a type calls itself, its fields and its secrets, by their names. */
interface ManifestTexts {
  title: string;
  configuration: Readonly<Record<string, string>>;
  secrets: Readonly<Record<string, string>>;
}

const frenchHttp = {
  url: "URL de base",
  testUrl: "URL de base de son système de test",
  account: "Notre compte chez lui",
  timeoutMs: "Attente maximale d’une réponse, ms",
};
const frenchApiKey = "Clé par laquelle le partenaire nous reconnaît";
const frenchRates = {
  everyMinutes: "Interrogée toutes les … minutes",
  validForMinutes: "Durée de validité d’un cours, minutes ; huit fois l’écart entre deux lectures si elle est absente",
  guardPercent: "Un cours qui saute de plus de … pour cent attend une personne",
  staleAfterMinutes: "Alarme après … minutes sans cours ; trois fois l’écart entre deux lectures si elle est absente",
  timeoutMs: frenchHttp.timeoutMs,
};
const frenchList = { url: "URL", everyHours: "Fréquence de lecture, heures" };

/** By type. The API has the English ones; what lacks here is shown in English, and fails a test. */
export const frenchManifests: Readonly<Record<string, ManifestTexts>> = {
  "manilla-http": {
    title: "Connecteur de versements par le contrat HTTP de Manilla",
    configuration: {
      ...frenchHttp,
      contract: "Version du contrat : la 2 dit qui paie, qui reçoit et pourquoi ; 1 si elle est absente",
    },
    secrets: {
      apiKey: frenchApiKey,
      callbackSecret: "Secret qui signe les rappels (Standard Webhooks)",
    },
  },
  iso20022: {
    title: "Banque par fichiers (ISO 20022)",
    configuration: {
      debtorName: "Nom du titulaire du compte",
      debtorCity: "Ville du titulaire",
      debtorCountry: "Pays du titulaire, ISO 3166-1 alpha-3",
      debtorPostalCode: "Code postal du titulaire",
      debtorAddressLine: "Rue et numéro du titulaire",
      debtorIban: "IBAN débité",
      debtorAccount: "Compte débité, s’il n’a pas d’IBAN",
      bic: "BIC de la banque qui le tient",
      clearingMemberId: "Numéro de cette banque dans son système de compensation",
      clearingSystem: "Système de compensation de ce numéro, comme USABA",
      recipientClearingSystem: "Système de compensation des codes bancaires des bénéficiaires",
      booking: "Écritures du relevé, une par versement ou par lot",
      chargeBearer: "Qui supporte les frais",
      serviceLevel: "Niveau de service, comme SEPA ou URGP",
      timeZone: "Fuseau horaire de ses jours, comme Europe/Paris",
      executionDays: "Jours entre le fichier et l’exécution",
      purposes: "Code de la liste de l’ISO (ExternalPurpose1Code) pour un motif, comme FAMILY_SUPPORT: GIFT",
      characters: "Caractères des noms : LATIN les translittère",
    },
    secrets: {},
  },
  "bank-http": {
    title: "Banque par le contrat HTTP de Manilla",
    configuration: {
      ...frenchHttp,
      loanBankName: "Remboursement des prêts : banque",
      loanBankCode: "Remboursement des prêts : code bancaire",
      loanAccountNumber: "Remboursement des prêts : compte",
    },
    secrets: { apiKey: frenchApiKey },
  },
  "card-http": {
    title: "Acquéreur de cartes par le contrat HTTP de Manilla",
    configuration: frenchHttp,
    secrets: { apiKey: frenchApiKey },
  },
  "fx-http": {
    title: "Cours par le contrat HTTP de Manilla",
    configuration: {
      url: "URL",
      pairs: "Paires retenues, comme USD-NGN ; toutes celles de la source s’il n’y en a aucune",
      ...frenchRates,
    },
    secrets: { apiKey: "Clé par laquelle la source nous reconnaît" },
  },
  "fx-ecb": {
    title: "Cours de référence de la Banque centrale européenne",
    configuration: {
      pairs: "Paires retenues, comme EUR-USD ou GBP-CHF",
      url: "URL",
      ...frenchRates,
      maxAgeDays: "Âge maximal du document, jours ; il n’en paraît pas les week-ends et jours fériés",
    },
    secrets: {},
  },
  "contact-http": {
    title: "Vérification d’adresses e-mail et de numéros de téléphone par HTTP",
    configuration: { url: frenchHttp.url, account: frenchHttp.account, timeoutMs: frenchHttp.timeoutMs },
    secrets: { apiKey: frenchApiKey },
  },
  "identity-http": {
    title: "Contrôle d’identité par HTTP",
    configuration: frenchHttp,
    secrets: { apiKey: frenchApiKey },
  },
  "payee-http": {
    title: "Contrôle du bénéficiaire par HTTP",
    configuration: frenchHttp,
    secrets: { apiKey: frenchApiKey },
  },
  "screening-ofac": {
    title: "Liste de sanctions des États-Unis (OFAC SDN)",
    configuration: frenchList,
    secrets: {},
  },
  "screening-eu": {
    title: "Liste de sanctions de l’Union européenne",
    configuration: frenchList,
    secrets: { token: "Jeton placé dans l’URL" },
  },
  "screening-un": {
    title: "Liste de sanctions des Nations unies",
    configuration: frenchList,
    secrets: {},
  },
  "screening-uk": {
    title: "Liste de sanctions du Royaume-Uni",
    configuration: frenchList,
    secrets: {},
  },
  smtp: {
    title: "Serveur de messagerie (SMTP)",
    configuration: {
      host: "Hôte",
      port: "Port",
      security: "Chiffrement ; NONE seulement dans un bac à sable",
      from: "Adresse de l’expéditeur",
      fromName: "Nom de l’expéditeur",
      username: "Nom d’utilisateur",
    },
    secrets: { password: "Mot de passe" },
  },
  "http-sms": {
    title: "SMS par une requête HTTP",
    configuration: {
      url: "URL",
      method: "Méthode",
      contentType: "Format du corps",
      headers: "En-têtes ; {{secret}} remplace le secret",
      body: "Corps ; {{to}}, {{text}}, {{id}} et {{secret}} sont remplis, échappés selon son format",
      successStatus: "Statuts de succès ; de 200 à 299 s’il n’y en a aucun",
    },
    secrets: { secret: "Ce que remplace {{secret}}" },
  },
};

interface Described {
  name: string;
  title: string;
  configurationSchema: Readonly<Record<string, unknown>>;
  secrets: readonly { name: string; title: string }[];
}

/** A type with its titles in the language of the page. */
export function manifestIn<T extends Described>(language: Language, type: T): T {
  const texts = language === "fr" ? frenchManifests[type.name] : undefined;
  if (texts === undefined) return type;
  const { properties = {} } = type.configurationSchema as { properties?: Record<string, { title?: string }> };
  const translated = Object.entries(properties).map(([name, property]) => [
    name,
    { ...property, title: texts.configuration[name] ?? property.title },
  ]);
  return {
    ...type,
    title: texts.title,
    configurationSchema: { ...type.configurationSchema, properties: Object.fromEntries(translated) },
    secrets: type.secrets.map((secret) => ({ ...secret, title: texts.secrets[secret.name] ?? secret.title })),
  };
}
