import type { Installation } from "../../platform/plugins/installations.js";
import type { PluginCheck } from "../../platform/plugins/test-runs.js";
import { nameOfPair } from "../domain/guard-band.js";
import { rateSourceSettings } from "../domain/rate-source.js";
import type { RateDocument } from "../wire/rate-documents.js";
import { assertFresh, documentOf, type RateReading, type RateSources } from "./rate-sources.js";

// As much as is kept of what a check has seen.
const maxDetail = 300;

/** A check passes with what it has seen, or throws why it does not. */
type Check = () => Promise<string> | string;

/**
 * What is looked at before a source of rates may be enabled: it is asked for rates, and none is
 * used. What follows from a check that failed is left out.
 */
export async function checkRateSource(sources: Pick<RateSources, "get">, reading: RateReading): Promise<PluginCheck[]> {
  const { tenantId, installation, now, aheadMs } = reading;
  const settings = rateSourceSettings(installation.configuration);
  const { apiKey } = installation.secrets;
  const checks: PluginCheck[] = [];
  let answer: Awaited<ReturnType<RateSources["get"]>> | undefined;
  let document: RateDocument | undefined;

  async function run(name: string, check: Check, isLeftOut = false): Promise<void> {
    const startedAt = performance.now();
    const done = (result: PluginCheck["result"], detail: string) =>
      checks.push({ name, result, detail: cut(detail), durationMs: Math.round(performance.now() - startedAt) });
    if (isLeftOut) return void done("LEFT_OUT", "");
    try {
      done("PASSED", await check());
    } catch (error) {
      done("FAILED", (error as Error).message);
    }
  }

  await run("its times fit together", () => timesOf(settings));
  await run("the address answers", async () => {
    answer = await sources.get(tenantId, installation, apiKey);
    return "";
  });
  const isAway = answer === undefined;
  await run("a wrong key is refused", () => wrongKey(sources, tenantId, installation), isAway || apiKey === undefined);
  await run(
    "the document can be read",
    () => {
      document = documentOf(answer!, reading);
      return "";
    },
    isAway,
  );
  const isUnread = document === undefined;
  await run("every pair is there, with rates that can be used", () => usableOf(document!, settings.pairs), isUnread);
  await run(
    "the document is not too old",
    () => (assertFresh(document!, installation, new Date(now.getTime() - aheadMs)), document!.at.toISOString()),
    isUnread,
  );
  return checks;
}

/** The rates that were found, for whoever decides about it. */
function usableOf({ rates, faults }: RateDocument, pairs: readonly string[]): string {
  if (rates.length === 0 || faults.length > 0) {
    const why = faults.map(({ at, message }) => `${at}: ${message}`).join("; ");
    throw new Error(why === "" ? "there is no rate" : why);
  }
  const found = rates.map(({ rate }) => `${nameOfPair(rate)} ${rate.rate}`);
  return `${pairs.length === 0 ? `${rates.length} rates: ` : ""}${found.join(", ")}`;
}

async function wrongKey(
  sources: Pick<RateSources, "get">,
  tenantId: string,
  installation: Installation,
): Promise<string> {
  const { status } = await sources.get(tenantId, installation, "not-the-key-that-it-knows-us-by");
  if (status !== 401 && status !== 403) throw new Error(`is answered with status ${status}, not 401 or 403`);
  return "";
}

function timesOf({ everyMs, validForMs, staleAfterMs }: ReturnType<typeof rateSourceSettings>): string {
  if (validForMs <= everyMs) throw new Error("validForMinutes: rates end before they are read again");
  if (staleAfterMs < everyMs) throw new Error("staleAfterMinutes: the alarm comes before the next reading");
  return "";
}

const cut = (text: string) => (text.length <= maxDetail ? text : `${text.slice(0, maxDetail - 2)} …`);
