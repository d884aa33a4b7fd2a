import type { Language } from "../../i18n/language";

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
  },
};

/** What a type calls itself, its fields and its secrets, by their names. */
interface ManifestTexts {
  title: string;
  configuration: Readonly<Record<string, string>>;
  secrets: Readonly<Record<string, string>>;
}

/** By type. The API has the English ones; what lacks here is shown in English, and fails a test. */
export const frenchManifests: Readonly<Record<string, ManifestTexts>> = {
  "manilla-http": {
    title: "Connecteur de versements par le contrat HTTP de Manilla",
    configuration: {
      url: "URL de base",
      testUrl: "URL de base de son système de test",
      account: "Notre compte chez lui",
      timeoutMs: "Attente maximale d’une réponse, ms",
    },
    secrets: {
      apiKey: "Clé par laquelle le partenaire nous reconnaît",
      callbackSecret: "Secret qui signe les rappels (Standard Webhooks)",
    },
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
