import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Demo } from "../support/edge-client.js";
import { mustRun, wordsOf } from "./command.js";
import { startOutside, type Outside } from "./edge.js";
import { imageRef, releaseOf, testValues, type Release, type Values } from "./release.js";
import type { Test } from "./runner.js";
import { logIn, type Session } from "./world.js";

export type TestOf = Omit<Test, "group">;

/**
 * What the tests share: the release under test, the client outside, and what they have found out on
 * the way.
 */
export interface Suite {
  release: Release;
  values: Values;
  /**
   * Of the image under test; unlike any before, so that a pull policy of IfNotPresent takes the new
   * one.
   */
  tag: string;
  outside: Outside;
  scratch: string;
  /** Loads an archive into the cluster. */
  loadImage(archive: string): Promise<void>;
  base(): Promise<string>;
  demo(): Promise<Demo>;
  /** Logs in anew: sessions of earlier tests may be over. */
  logIn(email: string): Promise<Session>;
  close(): Promise<void>;
}

/** Starts the client outside; installs nothing. */
export async function startSuite(): Promise<Suite> {
  const revision = execFileSync("git", ["rev-parse", "--short=12", "HEAD"], { encoding: "utf8" }).trim();
  const tag = process.env["TAG"] || `${revision}-${Date.now().toString(36)}`;
  const release = releaseOf(process.env["RELEASE"] || "manilla-test");
  const outside = startOutside();
  const scratch = mkdtempSync(join(tmpdir(), "manilla-k8s-"));
  let demo: Promise<Demo> | undefined;
  const suite: Suite = {
    release,
    values: testValues(tag),
    tag,
    outside,
    scratch,
    async loadImage(archive) {
      await mustRun([...wordsOf("LOAD_IMAGE", "kind load image-archive"), archive]);
    },
    // Asked each time: a release that is installed anew may get another port.
    base: () => release.baseUrl(),
    demo: () => (demo ??= release.readDemo(imageRef(tag))),
    async logIn(email) {
      return logIn(outside, await suite.base(), await suite.demo(), email);
    },
    async close() {
      outside.close();
      rmSync(scratch, { recursive: true, force: true });
      if (!process.env["KEEP"]) await release.namespace.remove();
    },
  };
  return suite;
}
