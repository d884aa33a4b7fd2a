/** As docs/remittance.md has them: what a partner needs of the recipient, by delivery. */
export const partyKeys: Readonly<Record<string, readonly { key: string; isRequired: boolean }[]>> = {
  ACCOUNTPAYMENT: [
    { key: "bankname", isRequired: false },
    { key: "bankcode", isRequired: false },
    { key: "swiftbic", isRequired: false },
    { key: "bankaccountno", isRequired: true },
    { key: "accountholdername", isRequired: true },
  ],
  MOBILE_MONEY: [
    { key: "mobileoperator", isRequired: true },
    { key: "mobilenumber", isRequired: true },
    { key: "accountholdername", isRequired: true },
  ],
  CASH_PICKUP: [
    { key: "payoutpointid", isRequired: true },
    { key: "recipientname", isRequired: true },
  ],
  WALLET: [{ key: "walletaccountno", isRequired: true }],
};

export const purposes = ["FAMILY_SUPPORT", "EDUCATION", "MEDICAL", "GIFT", "SALARY", "GOODS_AND_SERVICES", "SAVINGS"];
export const sources = ["SALARY", "BUSINESS", "SAVINGS", "PENSION", "GIFT", "LOAN"];

/** What was typed of a party, as the API takes it: what is empty is left out. */
export function partyOf(typed: Readonly<Record<string, string>>): { key: string; value: string }[] {
  return Object.entries(typed).flatMap(([key, value]) => (value.trim() === "" ? [] : [{ key, value: value.trim() }]));
}
