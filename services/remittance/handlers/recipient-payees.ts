import type { Call } from "../../kernel/grpc/context.js";
import { passing } from "../../kernel/refusal.js";
import { nameOf, type Beneficiary } from "../domain/beneficiary.js";
import {
  checkedMethodsOf,
  isSameQuestion,
  payeeQuestions,
  saysSomething,
  type PayeeQuestion,
  type PayeeVerdict,
} from "../domain/payee-check.js";
import type { DeliveryMethod } from "../domain/corridor.js";
import type { RemittanceStore } from "../store/index.js";
import type { BeneficiaryContent } from "../wire/beneficiaries.js";
import type { PayeeDesk, PayeeRequest } from "./payee-desk.js";

/** What came of a recipient's account, and of which account that was. */
export interface CheckedRecipient {
  questions: readonly PayeeQuestion[];
  verdict?: PayeeVerdict;
}

interface RecipientRequest extends Pick<PayeeRequest, "customerId" | "payeeCheckId" | "operation" | "idempotencyKey"> {
  content: BeneficiaryContent;
  /** As it is on file; absent where it is new. */
  before?: Beneficiary;
}

export type RecipientPayees = ReturnType<typeof createRecipientPayees>;

/** Has accounts looked at before a recipient is saved, where a corridor to them says so. */
export function createRecipientPayees({
  store,
  payees,
}: {
  store: Pick<RemittanceStore, "forTenant">;
  payees: Pick<PayeeDesk, "check">;
}) {
  return {
    /** What was said stays where nothing that it is about changes. Refuses as the desk does. */
    async check({ content, before, ...request }: RecipientRequest, call: Call): Promise<CheckedRecipient> {
      const questions = allQuestions(content);
      const known = before && isSame(questions, allQuestions(before)) ? before.payeeCheck : undefined;
      if (request.payeeCheckId === "" && known !== undefined && saysSomething(known)) {
        return { questions, verdict: known };
      }
      const { country: receivingCountry } = content;
      const corridors = await store.forTenant(call.tenantId).listCorridors({ receivingCountry });
      const methods = checkedMethodsOf(corridors, content);
      // A warning that was read stands although the setting was turned off meanwhile.
      const isNamed = methods.length === 0 && request.payeeCheckId !== "";
      const asked = {
        ...request,
        path: "payeeCheckId",
        questions: questionsOf(content, isNamed ? content.deliveryMethods : methods),
      };
      const verdict = await payees.check(asked, call);
      return { questions, ...(verdict !== undefined && { verdict }) };
    },

    /** Refuses STATE_CONFLICT, which passes, where another account was looked at. */
    assertChecked(content: BeneficiaryContent, { questions }: CheckedRecipient): void {
      if (isSame(questions, allQuestions(content))) return;
      throw passing("STATE_CONFLICT", "the recipient is being changed by somebody else");
    },
  };
}

type Content = Pick<BeneficiaryContent, "firstName" | "lastName" | "country" | "currency" | "creditParty" | "details">;

function questionsOf(content: Content, methods: readonly DeliveryMethod[]): PayeeQuestion[] {
  const { country, currency, creditParty, details } = content;
  return payeeQuestions(creditParty, methods, { country, currency, name: nameOf(content), kind: details?.kind });
}

function allQuestions(content: Content & Pick<BeneficiaryContent, "deliveryMethods">): PayeeQuestion[] {
  return questionsOf(content, content.deliveryMethods);
}

function isSame(ours: readonly PayeeQuestion[], theirs: readonly PayeeQuestion[]): boolean {
  return ours.length === theirs.length && ours.every((one, index) => isSameQuestion(one, theirs[index]!));
}
