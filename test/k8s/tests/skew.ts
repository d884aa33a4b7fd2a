import { existsSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { mustRun, runAny } from "../command.js";
import { startTraffic } from "../load.js";
import { imageRef, type Values } from "../release.js";
import { check, Skip } from "../runner.js";
import type { Suite, TestOf } from "../suite.js";
import { report } from "./rolling.js";

const perSecond = 25;
// Databases of versions before this file have other migrations, and nothing that was released reads
// them.
const upgradableSince = "services/ledger/store/migrations.ts";

export function skewTests(suite: Suite): TestOf[] {
  const { release, values } = suite;
  const oldTag = `${suite.tag}-before`;

  const withTag = (tag: string): Values => ({ ...values, image: { ...(values["image"] as object), tag } });

  async function rollTo(tag: string): Promise<void> {
    await release.upgrade(withTag(tag), ["--wait", "--timeout", "15m"]);
    await release.ready();
    await sleep(10_000);
  }

  return [
    {
      name: "the last landed version and this one serve side by side: rolled forward and back under load",
      async run() {
        const revision = await landedRevision();
        await loadImageOf(revision);
        await rollTo(oldTag);
        const stop = await startTraffic(suite, perSecond);
        try {
          await rollTo(suite.tag);
          await rollTo(oldTag);
        } finally {
          // Ended with the version under test, whatever came before.
          await release.upgrade(values, ["--wait", "--timeout", "15m"]);
          await release.ready();
        }
        const outcome = await stop();
        return `${revision.slice(0, 12)} → now → back: ${report(outcome, perSecond)}`;
      },
    },
  ];

  async function loadImageOf(revision: string): Promise<void> {
    const folder = join(suite.scratch, "before");
    await mustRun(["git", "clone", "--quiet", "--shared", ".", folder]);
    await mustRun(["git", "-C", folder, "checkout", "--quiet", revision]);
    if (!existsSync(join(folder, upgradableSince))) {
      throw new Skip(`${revision.slice(0, 12)} comes before ${upgradableSince}: no version upgrades from it`);
    }
    const same = (await mustRun(["git", "diff", "--name-only", revision, "--", "package-lock.json"])) === "";
    if (same) symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    else await mustRun(["npm", "ci", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error"]);
    const archive = join(suite.scratch, "before.tar");
    const script = join(folder, "deploy", "image", "archive.mjs");
    await mustRun([process.execPath, script, "--name", imageRef(oldTag), "--out", archive]);
    await suite.loadImage(archive);
  }

  /**
   * The last landed version: SKEW_FROM, else where this work left origin/main; on origin/main
   * itself the last tag before it, else the commit before it.
   */
  async function landedRevision(): Promise<string> {
    const given = process.env["SKEW_FROM"];
    if (given) return given;
    const head = await revisionOf(["rev-parse", "HEAD"]);
    const landed = await revisionOf(["merge-base", "HEAD", "origin/main"]);
    if (landed !== undefined && landed !== head) return landed;
    const tag = await revisionOf(["describe", "--tags", "--abbrev=0", "HEAD~1"]);
    const before = await revisionOf(["rev-parse", `${tag ?? "HEAD~1"}^{commit}`]);
    check(before !== undefined, "there is no commit before this one");
    return before;
  }

  /** What git prints; undefined where it fails, as without a remote or a tag. */
  async function revisionOf(words: string[]): Promise<string | undefined> {
    const { status, stdout } = await runAny(["git", ...words]);
    return status === 0 ? stdout.trim() : undefined;
  }
}
