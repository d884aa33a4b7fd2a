import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startChild, tailOf, type Child } from "../../../../deploy/local/child.js";
import type { Pair } from "../ours.js";
import type { PostJson } from "./json-client.js";

/** Another ledger's server, with a book of as many accounts as ours. */
export interface Peer {
  readonly name: string;
  readonly pid: number;
  /** Servers besides the database. */
  readonly otherPids: readonly number[];
  /** One transfer, answered after its commit. False where it was refused. */
  post(pair: Pair): Promise<boolean>;
  stop(): Promise<void>;
}

export interface PeerOptions {
  readonly binary: string;
  readonly dir: string;
  readonly databaseUri: string;
  readonly clients: number;
  readonly accounts: number;
}

interface Server {
  readonly name: string;
  readonly binary: string;
  readonly args: readonly string[];
  readonly env?: Record<string, string>;
  readonly dir: string;
}

/** Starts a peer's server in a folder of its own. */
export function startServer({ name, binary, args, env = {}, dir }: Server): Promise<Child> {
  const log = join(dir, `${name}.log`);
  return startChild({
    command: binary,
    args,
    env: { PATH: process.env["PATH"] ?? "", HOME: dir, ...env },
    cwd: dir,
    log,
  });
}

/** Posts until the server takes the connection. Throws with its log where it ends or never does. */
export async function untilAnswered(child: Child, log: string, ask: () => ReturnType<PostJson>) {
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (tries === 600 || !child.isRunning()) throw new Error(`it did not start: ${tailOf(log)}`, { cause: error });
      await sleep(200);
    }
  }
}
