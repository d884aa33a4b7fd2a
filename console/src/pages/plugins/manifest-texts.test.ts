import { pluginKinds } from "../../../../services/platform/plugins/kinds.js";
import type { PluginManifest } from "../../../../services/platform/plugins/manifest.js";
import { pluginTypes } from "../../../../services/platform/plugins/types/index.js";
import { frenchManifests, kindNames, manifestIn } from "./manifest-texts.js";

/** Names of what a manifest has a title for, such as "configuration.url". */
function titledOf({ configuration, secrets }: PluginManifest): string[] {
  const { properties = {} } = configuration as { properties?: object };
  return ["title", ...Object.keys(properties).map(inConfiguration), ...secrets.map(({ name }) => inSecrets(name))];
}
const inConfiguration = (name: string) => `configuration.${name}`;
const inSecrets = (name: string) => `secrets.${name}`;

function translatedOf(type: string): string[] {
  const { title = "", configuration = {}, secrets = {} } = frenchManifests[type] ?? {};
  const filled = (texts: object, path: (name: string) => string) =>
    Object.entries(texts).flatMap(([name, text]) => (text === "" ? [] : [path(name)]));
  return [...(title === "" ? [] : ["title"]), ...filled(configuration, inConfiguration), ...filled(secrets, inSecrets)];
}

test("every title of every type has a French text: those listed here lack one in manifest-texts.ts", () => {
  const missing = pluginTypes.flatMap((type) => {
    const translated = translatedOf(type.name);
    return titledOf(type)
      .filter((name) => !translated.includes(name))
      .map((name) => `${type.name}: ${name}`);
  });
  expect(missing).toEqual([]);
});

test("no French text is of what no type has", () => {
  const titled = pluginTypes.flatMap((type) => titledOf(type).map((name) => `${type.name}: ${name}`));
  const translated = Object.keys(frenchManifests).flatMap((type) =>
    translatedOf(type).map((name) => `${type}: ${name}`),
  );
  expect(translated.filter((name) => !titled.includes(name))).toEqual([]);
});

test("every kind has a name in both languages", () => {
  for (const language of ["en", "fr"] as const) {
    expect(pluginKinds.filter((kind) => kindNames[language][kind] === undefined)).toEqual([]);
  }
  expect(Object.keys(kindNames.fr)).toEqual(Object.keys(kindNames.en));
});

test("a type is shown in the language of the page, and stays what it is", () => {
  const smtp = pluginTypes.find(({ name }) => name === "smtp")!;
  const type = { ...smtp, configurationSchema: smtp.configuration };
  expect(manifestIn("en", type)).toBe(type);
  const french = manifestIn("fr", type);
  expect([french.title, french.secrets[0]!.title]).toEqual(["Serveur de messagerie (SMTP)", "Mot de passe"]);
  expect(french.configurationSchema).toMatchObject({
    required: ["host", "port", "from"],
    properties: { host: { type: "string", maxLength: 253, title: "Hôte" } },
  });
  // A type of a newer server is shown as it calls itself.
  expect(manifestIn("fr", { ...type, name: "newer" }).title).toBe("Mail server (SMTP)");
});
