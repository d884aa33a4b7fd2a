import type { PluginRoute } from "../../platform/plugins/route.js";
import type { CorridorKey, DeliveryMethod } from "./corridor.js";
import type { Transaction } from "./transaction.js";

/** A tenant's own partner, as far as it takes payouts. */
export interface RoutedInstallation {
  installationId: string;
  status: string;
  routes: readonly PluginRoute[];
}

/** What a payout is routed by. */
export interface PayoutPlace extends CorridorKey {
  method: DeliveryMethod;
}

/** What a route goes by, of a transaction. */
export function placeOf({ transferInformation, price, deliveryMethod }: Transaction): PayoutPlace {
  const { originCountry, receivingCountry } = transferInformation;
  return {
    originCountry,
    sendCurrency: price.total.currency,
    receivingCountry,
    receivingCurrency: price.receive.currency,
    method: deliveryMethod,
  };
}

/** Whether a route is for such payouts. */
export function fits(route: PluginRoute, place: PayoutPlace): boolean {
  const keys = ["originCountry", "sendCurrency", "receivingCountry", "receivingCurrency", "method"] as const;
  return keys.every((key) => route[key] === "" || route[key] === place[key]);
}

/**
 * Who takes a new payout: of the ENABLED ones with a fitting route the lowest priority number, of
 * equal ones the older; those that are away are passed over. Undefined leaves it to the
 * operator's default. The installations come oldest first.
 */
export function chooseInstallation<Installed extends RoutedInstallation>(
  place: PayoutPlace,
  installations: readonly Installed[],
  isAway: (installation: Installed) => boolean,
): Installed | undefined {
  const fitting = installations.flatMap((installation) => {
    if (installation.status !== "ENABLED") return [];
    const priorities = installation.routes.filter((route) => fits(route, place)).map(({ priority }) => priority);
    return priorities.length === 0 ? [] : [{ installation, priority: Math.min(...priorities) }];
  });
  return fitting.toSorted((a, b) => a.priority - b.priority).find(({ installation }) => !isAway(installation))
    ?.installation;
}

/** An enabled corridor as people read it, such as "USA USD - NGA NGN ACCOUNTPAYMENT". */
export function placeText(place: PayoutPlace): string {
  const { originCountry, sendCurrency, receivingCountry, receivingCurrency, method } = place;
  return `${originCountry} ${sendCurrency} - ${receivingCountry} ${receivingCurrency} ${method}`;
}

/**
 * Places that the installation serves now and nobody would if it had these routes alone. Others
 * count while they are ENABLED, whatever their breakers say.
 */
export function unservedPlaces(
  places: readonly PayoutPlace[],
  installationId: string,
  routes: readonly PluginRoute[],
  installations: readonly RoutedInstallation[],
): PayoutPlace[] {
  const serves = (some: readonly PluginRoute[], place: PayoutPlace) => some.some((route) => fits(route, place));
  const enabled = installations.filter(({ status }) => status === "ENABLED");
  const own = enabled.find((one) => one.installationId === installationId);
  if (own === undefined) return [];
  const others = enabled.filter((one) => one !== own);
  return places.filter(
    (place) =>
      serves(own.routes, place) && !serves(routes, place) && !others.some((other) => serves(other.routes, place)),
  );
}
