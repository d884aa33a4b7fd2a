// openapi-typescript builds its output with TypeScript's API, which TypeScript 7 does not
// have: it gets the 5 beside it.
import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) => next(specifier === "typescript" ? "typescript-5" : specifier, context),
});
