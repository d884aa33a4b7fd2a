import { dictionary } from "@zxcvbn-ts/language-common";

// What the dictionary lacks: common where this platform is used, or years and suffixes that
// password rules bring about.
const additions = `
aa12345678 admin1234 admin@123 changeme123 lagos123 manutd123 nigeria1 p@ssw0rd1 p@ssw0rd123 p@ssword pa$$word passw0rd123
password1! password123! password12345 summer2024 summer2025 welcome@123 winter2024 winter2025
`;

const common: ReadonlySet<string> = new Set([...dictionary["passwords-common"], ...additions.trim().split(/\s+/)]);

/**
 * Whether a password, in lower case, is one of the most common ones of public leaks, or of the
 * kinds that the dictionary leaves out of its list: up to four characters again and again, or a run
 * such as 87654321.
 */
export function isCommonPassword(folded: string): boolean {
  return common.has(folded) || /^(.{1,4})\1+$/su.test(folded) || isRun(folded);
}

/** How many common passwords have at least so many characters. */
export function countCommonPasswords(minimumLength: number): number {
  return [...common].filter((password) => [...password].length >= minimumLength).length;
}

/** Whether each letter or digit is one above, or one below, the one before it; 0 follows 9. */
function isRun(text: string): boolean {
  if (!/^[a-z0-9]+$/.test(text)) return false;
  const points = Array.from(text, (letter) => letter.codePointAt(0)!);
  const isDigits = /^[0-9]+$/.test(text);
  const steps = points.slice(1).map((point, index) => {
    const step = point - points[index]!;
    return isDigits && Math.abs(step) === 9 ? -Math.sign(step) : step;
  });
  return steps.every((step) => step === 1) || steps.every((step) => step === -1);
}
