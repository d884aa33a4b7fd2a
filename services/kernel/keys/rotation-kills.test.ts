import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { declaredCrashPoints } from "../../../test/support/crash-points.js";
import { forkSource } from "../../../test/support/forked-source.js";
import { testDatabase, type TestDatabase } from "../../../test/support/index.js";
import { createDataKeys, dataKeyCollection, dataKeyIndexes } from "./data-keys.js";
import { createIndexes } from "../mongo/migrations.js";
import { createFileKeys } from "./file-keys.js";
import { createMasterKeyIndexes } from "./wrapped-keys.js";

jest.setTimeout(180_000);

const purposes = ["a", "b", "c", "d", "e"];
const newLine = () => `${randomBytes(32).toString("base64")}\n`;
let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "rotation-"))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Rotates and retires in a process of its own; what ended it. */
async function rotate(database: TestDatabase, file: string, retire: string, crashPoint?: string): Promise<unknown> {
  const parts = { uri: database.uri, database: database.database, file, retire };
  const child = forkSource("rewrap-process.ts", {
    REWRAP_PROCESS: JSON.stringify(parts),
    ...(crashPoint !== undefined && { CRASH_POINT: crashPoint }),
  });
  const [code, signal] = (await once(child, "exit")) as unknown[];
  return signal ?? code;
}

const points = declaredCrashPoints("kernel/keys").flatMap((point) =>
  point.includes(".retire.") ? [point] : [point, `${point}:3`],
);

test("there are points between every two steps", () => expect(points).toHaveLength(7));

test.each(points)("killed at %s, every key is readable, and the next run ends it", async (point) => {
  const database = await testDatabase(`rotation_${points.indexOf(point)}`);
  const { db } = database;
  await createMasterKeyIndexes(db);
  await createIndexes(db, dataKeyCollection, [...dataKeyIndexes]);
  const [oldFile, file, newFile] = ["old", "both", "new"].map((name) => join(folder, name)) as [string, string, string];
  const [oldLine, line] = [newLine(), newLine()];
  writeFileSync(oldFile, oldLine);
  writeFileSync(file, oldLine + line);
  writeFileSync(newFile, line);
  const keysOf = (of: string, purpose: string) =>
    createDataKeys({ db, wrapper: createFileKeys(of), service: "remittance", purpose });
  const assertReadable = async (of: string): Promise<void> => {
    for (const [index, purpose] of purposes.entries()) {
      expect(await keysOf(of, purpose).open(sealed[index]!, "here")).toBe(purpose);
    }
  };
  const sealed = await Promise.all(purposes.map((purpose) => keysOf(oldFile, purpose).seal(purpose, "here")));
  const old = await createFileKeys(oldFile).newest();

  expect(await rotate(database, file, old, point)).toBe("SIGKILL");
  await assertReadable(file);
  expect(await rotate(database, file, old)).toBe(0);
  await assertReadable(newFile);
  const versions = await keysOf(newFile, "a").wrapped.list();
  expect(versions.find(({ masterKeyId }) => masterKeyId === old)).toMatchObject({
    keys: 0,
    retiredAt: expect.any(Date),
  });
  await database.close();
});
