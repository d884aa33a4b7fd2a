import type { PluginManifest, PluginSecret } from "../manifest.js";

interface PublishedList {
  name: string;
  title: string;
  urlTitle: string;
  /** The publisher's. */
  url: string;
  secrets?: readonly PluginSecret[];
}

function listType({ name, title, urlTitle, url, secrets = [] }: PublishedList): PluginManifest {
  return {
    name,
    kind: "SCREENING_LIST",
    connector: "list-files",
    title,
    version: "1.0.0",
    capabilities: [],
    configuration: {
      type: "object",
      additionalProperties: false,
      properties: {
        url: { type: "string", format: "uri", isAddress: true, maxLength: 2000, default: url, title: urlTitle },
        everyHours: { type: "integer", minimum: 1, maximum: 24, default: 6, title: "How often it is fetched, hours" },
      },
    },
    secrets,
    hasCallbacks: false,
    isCertified: true,
  };
}

/** The list of the USA, as four CSV files beside each other. */
export const screeningOfac = listType({
  name: "screening-ofac",
  title: "Sanctions list of the USA (OFAC SDN)",
  urlTitle: "Folder of SDN.CSV, ALT.CSV, ADD.CSV and SDN_COMMENTS.CSV",
  url: "https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/",
});

/** The list of the European Union, which gives each reader a token. */
export const screeningEu = listType({
  name: "screening-eu",
  title: "Sanctions list of the European Union",
  urlTitle: "URL of the consolidated list, full CSV 1.1, without the token",
  url: "https://webgate.ec.europa.eu/fsd/fsf/public/files/csvFullSanctionsList_1_1/content",
  secrets: [{ name: "token", title: "Token that is put into the URL", isRequired: false, pattern: "[!-~]{1,200}" }],
});

/** The list of the United Nations Security Council. */
export const screeningUn = listType({
  name: "screening-un",
  title: "Sanctions list of the United Nations",
  urlTitle: "URL of the consolidated XML",
  url: "https://scsanctions.un.org/resources/xml/en/consolidated.xml",
});

/** The list of the United Kingdom. */
export const screeningUk = listType({
  name: "screening-uk",
  title: "Sanctions list of the United Kingdom",
  urlTitle: "URL of the UK Sanctions List, CSV or ODS",
  url: "https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.csv",
});
