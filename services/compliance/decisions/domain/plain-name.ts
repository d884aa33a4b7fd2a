/** One spelling of a purpose or a source of funds: "  cash  Salary" is "CASH SALARY". */
export function plainName(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").toUpperCase().slice(0, 64);
}
