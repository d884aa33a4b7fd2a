import { parse as parseYaml } from "yaml";

const mostCharacters = 16_000_000;
const deepest = 32;

/**
 * What a YAML or JSON text says. Throws `fault` where it is neither, or
 * larger or deeper than any fixture.
 */
export function fixtureContent(text: string, fault: (message: string) => Error): unknown {
  if (text.length > mostCharacters) throw fault(`has more than ${mostCharacters} characters`);
  const content = parsed(text, fault);
  if (isDeeper(content, deepest)) throw fault(`is nested deeper than ${deepest} levels`);
  return content;
}

function parsed(text: string, fault: (message: string) => Error): unknown {
  try {
    // YAML 1.2 is a superset of JSON, so one parser reads both.
    return parseYaml(text);
  } catch (error) {
    throw fault((error as Error).message.split("\n")[0] ?? "not YAML");
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}
