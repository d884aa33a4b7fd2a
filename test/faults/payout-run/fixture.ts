import type { DemoUser } from "../../support/edge-client.js";
import type { Fixture, FixtureCustomer } from "../../../deploy/seed/fixture-schema.js";
import { isNuban } from "../../../services/remittance/domain/account-checks.js";

export const tenantId = "faults";
export const openingBalance = "50000.00";
const customerCount = 8;

const letters = ["Ama", "Bola", "Chika", "Dele", "Efe", "Femi", "Gozie", "Hauwa"];

function customer(index: number): FixtureCustomer {
  const firstName = letters[index % letters.length]!;
  return {
    email: `${firstName.toLowerCase()}${index}@faults.example`,
    password: `Faults-Customer-${index}`,
    firstName,
    lastName: "Okoro",
    phoneNumber: `+1202555${String(100 + index).padStart(4, "0")}`,
    country: "USA",
    code: `C-${index}`,
    status: "CONFIRMED",
    wallets: [
      { currency: "USD", openingBalance },
      { currency: "NGN", openingBalance },
    ],
    bankAccounts: [{ country: "NGA", currency: "NGN", bankCode: "058", accountNumber: String(1_000_001_111 + index) }],
    beneficiaries: [
      {
        code: `B-${index}`,
        firstName: "Chidi",
        lastName: "Okafor",
        country: "NGA",
        currency: "NGN",
        deliveryMethods: ["ACCOUNTPAYMENT"],
        creditParty: {
          bankname: "First Bank of Nigeria",
          bankaccountno: accountNumber(index),
          accountholdername: "Chidi Okafor",
          bankcode: "011",
        },
      },
    ],
  };
}

/** Of the bank 011: nine digits and the one that checks them. */
function accountNumber(index: number): string {
  const nine = `3001234${String(index).padStart(2, "0")}`;
  const checked = Array.from({ length: 10 }, (_, digit) => `${nine}${digit}`).find((number) => isNuban("011", number));
  if (checked === undefined) throw new Error(`${nine} has no check digit`);
  return checked;
}

/**
 * One tenant with customers who each have wallets full of dollars and naira, a bank account and
 * somebody in Nigeria.
 */
export const fixture: Fixture = {
  tenants: [
    {
      id: tenantId,
      name: "Faults",
      hosts: ["localhost", "127.0.0.1"],
      preference: {
        baseCurrency: "USD",
        currencies: ["USD", "NGN"],
        countries: ["USA", "NGA"],
        timeZone: "Africa/Lagos",
        locale: "en-NG",
        transactionPasswordRequired: false,
      },
      compliance: {
        dailyLimits: [
          { amount: "1000000.00", currency: "USD" },
          { amount: "1000000.00", currency: "NGN" },
        ],
      },
      corridors: [
        {
          originCountry: "USA",
          sendCurrency: "USD",
          receivingCountry: "NGA",
          receivingCurrency: "NGN",
          types: ["ACCOUNTPAYMENT"],
          minimumAmount: "1.00",
          maximumAmount: "15000.00",
          fees: [{ name: "Transfer fee", fixed: "2.00", rateBps: 50, maximum: "25.00", taxBps: 750 }],
        },
      ],
      rates: [{ sendCurrency: "USD", receivingCurrency: "NGN", rate: "1525.75", source: "faults" }],
      staff: [
        { email: "manager@faults.example", password: "Faults-Manager-1", role: "MANAGER", name: "Ngozi Manager" },
        { email: "manager2@faults.example", password: "Faults-Manager-2", role: "MANAGER", name: "Obi Manager" },
        { email: "cashier@faults.example", password: "Faults-Cashier-1", role: "CASHIER", name: "Chi Cashier" },
      ],
      customers: Array.from({ length: customerCount }, (_, index) => customer(index)),
    },
  ],
};

/** The fixture's customers as clients of the edge know themselves. */
export const customers: readonly DemoUser[] = fixture.tenants[0]!.customers!.map((one) => ({
  email: one.email,
  password: one.password,
  role: "CUSTOMER",
  userId: "",
  customerCode: one.code,
  country: one.country,
  beneficiaries: one.beneficiaries!.map((beneficiary) => ({
    code: beneficiary.code,
    name: `${beneficiary.firstName} ${beneficiary.lastName}`,
    country: beneficiary.country,
    currency: beneficiary.currency,
    deliveryMethods: beneficiary.deliveryMethods,
    creditParty: Object.entries(beneficiary.creditParty).map(([key, value]) => ({ key, value })),
  })),
}));

/** Two managers and a cashier. */
export const staff: readonly DemoUser[] = fixture.tenants[0]!.staff!.map(({ email, password, role }) => ({
  email,
  password,
  role,
  userId: "",
}));
