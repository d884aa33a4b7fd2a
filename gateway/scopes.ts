import { Refusal } from "../services/kernel/refusal.js";
import { passwordChangeScope } from "../services/kernel/tokens/user-tokens.js";
import type { Route } from "./route.js";

/** Why an operation needs a log-in and takes no API token. */
export const peopleOnlyReasons = {
  session: "ends or shows sessions, which are of people who log in",
  credentials: "a stolen token must not become a password, a factor or another token",
  contacts: "codes are sent to what it changes",
  destinations: "says where money may go; a token that could would carry money off",
  judgement: "somebody answers for it by name: people decide, mostly two of them",
  drawer: "somebody stands at the drawer or the vault and has counted",
  cardholder: "the card's holder is there and agrees",
  codes: "handles a code that only a person holds",
  irreversible: "cannot be undone",
  casework: "what is put into a case or a list, taken out of it or searched for is somebody's by name",
  partners: "says who sends codes, moves money or says who passes: two people decide",
  words: "writes the messages that carry codes, tokens and links",
  protection: "says how people are protected; a token that could would take it away",
  staff: "makes somebody who may act for the organisation",
} as const;

export type PeopleOnlyReason = keyof typeof peopleOnlyReasons;

// Who was given a password by others may do this; a refresh needs no user and gives a whole token.
const beforePasswordChange: readonly string[] = ["changePassword", "logout"];

/**
 * Refuses FORBIDDEN where the caller came by an API token that lacks the scope,
 * PASSWORD_CHANGE_REQUIRED where they have yet to choose a password of their own. Others who logged
 * in have no scopes and pass.
 */
export function assertScope(
  { operationId, scopes: needed = [] }: Pick<Route, "operationId" | "scopes">,
  held: readonly string[] | undefined,
): void {
  if (held === undefined) return;
  if (held.includes(passwordChangeScope)) {
    if (beforePasswordChange.includes(operationId)) return;
    throw new Refusal("PASSWORD_CHANGE_REQUIRED", "choose a password of your own first, then refresh or log in again");
  }
  if (needed.some((scope) => held.includes(scope))) return;
  const lacking = needed.length === 0 ? "is not for API tokens" : `needs the scope ${needed.join(" or ")}`;
  throw new Refusal("FORBIDDEN", `this operation ${lacking}`);
}
