import { Link as RouterLink } from "@tanstack/react-router";
import type { MouseEventHandler, ReactNode } from "react";

interface Props {
  /** A path of the console, such as /transactions/8f…; a query may follow. */
  to: string;
  className?: string;
  children?: ReactNode;
  onClick?: MouseEventHandler<HTMLAnchorElement>;
  "aria-label"?: string;
  /** Marks the link of a row, which the arrow keys go to. */
  "data-row"?: string;
}

/** A link within the console. */
export function Link({ to, ...rest }: Props) {
  const { pathname, search } = new URL(to, "http://console");
  return (
    <RouterLink
      to={pathname}
      search={Object.fromEntries(new URLSearchParams(search))}
      activeOptions={{ exact: pathname === "/", includeSearch: false }}
      {...rest}
    />
  );
}
