export interface Progress {
  /** Does `work` and prints one line with its name, what it answers (if anything) and its time. */
  step<T>(name: string, work: () => Promise<T>, detail?: (result: T) => string): Promise<T>;
  print(line: string): void;
}

/** Prints steps as `  1.2 s  name`; a terminal also shows the step that is being done. */
export function createProgress(out: NodeJS.WriteStream = process.stdout): Progress {
  // Steps that run at the same time would overwrite each other's line.
  let running = 0;
  return {
    print: (line) => void out.write(`${line}\n`),
    step: async (name, work, detail) => {
      const startedAt = performance.now();
      const shown = out.isTTY && running++ === 0;
      if (shown) out.write(`   …    ${name}`);
      try {
        const result = await work();
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(5);
        const more = detail?.(result);
        out.write(`${shown ? "\r" : ""}${seconds} s  ${name}${more ? ` (${more})` : ""}\n`);
        return result;
      } catch (error) {
        if (shown) out.write("\n");
        throw error;
      } finally {
        if (out.isTTY) running--;
      }
    },
  };
}

/** Prints nothing, for tests. */
export const quietProgress: Progress = { step: (_name, work) => work(), print: () => undefined };
