import type { WriteStream } from "node:tty";

const width = 30;
const redrawMs = 100;

export interface Progress {
  /** How far it is; `total` may grow. */
  at(done: bigint, total: bigint, what: string): void;
  end(): void;
}

/** A bar on a terminal; nothing where the output goes elsewhere. */
export function createProgress(stream: Pick<WriteStream, "isTTY" | "write">, now: () => number = Date.now): Progress {
  if (!stream.isTTY) return { at: () => undefined, end: () => undefined };
  let drawnAt = -Infinity;
  let isDrawn = false;
  return {
    at(done, total, what) {
      if (now() - drawnAt < redrawMs && done < total) return;
      drawnAt = now();
      isDrawn = true;
      const share = total === 0n ? 1 : Math.min(1, Number((done * 1_000n) / total) / 1_000);
      const filled = Math.round(share * width);
      const bar = "█".repeat(filled) + "░".repeat(width - filled);
      stream.write(`\r\u001b[K${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${done} of ${total} ${what}`);
    },
    end() {
      if (isDrawn) stream.write("\r\u001b[K");
    },
  };
}
