import { randomCode, type RandomBytes } from "../../kernel/text/spoken-code.js";

/** "MN" and ten characters: 50 random bits, unique in the tenant by index. */
export function newTransactionCode(randomBytes: RandomBytes): string {
  return `MN${randomCode(10, randomBytes)}`;
}

/** "B-" and eight characters: 40 random bits, unique in the tenant by index. */
export function newBeneficiaryCode(randomBytes: RandomBytes): string {
  return `B-${randomCode(8, randomBytes)}`;
}
