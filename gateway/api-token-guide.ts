import type { Route } from "./route.js";
import { peopleOnlyReasons } from "./scopes.js";

const introduction = `# API tokens

Written by \`npm run openapi\` from the operations' \`scopes\` and \`peopleOnly\`.

An API token is sent in \`X-Auth-Token\` and acts for its owner within its scopes. It lives 24 hours, 1, 3 or 6 months, or a year.

- Making or rotating one asks for the owner's password and the factor they have enrolled: the authenticator's code (\`otp\`), else
  the PIN (\`pin\`). The owner is told by mail each time.
- Rotated with an overlap, the token before works until the overlap ends, and not a moment longer on any replica.
- A change or a reset of the password ends all of the owner's tokens, unless the request says \`"endApiTokens": false\`.
- A payment by token asks for the password, the code and the PIN in its body, as it does of who logged in.
- A scope opens nothing that the owner's role may not do, and nobody can give away a scope that no call of their role needs.
  "In person" is a role that needs to log in for it.
`;

/**
 * The guide of API tokens: what every operation that needs a log-in asks of a token, or why it
 * takes none.
 */
export function apiTokenGuide(routes: readonly Route[]): string {
  const scoped = routes.flatMap(({ operationId, access, scopes, inPerson = [] }) => {
    if (scopes === undefined || typeof access === "string") return [];
    const roles = access.map((role) => (inPerson.includes(role) ? `${role} (in person)` : role));
    return [[scopes.map((scope) => `\`${scope}\``).join(" or "), roles.join(", "), operationId]];
  });
  const unscoped = routes.flatMap(({ operationId, access, peopleOnly }) =>
    peopleOnly === undefined || typeof access === "string"
      ? []
      : [[peopleOnlyReasons[peopleOnly], access.join(", "), operationId]],
  );
  return [
    introduction,
    `## Operations that take a token (${scoped.length})\n`,
    table(["one of these scopes", "roles", "operations"], grouped(scoped)),
    `\n## Operations for people who log in (${unscoped.length})\n`,
    table(["why", "roles", "operations"], grouped(unscoped)),
    "",
  ].join("\n");
}

/** One row for all operations whose other two cells are equal. */
function grouped(rows: string[][]): string[][] {
  const groups = Map.groupBy(rows, ([terms, roles]) => `${terms} ${roles}`);
  return [...groups.values()]
    .map((alike) => [
      alike[0]![0]!,
      alike[0]![1]!,
      alike
        .map((row) => row[2]!)
        .toSorted()
        .join(", "),
    ])
    .toSorted(([one], [other]) => (one! < other! ? -1 : 1));
}

/** Columns as wide as their longest cell, as the formatter of the repository writes them. */
function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
