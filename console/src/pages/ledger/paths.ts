// Ids of accounts and transfers are of any text: bank_settlement:USD, a key with slashes.
export const accountPage = (id: string): string => `/ledger/accounts/${encodeURIComponent(id)}`;
export const transferPage = (id: string): string => `/ledger/transfers/${encodeURIComponent(id)}`;
