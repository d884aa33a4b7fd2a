import type {
  GetTotalsRequest,
  GetTotalsResponse,
  InvestmentServiceDefinition,
  RateUsed,
} from "../../../proto/gen/investment/v1/investment.js";
import { divideMoney, multiplyMoney, parseDecimal } from "../../kernel/decimal.js";
import { outgoing } from "../../kernel/grpc/client.js";
import type { Call } from "../../kernel/grpc/context.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { addMoney, money, moneyToWire, type Money } from "../../kernel/money.js";
import { Refusal } from "../../kernel/refusal.js";
import { uuidFromWire } from "../wire/values.js";
import type { InvestmentDeps } from "./deps.js";

type Deps = Pick<InvestmentDeps, "store" | "people" | "preferences" | "remittance" | "businessClock">;

const maxRatesKnown = 10_000;

/**
 * Sums of a user's investments in the tenant's base currency: each currency's sums are kept, and
 * converted here at the rate of the moment, half-even to the minor unit. The rates that were used
 * are in the answer and kept. Refuses FORBIDDEN, CUSTOMER_NOT_FOUND, RATE_NOT_AVAILABLE.
 */
export function totalsHandlers(deps: Deps) {
  const { store, people, preferences } = deps;
  const known = new Set<string>();

  /** Written when it is first used; how often is not counted. */
  async function keep(tenantId: string, used: RateUsed): Promise<void> {
    const { fromCurrency: from, toCurrency: to, rate, source, validFrom = new Date(0) } = used;
    const id = [tenantId, from, to, rate, validFrom.toISOString()].join(" ");
    if (known.has(id)) return;
    const firstUsedAt = (await deps.businessClock.forTenant(tenantId)).now();
    await store.forTenant(tenantId).keepRate({ from, to, rate, source, validFrom, firstUsedAt });
    if (known.size >= maxRatesKnown) known.clear();
    known.add(id);
  }

  async function askRate(fromCurrency: string, toCurrency: string, call: Call): Promise<RateUsed> {
    const { rate, source, validFrom } = await deps.remittance.getExchangeRate(
      { fromCurrency, toCurrency },
      outgoing(call),
    );
    return { fromCurrency, toCurrency, rate, source, validFrom };
  }

  /**
   * The rate into the base currency; where only the one out of it is published, that one, to divide
   * by.
   */
  async function rateOf(currency: string, baseCurrency: string, call: Call): Promise<RateUsed> {
    return askRate(currency, baseCurrency, call).catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.code !== "RATE_NOT_AVAILABLE") throw error;
      return askRate(baseCurrency, currency, call).catch((second: unknown) => {
        throw second instanceof Refusal && second.code === "RATE_NOT_AVAILABLE" ? error : second;
      });
    });
  }

  return {
    async getTotals(request: GetTotalsRequest, call: Call): Promise<GetTotalsResponse> {
      const customerId = await people.whoseUser(uuidFromWire(request.userId, "userId"), call);
      const [rows, { baseCurrency }] = await Promise.all([
        store.forTenant(call.tenantId).totalsOf(customerId),
        preferences.of(call),
      ]);
      const held = rows.filter(({ principalMinor, interestMinor }) => principalMinor !== 0n || interestMinor !== 0n);
      let invested: Money = money(0n, baseCurrency);
      let interest: Money = money(0n, baseCurrency);
      const rates: RateUsed[] = [];
      for (const { currency, principalMinor, interestMinor } of held) {
        const used = currency === baseCurrency ? undefined : await rateOf(currency, baseCurrency, call);
        const rate = parseDecimal(used?.rate ?? "1", "rate");
        const convert = used?.fromCurrency === baseCurrency ? divideMoney : multiplyMoney;
        const inBase = (minor: bigint) => convert({ minor, currency }, rate, baseCurrency, "half-even");
        invested = addMoney(invested, inBase(principalMinor));
        interest = addMoney(interest, inBase(interestMinor));
        if (used === undefined) continue;
        await keep(call.tenantId, used);
        rates.push(used);
      }
      return { invested: moneyToWire(invested), accruedInterest: moneyToWire(interest), rates };
    },
  } satisfies Partial<Handlers<InvestmentServiceDefinition>>;
}
