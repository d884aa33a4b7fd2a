/** A sale that was sent: ids, the notes and its key, so that a reload asks what became of it. */
export interface KeptSale {
  /** Absent where an agent's own account pays for it. */
  tillId?: string;
  received: string;
  key: string;
}

const nameOf = (transactionId: string) => `manilla.sale.${transactionId}`;

export function keepSale(transactionId: string, sale: KeptSale): void {
  sessionStorage.setItem(nameOf(transactionId), JSON.stringify(sale));
}

export function forgetSale(transactionId: string): void {
  sessionStorage.removeItem(nameOf(transactionId));
}

export function keptSale(transactionId: string): KeptSale | undefined {
  const text = sessionStorage.getItem(nameOf(transactionId));
  return text === null ? undefined : (JSON.parse(text) as KeptSale);
}
