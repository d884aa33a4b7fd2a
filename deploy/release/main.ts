// `npm run release -- VERSION`: tags, builds and signs a version;
// docs/operations/release.md says how.
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { projectRoot } from "../local/project.js";
import { ReleaseError } from "./release-error.js";
import { release } from "./release.js";
import { tagOf } from "./version.js";

const usage = `npm run release -- VERSION [--key FILE] [--public-key FILE] [--without-image]

Commits and tags VERSION (such as 0.2.0), builds it into release/VERSION, and signs its sums. Say it again after
a failure: what is finished is kept.

  --key FILE         secret key of minisign; without it the sums are left unsigned, and a later call may sign them
  --public-key FILE  what the signature is verified with (manilla.pub)
  --without-image    neither image nor bill of materials

RELEASE_KEY_PASSWORD is the key's password where nobody sits at the terminal.
`;

const root = projectRoot();
// Nothing that is started from here finds the password in its environment.
const password = process.env["RELEASE_KEY_PASSWORD"];
delete process.env["RELEASE_KEY_PASSWORD"];
// What the person's umask takes away would be missing from the archives too.
process.umask(0o022);

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: "string" },
      "public-key": { type: "string", default: join(root, "manilla.pub") },
      "without-image": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const [version] = positionals;
  if (values.help) process.stdout.write(usage);
  else if (version === undefined || positionals.length > 1) throw new ReleaseError(usage.trimEnd());
  else await make(version, values);
} catch (error) {
  const isExplained =
    error instanceof ReleaseError || (error as NodeJS.ErrnoException).code?.startsWith("ERR_PARSE_ARGS");
  process.stderr.write(`${isExplained ? (error as Error).message : String((error as Error).stack)}\n`);
  process.exitCode = 1;
}

async function make(version: string, values: { key?: string; "public-key": string; "without-image": boolean }) {
  const { key, "public-key": publicKey } = values;
  const signer = key === undefined ? undefined : { key, publicKey, password, minisign: "minisign" };
  const { folder } = await release({ root, version, withImage: !values["without-image"], signer });
  const next = signer === undefined ? "not signed yet" : `signed. To publish: git push origin HEAD ${tagOf(version)}`;
  process.stdout.write(`${relative(process.cwd(), folder)}: ${next}\n`);
}
