import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access, lstat, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "../../../kernel/refusal.js";
import { codeOf, flush, writeWhole } from "./disk.js";
import { createMark, type KnownMarks } from "./mark.js";
import { FileFault } from "./xml.js";

/** `work` is ours alone: what is not in `out` yet. All of them are of one file system. */
const names = ["out", "in", "done", "failed", "work"] as const;
type Name = (typeof names)[number];

export interface WaitingFile {
  name: string;
  size: number;
  changedAt: Date;
}

/** Files of an installation below the operator's directory. */
export type BankFolders = ReturnType<typeof createBankFolders>;

/**
 * The folders of installations below the directory that the operator mounts. Refuses UNAVAILABLE
 * where there is none, or it cannot be used: nothing is decided then.
 */
export function createBankFolders(root: string | undefined) {
  return {
    of(installationId: string, marks: KnownMarks) {
      if (!/^[A-Za-z0-9-]{1,64}$/.test(installationId)) throw new Error(`${installationId} is no installation's id`);
      const folderOf = (name: Name) => join(root ?? "", installationId, name);
      const pathOf = (folder: Name, name: string) => join(folderOf(folder), name);

      const mark = createMark(join(root ?? "", installationId), installationId, marks);

      function assertNamed(directory: string | undefined): asserts directory is string {
        if (directory !== undefined) return;
        throw new Refusal("UNAVAILABLE", "the operator has named no directory for files of banks");
      }

      async function prepare(): Promise<void> {
        assertNamed(root);
        if (!(await stat(root)).isDirectory()) throw new Error("the directory for files of banks is none");
        for (const name of names) await mkdir(folderOf(name), { recursive: true });
      }

      /**
       * What is laid where nothing is mounted comes to nobody, and is
       * hidden by the mount afterwards.
       */
      async function assertMounted(): Promise<void> {
        assertNamed(root);
        await mark.assertThere();
      }

      /** False where there is none. */
      async function move(from: string, to: string): Promise<boolean> {
        try {
          await rename(from, to);
          return true;
        } catch (error) {
          if (codeOf(error) === "ENOENT") return false;
          throw error;
        }
      }

      return {
        /**
         * Makes them where they are not. Refuses UNAVAILABLE where something
         * cannot be read or written in one of them, and makes nothing where they
         * are not those that were tested first.
         */
        check: () =>
          usable(async () => {
            assertNamed(root);
            await mark.assertMayLie();
            await prepare();
            // Whatever is there, the bank may take.
            await access(folderOf("out"), constants.W_OK);
            for (const name of names.filter((one) => one !== "out")) {
              const probe = pathOf(name, `.probe-${randomUUID()}`);
              await writeWhole(probe, "");
              await rm(probe);
            }
            await mark.lay();
          }),
        /**
         * Lays it ready where nobody looks, on the disk. Gives what it is
         * called until it is handed over.
         */
        stage: (text: string): Promise<string> =>
          usable(async () => {
            await assertMounted();
            const attempt = randomUUID();
            await writeWhole(pathOf("work", attempt), text);
            await flush(folderOf("work"));
            return attempt;
          }),
        discard: (attempt: string): Promise<void> => usable(() => rm(pathOf("work", attempt), { force: true })),
        /**
         * Moves what lies ready to where the bank sees it; once, whoever asks: what does not lie
         * there any more was moved before, and the bank may have taken it away since.
         */
        handOver: (attempt: string, fileName: string): Promise<void> =>
          usable(async () => {
            const [from, to] = [pathOf("work", attempt), pathOf("out", fileName)];
            // Folders that are not there are not made: a directory that is not mounted must not
            // look like one without the file.
            await assertMounted();
            if (!(await move(from, to))) {
              // It may have come back a moment ago: what does not lie there now is a file that was
              // moved, and no folder that was away.
              await assertMounted();
              await access(folderOf("work"), constants.W_OK);
              await access(folderOf("out"), constants.W_OK);
              if (!(await move(from, to))) await assertMounted();
            }
            await flush(folderOf("out"));
            await flush(folderOf("work"));
          }),
        /** Attempts that nobody has touched since a moment. */
        listAttempts: (before: Date): Promise<string[]> =>
          usable(async () => {
            const found = await readdir(folderOf("work"));
            const changed = await Promise.all(found.map((name) => changedAt(pathOf("work", name))));
            return found.filter((name, index) => /^[0-9a-f-]{36}$/.test(name) && (changed[index] ?? before) < before);
          }),
        /** Files of the bank, by name; never what is a link, a folder, hidden or not named .xml. */
        list: (folder: "in" | "failed"): Promise<WaitingFile[]> =>
          usable(async () => {
            await assertMounted();
            const found: WaitingFile[] = [];
            for (const entry of await readdir(folderOf(folder), { withFileTypes: true })) {
              if (!entry.isFile() || !/^[^.].*\.xml$/i.test(entry.name)) continue;
              const file = await lstat(pathOf(folder, entry.name)).catch(() => undefined);
              if (file !== undefined) found.push({ name: entry.name, size: file.size, changedAt: file.mtime });
            }
            return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
          }),
        /**
         * Undefined where another replica has taken it. Throws FileFault
         * where it is larger than may be.
         */
        read: (name: string, maxBytes: number): Promise<{ fileId: string; bytes: Buffer } | undefined> =>
          usable(() => readWhole(pathOf("in", name), maxBytes)),
        /** Away from `in`, under a name that no other file has. */
        settle: (name: string, folder: "done" | "failed", fileId: string): Promise<void> =>
          usable(async () => {
            const storedName = `${fileId.slice(0, 12)}-${name}`.slice(-200);
            await rename(pathOf("in", name), pathOf(folder, storedName)).catch((error: unknown) => {
              if (codeOf(error) !== "ENOENT") throw error;
            });
          }),
      };
    },
  };
}

/** What a file system refuses says nothing of a payout. */
async function usable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof FileFault || code === undefined) throw error;
    throw new Refusal("UNAVAILABLE", `the folders for files of banks cannot be used: ${code}`);
  }
}

async function readWhole(path: string, maxBytes: number): Promise<{ fileId: string; bytes: Buffer } | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    if (size > maxBytes) throw new FileFault(`is of ${size} bytes, more than ${maxBytes}`);
    const bytes = await file.readFile();
    return { fileId: createHash("sha256").update(bytes).digest("hex"), bytes };
  } finally {
    await file.close();
  }
}

async function changedAt(path: string): Promise<Date | undefined> {
  return (await lstat(path).catch(() => undefined))?.mtime;
}
