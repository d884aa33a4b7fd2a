import { formatMoney, type Money } from "../../kernel/money.js";

/** Decimal text of a limit in the currency of the amount that it is compared with. */
export const limitText = (minor: bigint, { currency }: Money): string => formatMoney({ minor, currency });
