import { useQuery } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { read } from "../../lib/queries";

/** Who can work a case, as a select's options. */
export function useManagers(): { value: string; label: string }[] {
  const staff = useQuery({
    ...read("staff", "listStaffUsers", { all: true }, (options) =>
      api.people.listStaffUsers({}, options).toArray({ max: 500 }),
    ),
    staleTime: 300_000,
  });
  return (staff.data ?? [])
    .filter(({ role }) => role === "MANAGER")
    .map(({ userId, name }) => ({ value: userId, label: name }));
}
