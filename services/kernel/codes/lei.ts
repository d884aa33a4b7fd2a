/**
 * True for a legal entity identifier (ISO 17442): 18 capitals and digits, and two check digits by
 * ISO 7064 MOD 97-10.
 */
export function isLei(text: string): boolean {
  if (!/^[A-Z0-9]{18}[0-9]{2}$/.test(text)) return false;
  const digits = [...text].map((character) => Number.parseInt(character, 36)).join("");
  return BigInt(digits) % 97n === 1n;
}
