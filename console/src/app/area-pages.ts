import { areas } from "./areas";

/** Whether an area has this page, whatever the query after it. */
export function isPageOf(to: string): boolean {
  const [path = ""] = to.split("?");
  return areas.some(({ routes }) => routes.some((route) => route.path === path));
}
