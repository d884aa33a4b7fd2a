import { scopesFor } from "../../console/src/pages/tokens/scopes.js";
import { scopesOf } from "../../services/identity/domain/api-tokens.js";
import { permissionsOf } from "../../services/identity/domain/roles.js";

it.each(["MANAGER", "AGENT", "CASHIER"] as const)(
  "the console offers a %s every scope of a token and no other",
  (role) => {
    expect(scopesFor({ role, permissions: permissionsOf(role) })).toEqual(scopesOf(role));
  },
);
