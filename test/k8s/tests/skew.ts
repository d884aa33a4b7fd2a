import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { coresOfCluster } from "../cluster.js";
import { mustRun, runAny } from "../command.js";
import { startTraffic } from "../load.js";
import { chart, imageRef, type Values } from "../release.js";
import { check, Skip } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";
import { boundOfAtOnce, report } from "./rolling.js";

const patience = ["--wait", "--timeout", "15m"];
// Databases of versions before this file have other migrations, and nothing that was released reads
// them.
const upgradableSince = "services/compliance/screening/domain/subject-hold.ts";

/** What the version under test is rolled from and back to. */
interface Earlier {
  revision: string;
  /** Its tag, where it was released. */
  tag: string | undefined;
}

export function skewTests(suite: Suite): TestOf[] {
  const { release, values } = suite;
  const oldTag = `${suite.tag}-before`;
  const folder = join(suite.scratch, "before");

  async function settled(): Promise<void> {
    await release.ready();
    await sleep(10_000);
  }

  return [
    {
      name: "the last release and this version serve side by side, chart and image: rolled forward and back under load",
      async run() {
        const earlier = await earlierVersion();
        await loadImageOf(earlier);
        const withOldTag: Values = { ...values, image: { ...(values["image"] as object), tag: oldTag } };
        // Only a release promises its chart; of other revisions the image alone is tried.
        const oldChart = earlier.tag === undefined ? chart : join(folder, "charts", "manilla");
        await release.upgrade(withOldTag, patience, oldChart);
        await settled();
        // An upgrade starts all Deployments at once.
        const bound = boundOfAtOnce(await coresOfCluster());
        const stop = await startTraffic(suite, bound.perSecond);
        try {
          await release.upgrade(values, patience);
          await settled();
          // As an operator goes back: Helm has kept the old chart.
          await release.rollback(patience);
          await settled();
        } finally {
          // Ended with the version under test, whatever came before.
          await release.upgrade(values, patience);
          await release.ready();
        }
        const outcome = await stop();
        const what = earlier.tag ? `${earlier.tag}, chart and image` : `${earlier.revision.slice(0, 12)}, image`;
        return `${what} → now → back → now: ${report(outcome, bound)}`;
      },
    },
  ];

  async function loadImageOf({ revision, tag }: Earlier): Promise<void> {
    await mustRun(["git", "clone", "--quiet", "--shared", ".", folder]);
    await mustRun(["git", "-C", folder, "checkout", "--quiet", revision]);
    if (tag === undefined && !existsSync(join(folder, upgradableSince))) {
      throw new Skip(`${revision.slice(0, 12)} comes before ${upgradableSince}: no version upgrades from it`);
    }
    // Its own packages: a link to those here leads the bill of materials out of its folder.
    await mustRun(["npm", "ci", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error"]);
    const archive = join(suite.scratch, "before.tar");
    const script = join(folder, "deploy", "image", "archive.mjs");
    await mustRun([process.execPath, script, "--name", imageRef(oldTag), "--out", archive]);
    await suite.loadImage(archive);
  }

  /**
   * SKEW_FROM, else the last release before HEAD, else where this work left origin/main, else the
   * commit before.
   */
  async function earlierVersion(): Promise<Earlier> {
    const requested = process.env["SKEW_FROM"] || (await releaseBefore("HEAD~1")) || (await landedRevision());
    const revision = await ask(["rev-parse", "--verify", `${requested}^{commit}`]);
    check(revision !== undefined, `there is no commit ${requested}`);
    return { revision, tag: await releaseBefore(revision, "--exact-match") };
  }

  /** The nearest release tag at or before a revision. */
  function releaseBefore(revision: string, ...more: string[]): Promise<string | undefined> {
    return ask(["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", ...more, revision]);
  }

  async function landedRevision(): Promise<string> {
    const head = await ask(["rev-parse", "HEAD"]);
    const landed = await ask(["merge-base", "HEAD", "origin/main"]);
    return landed !== undefined && landed !== head ? landed : "HEAD~1";
  }

  /** What git prints; undefined where it fails, as without a remote or a tag. */
  async function ask(words: string[]): Promise<string | undefined> {
    const { status, stdout } = await runAny(["git", ...words]);
    return status === 0 ? stdout.trim() : undefined;
  }
}
