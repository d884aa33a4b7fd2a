/** THIRTY_360 → "30/360", ACTUAL_365 and ACT_365 → "ACT/365": as the trade writes them. */
export function dayCountText(code: string): string {
  return code.replace("THIRTY", "30").replaceAll("ACTUAL", "ACT").replace("_", "/");
}
