import type fc from "fast-check";
import { flush, type Model, type Real } from "./world.js";

export type Command = fc.AsyncCommand<Model, Real>;

/** What is done once all that waits is decided. */
export function act(name: string, work: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    async run(model, real) {
      await flush(model, real);
      await work(model, real);
    },
    toString: () => name,
  };
}
