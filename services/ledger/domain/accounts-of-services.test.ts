import { mayDebit } from "./accounts.js";
import { chartCodes, isOfServiceAlone } from "./chart.js";

test("people post to no account of customers or agents: whose service keeps what they have", () => {
  const alone = chartCodes().filter(({ code }) => isOfServiceAlone(code));
  expect(alone.map(({ code }) => code)).toEqual(
    expect.arrayContaining(["customer_wallet", "agent_account", "agent_unsettled", "agent_commission"]),
  );
  for (const { code, service } of alone) {
    expect([code, mayDebit({ code, service }, "ledger"), mayDebit({ code, service }, service)]).toEqual([
      code,
      false,
      true,
    ]);
  }
  expect(isOfServiceAlone("commission_payable")).toBe(false);
});
