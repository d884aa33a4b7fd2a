import type { Corridor, Recipient } from "./types";

/** How a recipient may be sent money: a corridor, and what of its deliveries they take. */
export interface Way {
  corridor: Corridor;
  methods: readonly string[];
}

export const corridorKey = ({ sendCurrency, receivingCountry, receivingCurrency }: Corridor): string =>
  `${sendCurrency} ${receivingCountry} ${receivingCurrency}`;

/** Those that begin where the sender is. */
export const openFrom = (corridors: readonly Corridor[], country: string): readonly Corridor[] =>
  corridors.filter(({ enabled, originCountry }) => enabled && originCountry === country);

export function waysTo(
  { country, currency, deliveryMethods }: Pick<Recipient, "country" | "currency" | "deliveryMethods">,
  corridors: readonly Corridor[],
): readonly Way[] {
  return corridors
    .filter(({ receivingCountry, receivingCurrency }) => receivingCountry === country && receivingCurrency === currency)
    .map((corridor) => ({
      corridor,
      methods: corridor.types.filter((type) => (deliveryMethods as readonly string[]).includes(type)),
    }))
    .filter(({ methods }) => methods.length > 0);
}
