import { v7 as uuidv7 } from "uuid";
import {
  AddBankAccountRequest,
  AddBankAccountResponse,
  type BankAccount as WireBankAccount,
} from "../../../proto/gen/wallet/v1/bank_accounts.js";
import type { WalletServiceDefinition } from "../../../proto/gen/wallet/v1/wallet.js";
import type { AccountCheck } from "../../platform/banks/bank-connector.js";
import { toAlpha3 } from "../../kernel/codes/countries.js";
import { assertCurrency } from "../../kernel/codes/currencies.js";
import { outgoing } from "../../kernel/grpc/client.js";
import { requireUser, type Call } from "../../kernel/grpc/context.js";
import { isSameName } from "../../kernel/people/person-names.js";
import { Refusal } from "../../kernel/refusal.js";
import { textFromWire } from "../../kernel/text/wire-text.js";
import type { Handlers } from "../../kernel/grpc/server.js";
import { masked } from "../domain/account.js";
import { parseAccountNumber, parseBankCode, type BankAccount } from "../domain/bank-account.js";
import { whose, type WalletDeps } from "./deps.js";

/** Customers' own bank accounts, to which they withdraw. */
export function bankAccountHandlers({ store, runOnce, bank, identity, clock }: WalletDeps) {
  return {
    /**
     * Has the bank check an account, then keeps it. Refuses VERIFICATION_FAILED, ALREADY_EXISTS,
     * UNAVAILABLE while the bank does not answer.
     */
    async addBankAccount(request, call) {
      const customerId = whose(request.customerId, call);
      const { country, currency, bankCode, accountNumber, given } = parse(request);
      const { customer } = await identity.getCustomer({ customerId }, outgoing(call));
      const nameOnFile = `${customer?.firstName ?? ""} ${customer?.lastName ?? ""}`.trim();
      const accountHolderName = given === "" ? nameOnFile : given;
      if (!isSameName(accountHolderName, nameOnFile)) throw failed("the holder's name is not the customer's");
      const account: BankAccount = {
        bankAccountId: uuidv7(),
        customerId,
        bankName: "",
        bankCode,
        accountNumber,
        accountHolderName,
        currency,
        country,
        status: "VERIFIED",
        createdAt: clock.now(),
      };
      return runOnce<AddBankAccountRequest, AddBankAccountResponse, AccountCheck>({
        operation: "wallet.v1.AddBankAccount",
        request,
        requestType: AddBankAccountRequest,
        response: AddBankAccountResponse,
        call,
        prepare: () => {
          const { signal, tenantId } = call;
          return bank.checkAccount(account.bankAccountId, account, { tenantId, signal });
        },
        work: async (session, check) => {
          const wallet = store.forTenant(call.tenantId);
          if (await wallet.findSameBankAccount(account, session)) {
            throw new Refusal("ALREADY_EXISTS", "the customer has this bank account");
          }
          if (!check.isVerified) throw failed(`the bank says ${check.reason}`);
          const stored = { ...account, bankName: check.bankName };
          await wallet.insertBankAccount(stored, session);
          return { account: bankAccountToWire(stored) };
        },
      });
    },

    async listBankAccounts(request, call) {
      const accounts = await store.forTenant(call.tenantId).bankAccountsOf(whose(request.customerId, call));
      return { accounts: accounts.map(bankAccountToWire) };
    },

    /**
     * Gives the whole number to another service of ours. Refuses NOT_FOUND where it is not the
     * customer's.
     */
    async getBankAccount(request, call) {
      const customerId = whose(request.customerId, call);
      const account = await own(store, request.bankAccountId, customerId, call);
      return { account: { ...bankAccountToWire(account), accountNumber: account.accountNumber } };
    },

    /** Refuses NOT_FOUND, and FORBIDDEN where it is another customer's. */
    async removeBankAccount(request, call) {
      const { customerId = "" } = requireUser(call);
      const account = await own(store, request.bankAccountId, customerId, call, "FORBIDDEN");
      await store.forTenant(call.tenantId).removeBankAccount(account.bankAccountId);
      return { account: bankAccountToWire({ ...account, status: "REMOVED" }) };
    },
  } satisfies Partial<Handlers<WalletServiceDefinition>>;
}

function parse(request: AddBankAccountRequest) {
  const country = toAlpha3(request.country, "country");
  assertCurrency(request.currency, "currency");
  textFromWire(request.accountNumber, "accountNumber", { maximum: 64 });
  return {
    country,
    currency: request.currency,
    bankCode: parseBankCode(request.bankCode, country),
    accountNumber: parseAccountNumber(request.accountNumber, country),
    given: textFromWire(request.accountHolderName, "accountHolderName", { minimum: 0 }).trim(),
  };
}

function failed(why: string): Refusal {
  return new Refusal("VERIFICATION_FAILED", `the bank account could not be verified: ${why}`);
}

async function own(
  store: WalletDeps["store"],
  bankAccountId: string,
  customerId: string,
  call: Call,
  ofOthers: "FORBIDDEN" | "NOT_FOUND" = "NOT_FOUND",
) {
  textFromWire(bankAccountId, "bankAccountId");
  const account = await store.forTenant(call.tenantId).findBankAccount(bankAccountId);
  if (account === undefined) throw new Refusal("NOT_FOUND", "no such bank account");
  if (account.customerId !== customerId) throw new Refusal(ofOthers, "no such bank account of this customer");
  return account;
}

function bankAccountToWire({ accountNumber, ...account }: BankAccount): WireBankAccount {
  return { ...account, accountNumber: "", accountNumberMasked: masked(accountNumber) };
}
