/** Whether a command line asks how the tool is used: that is an answer, not a fault. */
export function asksForHelp(args: readonly string[]): boolean {
  return args[0] === "help" || args.includes("--help") || args.includes("-h");
}
