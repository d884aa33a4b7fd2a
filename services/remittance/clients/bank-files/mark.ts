import { randomUUID } from "node:crypto";
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "../../../kernel/refusal.js";
import type { BankFileStore } from "../../store/bank-files.js";
import { codeOf, flush, writeWhole } from "./disk.js";

const markerName = ".tested";

/** What remittance's database knows of the marks of directories. */
export type KnownMarks = Pick<BankFileStore, "findMark" | "proposeMark" | "setMarkLaid">;

/**
 * The mark of an installation's directory, beside its folders: a random id that the database has
 * too. A bare mount point, an emptied directory and another one have none or another one, and which
 * of them it is, only a person knows.
 */
export function createMark(own: string, installationId: string, marks: KnownMarks) {
  const path = join(own, markerName);

  async function read(): Promise<string | undefined> {
    try {
      return (await readFile(path, "utf8")).trim();
    } catch (error) {
      if (codeOf(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** A name that is there is a file that is whole; who lays it twice lays the same. */
  async function write(mark: string): Promise<void> {
    const fresh = `${path}-${randomUUID()}`;
    await writeWhole(fresh, `${mark}\n`);
    await rename(fresh, path);
    await flush(own);
  }

  return {
    /** Refuses UNAVAILABLE unless it is the directory that was tested. */
    async assertThere(): Promise<void> {
      const known = await marks.findMark(installationId);
      if (known?.isLaid === true && (await read()) === known.mark) return;
      const why = "the directory for files of banks is not mounted, is another one, or was never tested";
      throw new Refusal("UNAVAILABLE", why);
    },

    /** Refuses UNAVAILABLE where another directory was tested before, or none is there any more. */
    async assertMayLie(): Promise<void> {
      const known = await marks.findMark(installationId);
      if (known?.isLaid !== true || (await read()) === known.mark) return;
      const why =
        "the directory for files of banks is not the one that was tested first: it is not mounted, was emptied";
      throw new Refusal("UNAVAILABLE", `${why} or is another one`);
    },

    /**
     * Lays it where none was laid yet. What the database knows first is laid, so that whoever is
     * cut off between lays the same.
     */
    async lay(): Promise<void> {
      const there = (await read()) ?? "";
      // A directory may outlive what the database knew of it.
      const { mark, isLaid } = await marks.proposeMark(installationId, there === "" ? randomUUID() : there);
      if (there !== "" && there !== mark) {
        throw new Refusal("UNAVAILABLE", "the directory for files of banks has the mark of another one");
      }
      if (there === "") await write(mark);
      if (!isLaid) await marks.setMarkLaid(installationId);
    },
  };
}
