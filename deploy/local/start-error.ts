/**
 * A reason why the cluster cannot start, said to a person in one sentence. It is printed without a
 * stack.
 */
export class StartError extends Error {
  override readonly name = "StartError";
}

/**
 * Turns what a tool or the system printed into a sentence about a full disk, or undefined when it
 * speaks of something else.
 */
export function diskFullSentence(text: string, path: string): string | undefined {
  if (!/ENOSPC|No space left on device|disk quota exceeded|EDQUOT/i.test(text)) return undefined;
  return `The disk that holds ${path} is full: free some space and start again.`;
}

/** What is said of a failed start in one sentence; undefined for a bug, whose stack is wanted. */
export function sentenceOf(error: unknown, dataDir: string): string | undefined {
  if (error instanceof StartError) return error.message;
  return diskFullSentence(String((error as Error | undefined)?.message), dataDir);
}
