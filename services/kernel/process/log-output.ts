import { write, writeSync } from "node:fs";
import { processMetrics } from "../telemetry/metrics.js";

const batchBytes = 8_192;
const batchMs = 100;
// A busy output holds so much while the descriptor takes nothing; lines beyond it are lost.
const maxHeldBytes = 4 * 1024 * 1024;
const pauseMs = 20;
// A slow reader is waited for so long before lines are lost.
const patienceMs = 1_000;

export interface LogOutputOptions {
  fd?: number;
  /** Writes lines together, every tenth of a second at the latest. */
  isBusy?: boolean;
  /** Told how many lines are lost. */
  onLost?: (lines: number) => void;
}

export interface LogOutput {
  write(line: string): void;
}

/**
 * Where a process writes its log. A line that cannot be written (a full disk, a reader that went
 * away) is counted as lost and never harms the process; what comes after a line that was cut begins
 * on a line of its own.
 */
export function createLogOutput(options: LogOutputOptions = {}): LogOutput {
  const { fd = 1, isBusy = false, onLost = (lines) => processMetrics.logLinesLost.inc(lines) } = options;
  return isBusy ? busyOutput(fd, onLost) : plainOutput(fd, onLost);
}

function plainOutput(fd: number, onLost: (lines: number) => void): LogOutput {
  const put = createSyncWriter(fd);
  return {
    write: (line) => {
      if (!put(Buffer.from(line))) onLost(1);
    },
  };
}

function busyOutput(fd: number, onLost: (lines: number) => void): LogOutput {
  let held: string[] = [];
  let heldBytes = 0;
  let isWriting = false;
  let isCut = false;
  let timer: NodeJS.Timeout | undefined;
  const lose = (lines: number): void => {
    if (lines > 0) onLost(lines);
  };

  function take(): string {
    const text = held.join("");
    held = [];
    heldBytes = 0;
    return text;
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isWriting || held.length === 0) return;
    isWriting = true;
    put(Buffer.from(isCut ? `\n${take()}` : take()), performance.now() + patienceMs);
  }

  function put(bytes: Buffer, giveUpAt: number): void {
    write(fd, bytes, (error, written) => {
      const rest = bytes.subarray(written);
      if (error !== null && isBusyError(error) && performance.now() < giveUpAt) {
        setTimeout(put, pauseMs, rest, giveUpAt).unref();
      } else if (error === null && rest.length > 0) {
        put(rest, giveUpAt);
      } else {
        if (error !== null) lose(linesIn(rest));
        // An empty line harms nobody where nothing of the cut one came out.
        isCut = error !== null;
        isWriting = false;
        if (heldBytes >= batchBytes) flush();
        else if (held.length > 0) later();
      }
    });
  }

  function later(): void {
    timer ??= setTimeout(flush, batchMs).unref();
  }

  // At exit the event loop turns no more, so what is held is written at once.
  process.on("exit", () => {
    const lines = held.length;
    if (lines > 0 && !createSyncWriter(fd)(Buffer.from(take()))) lose(lines);
  });

  return {
    write: (line) => {
      const bytes = Buffer.byteLength(line);
      if (heldBytes + bytes > maxHeldBytes) return lose(1);
      held.push(line);
      heldBytes += bytes;
      if (heldBytes >= batchBytes && !isWriting) flush();
      else later();
    },
  };
}

/**
 * Writes at once; false where it could not. Waits for a slow reader, but not again for one that it
 * has waited for in vain.
 */
function createSyncWriter(fd: number): (bytes: Buffer) => boolean {
  let isCut = false;
  let isStuck = false;
  return (line) => {
    let rest = isCut ? Buffer.concat([Buffer.from("\n"), line]) : line;
    const giveUpAt = performance.now() + (isStuck ? 0 : patienceMs);
    while (rest.length > 0) {
      try {
        const written = writeSync(fd, rest);
        if (written < rest.length) isCut = true;
        rest = rest.subarray(written);
      } catch (error) {
        isStuck = isBusyError(error);
        if (!isStuck || performance.now() >= giveUpAt) return false;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      }
    }
    isCut = false;
    isStuck = false;
    return true;
  };
}

function isBusyError(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "EAGAIN" || code === "EBUSY";
}

/** Lines that end here; where it begins with an end, that one's line is out. */
function linesIn(bytes: Buffer): number {
  let lines = bytes[0] === 10 ? -1 : 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}
