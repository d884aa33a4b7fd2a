/**
 * How long tests look for what is rare: `quick` for who waits for `npm test`, `ci` for `.ci/run`,
 * `long` for `npm run test:long`.
 */
export type Depth = "quick" | "ci" | "long";

/**
 * The value for the depth that TEST_DEPTH names, `quick` where it names none; a number in
 * `override` (an environment variable) wins.
 */
export function atDepth(byDepth: Readonly<Record<Depth, number>>, override?: string): number {
  const depth = process.env["TEST_DEPTH"] ?? "quick";
  if (!Object.hasOwn(byDepth, depth)) throw new Error(`TEST_DEPTH must be quick, ci or long, not ${depth}`);
  return Number((override === undefined ? undefined : process.env[override]) ?? byDepth[depth as Depth]);
}
