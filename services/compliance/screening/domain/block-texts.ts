const maxNamed = 50;

/**
 * For the officers: what a block has stopped, and what it came too late
 * for; empty where that is nothing.
 */
export function blockedText(stopped: readonly string[], tooLate: readonly string[]): string {
  return [
    ...(tooLate.length > 0 ? [`Paid out before the block came: ${named(tooLate)}.`] : []),
    ...(stopped.length > 0 ? [`Stopped by the block: ${named(stopped)}.`] : []),
  ].join(" ");
}

/** What the end of a block did to what it had stopped. `status` is remittance's, after it. */
export function releasedText(
  outcome: "CONTINUE" | "REFUND",
  transactions: readonly { transactionId: string; status: string }[],
): string {
  const ended = `The block was released with ${outcome}`;
  if (transactions.length === 0) return `${ended}: it had stopped no transaction.`;
  const each = transactions.map(({ transactionId, status }) => `${transactionId} ${statusText(status)}`);
  return `${ended}: ${named(each)}.`;
}

/** What a block did to a customer's wallets; empty where there are none. */
export function walletsText(
  customerId: string,
  { wallets, frozen }: { wallets: readonly { accountId: string; frozen: boolean }[]; frozen: boolean },
): string {
  if (wallets.length === 0) return "";
  const idsOf = (isFrozen: boolean) =>
    wallets.filter((one) => one.frozen === isFrozen).map(({ accountId }) => accountId);
  const [held, free] = [idsOf(true), idsOf(false)];
  if (frozen) return held.length === 0 ? "" : `Wallets of customer ${customerId} are frozen: ${named(held)}.`;
  return [
    ...(free.length > 0 ? [`Wallets of customer ${customerId} are free again: ${named(free)}.`] : []),
    ...(held.length > 0 ? [`Kept frozen by another block or by staff: ${named(held)}.`] : []),
  ].join(" ");
}

function statusText(status: string): string {
  switch (status) {
    case "CANCELLED":
      return "is cancelled, nobody had paid for it";
    case "CANCELLING":
    case "FAILED":
      return "is given back to who paid";
    case "REFUNDED":
    case "PARTIALLY_REFUNDED":
      return "was given back to who paid";
    case "BLOCKED":
      return "stays stopped by another block";
    default:
      return `goes on (${status})`;
  }
}

function named(ids: readonly string[]): string {
  const more = ids.length - maxNamed;
  return `${ids.slice(0, maxNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
