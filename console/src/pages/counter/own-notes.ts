import { useQuery } from "@tanstack/react-query";
import { useUser } from "../../lib/use-session";
import { configurationQuery } from "../agents/queries";

/**
 * Whether the notes are the agent's own, whose account pays: no till is needed. Undefined until it
 * is known.
 */
export function useOwnNotes(): boolean | undefined {
  const { id, role } = useUser();
  const isAgent = role === "AGENT";
  const { data } = useQuery({ ...configurationQuery(id), enabled: isAgent });
  if (!isAgent) return false;
  return data === undefined ? undefined : data?.mode === "ACCOUNT";
}
