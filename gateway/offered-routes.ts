import type { Route } from "./route.js";
import { investmentRoutes, routes } from "./operations/index.js";

/** The operations of this system, and those of services that it runs without. */
export interface OfferedRoutes {
  readonly offered: readonly Route[];
  readonly absent: readonly Route[];
}

export function offeredRoutes({ investment }: { investment: boolean }): OfferedRoutes {
  const absent = investment ? [] : investmentRoutes;
  return { offered: routes.filter((route) => !absent.includes(route)), absent };
}
