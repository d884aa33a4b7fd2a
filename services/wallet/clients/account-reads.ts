import type {
  GetAccountsRequest,
  GetAccountsResponse,
  LedgerServiceDefinition,
} from "../../../proto/gen/ledger/v1/ledger.js";
import { batchCalls } from "../../kernel/grpc/batch-calls.js";
import type { Client } from "../../kernel/grpc/client.js";
import type { WirePartial } from "../../kernel/grpc/definition.js";

type LedgerClient = Client<LedgerServiceDefinition>;
type Request = WirePartial<GetAccountsRequest>;

const maxAccounts = 64;

/**
 * The ledger with reads of accounts batched. Each question has its accounts in the order asked, all
 * of one moment. An account that several ask for is one object: nobody may change it.
 */
export function batchAccountReads<L extends Pick<LedgerClient, "getAccounts">>(ledger: L): L {
  const getAccounts = batchCalls<Request, GetAccountsResponse>({
    what: "read of accounts",
    single: (request, call) => ledger.getAccounts(request, call),
    async batch(questions, call) {
      const wanted = questions.map(({ request: { accountIds = [] } }) => [...new Set(accountIds)]);
      const { accounts } = await ledger.getAccounts({ accountIds: [...new Set(wanted.flat())] }, call);
      const found = new Map(accounts.map((account) => [account.accountId, account]));
      return wanted.map((ids) => ({ response: { accounts: ids.flatMap((id) => found.get(id) ?? []) } }));
    },
    maxBatchSize: maxAccounts,
    // A second call in flight would only split those that wait into smaller ones.
    maxInFlight: 1,
    // Who asks for none goes alone, and is refused.
    weightOf: ({ accountIds = [] }) => accountIds.length || maxAccounts,
  });
  return { ...ledger, getAccounts };
}
