import {
  PutChartMappingRequest,
  PutChartMappingResponse,
  type ChartMapping as WireMapping,
  type MappedCode,
  type PackageServiceDefinition,
} from "../../../proto/gen/ledger/v1/packages.js";
import { actorOf } from "../../kernel/grpc/context.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { isDuplicateKey } from "../../kernel/mongo/transaction.js";
import { invalidInput, passing, Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import { hasHiddenCharacters } from "../../kernel/text/visible-text.js";
import { chartCodes, chartRow } from "../domain/chart.js";
import { missingCodes, type ChartMapping, type OwnAccount } from "../domain/closing.js";
import { createKnownAccounts, readPackagePage } from "../jobs/package-pages.js";
import { cursorOf, positionOf } from "../wire/cursor.js";
import type { LedgerDeps } from "./deps.js";

const allCodes = chartCodes().map(({ code }) => code);
// A package is built in seconds to a minute.
const againAfterS = 5;

/** Packages of closings, and the tenant's own chart that they speak in. */
export function packageHandlers({ store, periods, packages, runOnce, clock }: LedgerDeps) {
  const knownOf = createKnownAccounts();
  return {
    async readPackageFile({ number, file, cursor }, call) {
      const closing = await periods.forTenant(call.tenantId).find(number);
      if (closing === undefined) throw new Refusal("NOT_FOUND", `no closing ${number}`);
      if (closing.package.status !== "DONE") throw passing("STATE_CONFLICT", "its package is being built", againAfterS);
      if (!closing.package.files.some(({ name }) => name === file)) throw new Refusal("NOT_FOUND", `no file ${file}`);
      const scope = ["package", call.tenantId, number, file];
      const { tenantId } = call;
      const tenant = {
        journal: store.forTenant(tenantId),
        parts: packages.forTenant(tenantId),
        known: knownOf(tenantId),
      };
      const { text, next } = await readPackagePage(tenant, closing, file, positionOf(scope, cursor));
      return { content: Buffer.from(text), nextCursor: next === undefined ? "" : cursorOf(scope, next) };
    },

    async getChartMapping({ version }, call) {
      const tenant = packages.forTenant(call.tenantId);
      const mapping = await tenant.findMapping(version === 0 ? undefined : version);
      if (mapping === undefined) throw new Refusal("NOT_FOUND", `no version ${version} of the mapping`);
      const missing = await store.forTenant(call.tenantId).usedOf(missingCodes(mapping, allCodes));
      return { mapping: mappingToWire(mapping), missing };
    },

    async putChartMapping(request, call) {
      const codes = codesFromWire(request.codes);
      return runOnce({
        operation: "put-chart-mapping",
        request,
        requestType: PutChartMappingRequest,
        response: PutChartMappingResponse,
        call,
        work: async (session) => {
          try {
            const by = { changedBy: actorOf(call), changedAt: clock.now() };
            return { mapping: mappingToWire(await packages.forTenant(call.tenantId).addMapping(codes, by, session)) };
          } catch (error) {
            throw isDuplicateKey(error) ? passing("STATE_CONFLICT", "another mapping is being put") : error;
          }
        },
      });
    },
  } satisfies Partial<Handlers<PackageServiceDefinition>>;
}

/** Refuses INVALID_INPUT for a code that the chart lacks or that stands twice. */
function codesFromWire(wire: readonly MappedCode[]): Map<string, OwnAccount> {
  if (wire.length < 1 || wire.length > allCodes.length)
    throw invalidInput("codes", `must hold 1 to ${allCodes.length}`);
  const codes = new Map<string, OwnAccount>();
  for (const [index, { code, account, name }] of wire.entries()) {
    const path = `codes[${index}]`;
    if (chartRow(code) === undefined) throw invalidInput(`${path}.code`, "is not a code of the chart of accounts");
    if (codes.has(code)) throw invalidInput(`${path}.code`, "stands twice");
    codes.set(code, {
      account: wordsFromWire(account, 40, `${path}.account`),
      name: wordsFromWire(name, 100, `${path}.name`),
    });
  }
  return codes;
}

function wordsFromWire(given: string, maximum: number, path: string): string {
  const text = textFromWire(given.trim(), path, { maximum });
  if (hasHiddenCharacters(text)) throw invalidInput(path, "must not hold control characters or invisible ones");
  return text;
}

function mappingToWire({ version, codes, changedBy = "", changedAt }: ChartMapping): WirePartial<WireMapping> {
  const listed = [...codes].map(([code, own]) => ({ code, ...own })).toSorted((a, b) => (a.code < b.code ? -1 : 1));
  return { version, codes: listed, changedBy, ...(changedAt !== undefined && { changedAt }) };
}
