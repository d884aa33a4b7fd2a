import { useSyncExternalStore } from "react";
import { operations, type OperationId } from "../generated/roles";
import { session, type SessionState, type SignedInUser } from "./session";

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.get);
}

/** Who is signed in. Throws where nobody is: pages are shown to somebody alone. */
export function useUser(): SignedInUser {
  const state = useSession();
  if (!("user" in state)) throw new Error("nobody is signed in");
  return state.user;
}

/** Whether the published role table lets this person call the operation. */
export function mayCall(user: SignedInUser, operation: OperationId): boolean {
  return (operations[operation].roles as readonly string[]).includes(user.role);
}

/** `const may = useMay(); may("requestRefund")` */
export function useMay(): (operation: OperationId) => boolean {
  const user = useUser();
  return (operation) => mayCall(user, operation);
}
