/** Whether a command line asks how the tool is used: that is an answer, not a fault. */
export function asksForHelp(args: readonly string[]): boolean {
  return args[0] === "help" || args.includes("--help") || args.includes("-h");
}

/**
 * What is wrong with a command line: an option's value by its option's name alone,
 * everything else with the usage.
 */
export function misuseText(error: unknown, usage: string): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE" ? message : `${message}\n\n${usage}`;
}

/**
 * Whoever reads a part of the output, as `head` does, does not fail the
 * tool: it does its work to the end.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}
