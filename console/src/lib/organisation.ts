import { useQuery } from "@tanstack/react-query";
import { api } from "./api";
import { read } from "./queries";

export interface Organisation {
  name: string;
  timeZone: string;
  baseCurrency: string;
  currencies: readonly string[];
  countries: readonly string[];
}

// Until it is known times are shown in UTC, and say so.
const unknown: Organisation = { name: "", timeZone: "UTC", baseCurrency: "", currencies: [], countries: [] };

export function organisationQuery() {
  return {
    ...read("organisation", "fetchOrganisationPreference", {}, (options) => api.organisation.fetchPreference(options)),
    staleTime: 300_000,
  };
}

/**
 * Whose desk this is, also before anybody has signed in: the page says so. Empty where it does not.
 */
export function nameOfDesk(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="organisation"]')?.content ?? "";
}

/** Its name, zone and currencies. */
export function useOrganisation(): Organisation {
  return useQuery(organisationQuery()).data ?? unknown;
}
