import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, type ReactNode } from "react";
import { organisationQuery } from "../lib/organisation";
import { isStatus } from "../lib/queries";
import { Skeleton } from "../ui/panels";

const ChooseFirst = lazy(() => import("../pages/account/choose-first"));

/**
 * Whoever was given a password by others chooses one of their own before anything else is answered.
 */
export function OwnPasswordFirst({ children }: { children: ReactNode }) {
  const { error } = useQuery(organisationQuery());
  if (!isStatus(error, 403) || error.code !== "PASSWORD_CHANGE_REQUIRED") return children;
  return (
    <Suspense fallback={<Skeleton />}>
      <ChooseFirst />
    </Suspense>
  );
}
