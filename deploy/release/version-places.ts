import { ReleaseError } from "./release-error.js";

type SetVersion = (text: string, version: string) => string;

/** Every file that says the product's version, and how it is written there. */
export const versionPlaces: Readonly<Record<string, SetVersion>> = {
  "package.json": (text, version) => replaced(text, /^( {2}"version": ")[^"]*(",)$/m, version),
  "package-lock.json": (text, version) => {
    const first = replaced(text, /^( {2}"version": ")[^"]*(",)$/m, version);
    return replaced(first, /^( {4}"": \{\n {6}"name": "[^"]*",\n {6}"version": ")[^"]*(",)$/m, version);
  },
  "charts/manilla/Chart.yaml": (text, version) => {
    const first = replaced(text, /^(version: )\S+()$/m, version);
    return replaced(first, /^(appVersion: )\S+()$/m, version);
  },
  "deploy/Dockerfile": (text, version) => replaced(text, /^(ARG VERSION=)\S+()$/m, version),
};

/** Throws where the place is missing: a release must not leave an older version in a file. */
function replaced(text: string, place: RegExp, version: string): string {
  if (!place.test(text)) throw new ReleaseError(`no line fits ${String(place)}: the version has no place there`);
  return text.replace(place, (_, before: string, after: string) => before + version + after);
}
