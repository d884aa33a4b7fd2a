import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/**
 * What a proxy does to the bytes between two processes.
 * - none: passes them on.
 * - latency: passes them on, in order, each later by `ms` and up to `jitterMs` more, both ways.
 * - reset: resets the connection (RST) now; a new one as soon as it is made.
 * - black-hole: passes nothing on and closes nothing. As TCP would after a partition, it
 *   delivers what was held once the
 *   fault is over, where both ends still wait.
 * - cut: passes `afterBytes` more bytes of answers, then closes: half an answer.
 */
export type Fault =
  | { readonly kind: "none" }
  | { readonly kind: "latency"; readonly ms: number; readonly jitterMs?: number }
  | { readonly kind: "reset" }
  | { readonly kind: "black-hole" }
  | { readonly kind: "cut"; readonly afterBytes: number };

export const noFault: Fault = { kind: "none" };

export interface ProxyConnection {
  /** 1, 2, 3… per proxy. */
  readonly id: number;
  /** Of this connection alone, from now on. */
  set(fault: Fault): void;
  /** Bytes passed on so far. */
  readonly passed: { requests: number; answers: number };
}

export interface FaultProxy {
  /** host:port to give to the caller in place of the target's. */
  readonly address: string;
  readonly target: string;
  /** Of all connections, those that are open and those to come. */
  set(fault: Fault): void;
  /**
   * Of new connections: what `choose` gives for the connection with this id; undefined leaves it at
   * the proxy's.
   */
  forNew(choose: ((id: number) => Fault | undefined) | undefined): void;
  /** Those that are open, oldest first. */
  connections(): readonly ProxyConnection[];
  /** How many there have been. */
  made(): number;
  close(): Promise<void>;
}

/** A TCP proxy on the loopback in front of `target` ("host:port"), which may be away. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const open = new Map<number, Link>();
  let fault: Fault = noFault;
  let choose: ((id: number) => Fault | undefined) | undefined;
  let made = 0;
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    const id = ++made;
    const link = createLink(id, client, target, () => open.delete(id));
    open.set(id, link);
    link.set(choose?.(id) ?? fault);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    target,
    set(next) {
      fault = next;
      for (const link of open.values()) link.set(next);
    },
    forNew: (chooser) => void (choose = chooser),
    connections: () => [...open.values()],
    made: () => made,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const link of open.values()) link.destroy();
      await closed;
    },
  };
}

interface Link extends ProxyConnection {
  destroy(): void;
}

function createLink(id: number, client: Socket, target: string, onClose: () => void): Link {
  const colon = target.lastIndexOf(":");
  const upstream = connect({
    host: target.slice(0, colon),
    port: Number(target.slice(colon + 1)),
    allowHalfOpen: true,
  });
  const sockets = [client, upstream];
  const passed = { requests: 0, answers: 0 };
  let fault: Fault = noFault;
  /** Answers that a cut still lets through. */
  let answersLeft = Infinity;

  const destroy = (): void => sockets.forEach((socket) => socket.destroy());
  const reset = (): void => sockets.forEach((socket) => socket.resetAndDestroy());
  for (const socket of sockets) {
    socket.setNoDelay(true);
    // One end that is gone, or a target that is away, is the end for the other one.
    socket.on("error", reset);
    socket.on("close", () => {
      onClose();
      sockets.filter((other) => other !== socket && other.destroyed === false).forEach((other) => other.destroySoon());
    });
  }

  const requests = createPump(client, upstream, (chunk) => {
    passed.requests += chunk.length;
    upstream.write(chunk);
  });
  const answers = createPump(upstream, client, (chunk) => {
    const allowed = chunk.subarray(0, Math.min(chunk.length, answersLeft));
    answersLeft -= allowed.length;
    passed.answers += allowed.length;
    client.write(allowed);
    if (answersLeft > 0) return;
    client.destroySoon();
    upstream.resetAndDestroy();
  });

  return {
    id,
    passed,
    destroy,
    set(next) {
      fault = next;
      answersLeft = fault.kind === "cut" ? fault.afterBytes : Infinity;
      if (fault.kind === "reset") return reset();
      for (const pump of [requests, answers]) pump.apply(fault);
    },
  };
}

const maxHeldBytes = 1_000_000;

/** One direction: holds what is late, in order, and leaves the rest in the kernel's buffers. */
function createPump(from: Socket, to: Socket, pass: (chunk: Buffer) => void) {
  const held: { chunk: Buffer | undefined; dueAt: number }[] = [];
  let heldBytes = 0;
  let fault: Fault = noFault;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  /** An end of file (no chunk) waits its turn too. */
  function hold(chunk: Buffer | undefined): void {
    const delay = fault.kind === "latency" ? fault.ms + Math.random() * (fault.jitterMs ?? 0) : 0;
    held.push({ chunk, dueAt: Math.max(performance.now() + delay, held.at(-1)?.dueAt ?? 0) });
    heldBytes += chunk?.length ?? 0;
    flush();
  }

  function flush(): void {
    clearTimeout(timer);
    if (fault.kind === "black-hole" || isOver) return;
    for (let next = held[0]; next !== undefined; next = held[0]) {
      const waitMs = next.dueAt - performance.now();
      if (waitMs > 0.5) {
        timer = setTimeout(flush, waitMs);
        break;
      }
      held.shift();
      heldBytes -= next.chunk?.length ?? 0;
      if (to.destroyed) continue;
      if (next.chunk === undefined) to.end();
      else pass(next.chunk);
    }
    regulate();
  }

  function regulate(): void {
    const isFull = heldBytes > maxHeldBytes || to.writableNeedDrain;
    if (fault.kind === "black-hole" || isFull) from.pause();
    else from.resume();
  }

  from.on("data", hold);
  from.on("end", () => hold(undefined));
  from.on("close", () => {
    isOver = held.length === 0;
    flush();
  });
  to.on("drain", regulate);
  return {
    apply(next: Fault): void {
      fault = next;
      // What was late is not later than the new fault says.
      for (const entry of held) if (next.kind !== "latency") entry.dueAt = 0;
      flush();
      regulate();
    },
  };
}
