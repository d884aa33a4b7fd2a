import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { ListSource } from "../../services/compliance/lists/domain/list-entry.js";
import type { ListPart } from "../../services/compliance/lists/loading/list-file.js";

const run = promisify(execFile);
const source = "github.com/moov-io/watchman@v0.50.0";
const sum = "h1:P8e4mSZPmieqk6ThVmtZ30X3f4orAjBIwSWGlGIrVoU=";

/** A published list as files on this machine. */
export interface RealList {
  source: ListSource;
  /** Of when it is, or in which form. */
  what: string;
  files: { part: ListPart; path: string }[];
}

/**
 * Lists that were really published: OFAC's of three years, the EU's and the UK's, of the test data
 * of a Go module (30 MB), which Go fetches once and keeps in its cache; and the UN's where the
 * folder of data beside the project has it. Throws where there is no Go or no way to the module.
 */
export async function findRealLists(): Promise<RealList[]> {
  const folder = await fetchModule();
  const ofac = (what: string, within: string): RealList => ({
    source: "OFAC_SDN",
    what,
    files: (["SDN", "ALT", "ADD", "COMMENTS"] as const).map((part) => ({
      part,
      path: join(folder, within, part === "COMMENTS" ? "sdn_comments.csv" : `${part.toLowerCase()}.csv`),
    })),
  });
  const one = (source: ListSource, what: string, path: string): RealList => ({
    source,
    what,
    files: [{ part: "", path }],
  });
  const un = unList();
  return [
    ofac("2025", "pkg/ofac/testdata"),
    ofac("2021", "test/testdata/bench"),
    ofac("2019", "test/testdata"),
    one("EU", "2024", join(folder, "test/testdata/bench/eu_csl.csv")),
    one("EU", "2022", join(folder, "test/testdata/eu_csl.csv")),
    one("UK", "2024", join(folder, "test/testdata/bench/ConList.csv")),
    one("UK", "2022", join(folder, "test/testdata/ConList.csv")),
    one("UK", "ODS", join(folder, "test/testdata/UK_Sanctions_List.ods")),
    ...(un === undefined ? [] : [one("UN", "2026", un)]),
  ];
}

/** The UN's list, where SCREENING_DATA (../shared/data/screening) has it. */
export function unList(): string | undefined {
  const path = join(resolve(process.env["SCREENING_DATA"] ?? "../shared/data/screening"), "un-consolidated.xml");
  return existsSync(path) ? path : undefined;
}

async function fetchModule(): Promise<string> {
  // Away from any go.mod: nothing but the module is asked for.
  const cwd = mkdtempSync(join(tmpdir(), "manilla-go-"));
  try {
    const { stdout } = await run("go", ["mod", "download", "-json", source], { cwd, timeout: 240_000 });
    const { Dir: folder, Sum: found } = JSON.parse(stdout) as { Dir?: string; Sum?: string };
    if (folder === undefined || found !== sum) throw new Error(`${source} is not what it was (${found})`);
    return folder;
  } catch (error) {
    const { code, message } = error as { code?: string | number; message: string };
    const why = code === "ENOENT" ? "there is no Go to fetch it with" : message.split("\n")[0];
    throw new Error(`There are no real lists (${why}).`, { cause: error });
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
