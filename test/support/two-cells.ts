import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { nativeOf, openPlace, type DatabaseService, type Place } from "../../deploy/cli/places.js";
import { copyTenant, type CopyOptions } from "../../deploy/cli/tenant/move.js";
import { startMongo } from "../../deploy/local/servers.js";
import { memoryFolder } from "./memory-folder.js";

export interface TwoCells {
  readonly here: Place;
  readonly there: Place;
  /** A folder that ends with them. */
  readonly dir: string;
  close(): Promise<void>;
}

/** Two cells, each with a MongoDB of its own that holds nothing yet. */
export async function openTwoCells(): Promise<TwoCells> {
  const dir = mkdtempSync(join(memoryFolder(), "manilla-move-"));
  const servers = [
    await startMongo({ dir: join(dir, "here") }),
    await startMongo({ dir: join(dir, "there") }),
  ] as const;
  const [here, there] = [await openPlace(servers[0].uri), await openPlace(servers[1].uri)];
  async function close(): Promise<void> {
    await Promise.all([here.close(), there.close()]);
    await Promise.all(servers.map((server) => server.kill()));
    rmSync(dir, { recursive: true, force: true });
  }
  return { here, there, dir, close };
}

/** As the command copies. Nothing runs in these cells whose end would be waited for. */
export const copyAtOnce = (from: Place, to: Place, tenantId: string, options: CopyOptions = {}) =>
  copyTenant(from, to, tenantId, { pause: async () => {}, ...options });

export const collectionIn = (place: Place, service: DatabaseService, name: string) =>
  nativeOf(place.databases.get(service)!).collection<Record<string, unknown> & { _id: string }>(name);
