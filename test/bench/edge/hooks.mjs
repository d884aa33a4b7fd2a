// Runs TypeScript sources as they are: "./x.js" is "./x.ts" where only that exists.
import { existsSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

registerHooks({
  resolve(specifier, context, next) {
    // A thread's first file comes as a whole address.
    const isOurs = specifier.startsWith(".") ? context.parentURL !== undefined : specifier.startsWith("file:");
    if (!isOurs || !specifier.endsWith(".js")) return next(specifier, context);
    const source = specifier.replace(/\.js$/, ".ts");
    const there = existsSync(fileURLToPath(new URL(source, context.parentURL)));
    return next(there ? source : specifier, context);
  },
});
