import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "./index.js";
import type { Mortal } from "./mortal.js";

/** Replicas of one service, and where they may die. */
export interface Doomed {
  readonly mortals: readonly Mortal[];
  readonly points: readonly string[];
  /** Shared by all of them. */
  readonly pointFile: string;
}

export interface KillersOptions {
  readonly doomed: readonly Doomed[];
  /** How long a busy machine may take until two replicas serve. */
  readonly patienceMs: number;
  /** Grows with what they get done. */
  progress(): number;
  /** Nobody is killed any more. */
  isOver(): boolean;
}

export const anyOf = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)]!;

/**
 * So much is done between two deaths at one point: each is died at about as often, and whoever is
 * killed faster than a busy machine works gets nowhere.
 */
const progressBetween = 12;
const longestWaitMs = 20_000;

/**
 * Kills replicas, several at the same time: of every service whoever comes first to a point of it,
 * with -9, and beside that anybody anywhere, with -9 or asked to, as when Kubernetes rolls. Who is
 * killed last of a service is not killed before another of it serves again.
 */
export function createKillers({ doomed, patienceMs, progress, isOver }: KillersOptions) {
  const died: Record<string, number> = {};
  const deaths = () => doomed.flatMap(({ mortals }) => mortals).reduce((sum, one) => sum + one.deaths(), 0);

  const serving = ({ mortals }: Doomed) => mortals.filter((one) => one.serves());
  const twoServe = (service: Doomed) =>
    waitFor(() => serving(service).length >= 2, { timeoutMs: patienceMs, what: `two of ${service.pointFile}` });

  async function waitUntil(isThere: () => boolean): Promise<boolean> {
    const until = performance.now() + longestWaitMs;
    while (!isThere() && performance.now() < until && !isOver()) await sleep(10);
    return isThere();
  }

  function killAnywhere(service: Doomed): Promise<void> {
    const signal = anyOf(["SIGKILL", "SIGTERM"] as const);
    return anyOf(serving(service)).kill(signal);
  }

  /** Where it next passes the point, or anywhere where nobody comes there. */
  async function killAtPoint(service: Doomed): Promise<void> {
    const { pointFile } = service;
    const point = anyOf(service.points);
    // In one step: they read it at every point. Who dies there removes it.
    writeFileSync(`${pointFile}.new`, point);
    renameSync(`${pointFile}.new`, pointFile);
    const isGone = () => !existsSync(pointFile);
    if (await waitUntil(isGone)) {
      died[point] = (died[point] ?? 0) + 1;
      return;
    }
    rmSync(pointFile, { force: true });
    await anyOf(service.mortals).kill("SIGKILL");
  }

  return {
    /** How many have died at each point. */
    died,
    deaths,
    /** Until so many more have died, or it is over. */
    async kill(count: number): Promise<void> {
      const enough = deaths() + count;
      const killing = async (service: () => Doomed, kill: (one: Doomed) => Promise<void>) => {
        while (deaths() < enough && !isOver()) {
          const next = service();
          await twoServe(next);
          await kill(next);
          const before = progress();
          await waitUntil(() => progress() >= before + progressBetween / next.points.length);
        }
      };
      const everybody = doomed.flatMap((service) => service.mortals.map(() => service));
      const atPoints = doomed.map((service) => killing(() => service, killAtPoint));
      await Promise.all([...atPoints, killing(() => anyOf(everybody), killAnywhere)]);
    },
  };
}
