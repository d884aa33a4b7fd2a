/** Plain names for what the contract spells oddly. The wire keeps its own. */
export const plainNames: Readonly<Record<string, string>> = {
  inclussive: "inclusive",
  payAbleId: "payableId",
  paymentAccountNumbeCurrencyCode: "paymentAccountNumberCurrencyCode",
  dormAccountRequestDTO: "domiciliaryAccounts",
  dormAccountResponseDTO: "domiciliaryAccounts",
  totalInvestmentsResponseDto: "invested",
  interestAccruedResponseDto: "interestAccrued",
  access_token: "accessToken",
  refresh_token: "refreshToken",
  expires_in: "expiresIn",
  tenant_id: "tenantId",
  customer_id: "customerId",
  msg_note: "note",
  msg_code: "code",
  msg_code_id: "codeId",
};
