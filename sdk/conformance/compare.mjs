// Compares what a case expects with what came. Each function gives sentences of what differs.

/** The same in every member. What is not expected at all (undefined) is not looked at. */
export function equal(expected, actual, path) {
  if (expected === undefined) return [];
  const [left, right] = [expected, actual === undefined ? null : actual].map((value) => JSON.stringify(sorted(value)));
  return left === right ? [] : [`${path} is ${right}, not ${left}`];
}

/**
 * All that is expected is there; objects may have more. `$any`, `$absent`, `$has`, `$oneOf`
 * and `$atMost` stand for values.
 */
export function matches(expected, actual, path) {
  if (expected === undefined) return [];
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return equal(expected, actual, path);
    return expected.flatMap((item, index) => matches(item, actual[index], `${path}.${index}`));
  }
  if (typeof expected !== "object" || expected === null) return equal(expected, actual, path);
  const [[kind, by] = []] = Object.entries(expected);
  const differs = (holds) => (holds ? [] : [`${path} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`]);
  switch (kind) {
    case "$any":
      return differs(typeof actual === by && actual !== "");
    case "$absent":
      return differs(actual === undefined);
    case "$has":
      return differs(typeof actual === "string" && actual.includes(by));
    case "$oneOf":
      return differs(by.includes(actual));
    case "$atMost":
      return differs(actual <= by);
    default:
      if (typeof actual !== "object" || actual === null) return equal(expected, actual, path);
      return Object.entries(expected).flatMap(([name, value]) => matches(value, actual[name], `${path}.${name}`));
  }
}

/**
 * The same JSON, whatever its spaces and the order of its members,
 * with every number digit by digit.
 */
export function sameJson(expected, actual, path) {
  if (expected === "") return equal("", actual, path);
  try {
    return equal(exact(expected), exact(actual ?? ""), path);
  } catch (error) {
    return [`${path} is ${JSON.stringify(actual)}, which is no JSON (${error.message})`];
  }
}

function exact(text) {
  JSON.parse(text);
  const quoted = text.replace(/("(?:[^"\\]|\\.)*")|-?\d[\d.eE+-]*/g, (token, string) =>
    string === undefined ? `{"number":"${token}"}` : string,
  );
  return JSON.parse(quoted);
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([left], [right]) => (left < right ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
}
