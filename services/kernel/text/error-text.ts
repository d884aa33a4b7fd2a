const values = / ?dup key:.*/s;

/**
 * An error's message without the values that MongoDB puts into it: of a duplicate key only the
 * index is left. For logs, and for what operators are shown.
 */
export function errorText(error: unknown): string {
  return withoutValues(error instanceof Error ? error.message : String(error));
}

/** A unique index was violated: MongoDB's message and members then hold what was stored. */
export function isDuplicateKeyError(error: Error): boolean {
  return (error as { code?: unknown }).code === 11_000;
}

/**
 * `E11000 … index: email dup key: { email: "a@b.example" }` without what follows the index's name.
 */
export function withoutValues(message: string): string {
  return message.replace(values, "");
}

/**
 * A stack that begins with such a message: what follows the index's name is gone, its frames stay.
 */
export function stackWithoutValues(stack: string): string {
  if (!values.test(stack)) return stack;
  const frames = stack.split("\n").filter((line) => /^ {4,}at /.test(line));
  return [withoutValues(stack), ...frames].join("\n");
}
