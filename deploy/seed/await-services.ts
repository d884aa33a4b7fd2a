import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { StartError } from "../local/start-error.js";

/**
 * Waits until every address ("host:port") takes connections, at most `waitS` seconds together: an
 * install starts the services and whoever seeds them at once. Throws a StartError that names those
 * that do not answer.
 */
export async function awaitServices(
  addresses: readonly string[],
  waitS: number,
  say: (line: string) => void,
): Promise<void> {
  const giveUpAt = performance.now() + waitS * 1_000;
  let missing = addresses;
  for (;;) {
    const answers = await Promise.all(missing.map(takesConnections));
    const still = missing.filter((_address, index) => !answers[index]);
    if (still.length === 0) return;
    if (performance.now() >= giveUpAt) throw new StartError(`${still.join(", ")} did not answer within ${waitS} s.`);
    if (still.length < missing.length || missing === addresses) say(`waiting for ${still.join(", ")}`);
    missing = [...still];
    await pause(1_000);
  }
}

/** Whether somebody listens there. A name that is not known yet is nobody. */
function takesConnections(address: string): Promise<boolean> {
  const at = address.lastIndexOf(":");
  const socket = connect({ host: address.slice(0, at), port: Number(address.slice(at + 1)), timeout: 3_000 });
  return new Promise((resolve) => {
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
}
