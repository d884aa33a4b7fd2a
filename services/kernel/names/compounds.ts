import { arabicCompound, joinedArabic } from "./arabic-words.js";
import type { Word } from "./clean.js";

const article = /^(?:[aeu]l|[au][rdsnz]|[ae]d)$/;
const servant = /^abd(?:[aeuo]?l?|[aeou][rsdnz])$/;
const faith = /^(?:[ae]l|u[dl]|e[dl])?d(?:i|ee)n[e]?$/;
const god = /^[aueo]l+ah?$/;
const joinedServant = /^abd[aeuo]?(.+)$/;
const joinedFaith = /^(.{3,}?)(?:[aeiou](?:dd?|l))d(?:i|ee)ne?$/;

/**
 * Arabic names of two words as one, however they are divided: "Abd al-Rahman", "Abdel Rahman" and
 * "Abdurrahman" are "abdrahman"; "Saif al-Din" and "Saifuddin" are "saifdin".
 */
export function joinCompounds(words: readonly Word[]): Word[] {
  const joined: Word[] = [];
  for (let at = 0; at < words.length; at++) {
    const length = compoundAt(words, at);
    const parts = words.slice(at, at + length);
    const last = parts.at(-1)!;
    const first = parts[0]!;
    at += length - 1;
    if (first.letters !== undefined) joined.push(length === 1 ? first : unwrittenCompound(parts));
    else if (length === 1) joined.push({ ...first, latin: joinedSpelling(first.latin) });
    else if (god.test(last.latin) && !servant.test(first.latin)) {
      const latin = parts.map((part) => part.latin).join("");
      joined.push({ ...first, latin, written: parts.map((part) => part.written).join(" ") });
    } else {
      const latin = servant.test(first.latin) ? servantOf(last.latin) : `${joinedSpelling(first.latin)}din`;
      joined.push({
        latin,
        written: parts.map((part) => part.written).join(" "),
        isAbjad: parts.some((part) => part.isAbjad),
        ...(parts.some((part) => part.isLookAlike) && { isLookAlike: true }),
      });
    }
  }
  return joined;
}

// How many words are one name.
function compoundAt(words: readonly Word[], at: number): number {
  const arabic = words.slice(at, at + 3).map((word) => word.letters);
  if (arabic[0] !== undefined)
    return arabicCompound(arabic[0], arabic[1], arabic[1] === undefined ? undefined : arabic[2]);
  const [first, second, third] = words.slice(at, at + 3).map((word) => word.latin);
  if (first === undefined || second === undefined) return 1;
  if (servant.test(first)) return article.test(second) && third !== undefined ? 3 : 2;
  if (first.length < 3) return 1;
  if (article.test(second) && third !== undefined && faith.test(third)) return 3;
  return faith.test(second) || god.test(second) ? 2 : 1;
}

function unwrittenCompound(parts: readonly Word[]): Word {
  return {
    latin: parts.map((part) => part.latin).join(""),
    letters: joinedArabic(parts.map((part) => part.letters ?? "")),
    written: parts.map((part) => part.written).join(" "),
    isAbjad: true,
  };
}

function joinedSpelling(latin: string): string {
  const faithful = joinedFaith.exec(latin);
  if (faithful) return `${faithful[1]}din`;
  const rest = joinedServant.exec(latin)?.[1];
  if (rest === undefined || rest.length < 4) return latin;
  return servantOf(rest.startsWith("l") ? rest.slice(1) : withoutDouble(rest));
}

// "Abdullah" by itself is spelt with the article of its second half.
function servantOf(name: string): string {
  return /^l?l?ah?$|^allah$/.test(name) ? "abdallah" : `abd${name}`;
}

function withoutDouble(name: string): string {
  return name[0] === name[1] ? name.slice(1) : name;
}
