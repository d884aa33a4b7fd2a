import { ApiError, ConnectionError, type CallOptions } from "@manilla/client";
import { keepPreviousData, QueryClient, queryOptions } from "@tanstack/react-query";
import type { OperationId } from "../generated/roles";

/** How often is read what no event tells of. */
export const pollMs = 15_000;

/** The first part of a query's key; app/live.ts says which events make which of them stale. */
export type AreaName =
  | "approvals"
  | "cases"
  | "screenings"
  | "reviews"
  | "transactions"
  | "customers"
  | "loans"
  | "investments"
  | "staff"
  | "corridors"
  | "policy"
  | "webhooks"
  | "plugins"
  | "tokens"
  | "reports"
  | "audit"
  | "organisation"
  | "wallets"
  | "ledger"
  | "books"
  | "home";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures === 0 && mayPassSoon(error),
      retryDelay: 300,
      refetchOnWindowFocus: true,
      throwOnError: false,
    },
    mutations: { retry: false },
  },
});

/** Once more at once may help; whoever says when to come again is not asked before. */
function mayPassSoon(error: unknown): boolean {
  if (error instanceof ConnectionError) return navigator.onLine;
  return isStatus(error, 502, 503, 504) && error.retryAfterS === undefined;
}

/**
 * `useQuery(read("transactions", "readTransaction", { id }, (options) => api.….read(id, options)))`
 */
export function read<T>(
  area: AreaName,
  operation: OperationId,
  params: unknown,
  load: (options: CallOptions) => PromiseLike<T>,
) {
  return queryOptions({
    queryKey: [area, operation, params] as const,
    queryFn: async ({ signal }) => await load({ signal }),
    // A page that is turned, or a filter that changes, shows the rows before
    // it until the new ones are there.
    ...(operation.startsWith("list") && { placeholderData: keepPreviousData }),
  });
}

/** Has what is shown of these areas read anew. */
export function invalidate(areas: readonly AreaName[]): Promise<void> {
  return queryClient.invalidateQueries({ predicate: ({ queryKey }) => areas.includes(queryKey[0] as AreaName) });
}

export function isStatus(error: unknown, ...statuses: readonly number[]): error is ApiError {
  return error instanceof ApiError && statuses.includes(error.status);
}
