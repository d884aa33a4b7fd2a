import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Page, Stack } from "../../ui/page";
import { Loaded } from "../../ui/panels";
import { Tabs, type Tab } from "../../ui/tabs";
import { WhyHeld } from "../compliance/why";
import { CustomerActions } from "./actions";
import { Beneficiaries } from "./beneficiaries";
import { Documents } from "./documents";
import { CustomerCases, CustomerTransactions, Holdings, Loans } from "./history";
import { toneOfStatus } from "./list";
import { Profile } from "./profile";
import { Requirements } from "./requirements";
import { RiskHistory } from "./risk";
import { texts } from "./texts";
import type { Customer } from "./types";
import { Wallets } from "./wallets";

export default function CustomerPage() {
  const t = useTexts(texts);
  const { customerId } = useParams({ strict: false }) as { customerId: string };
  const customer = useQuery(
    read("customers", "readCustomer", { customerId }, (options) => api.people.readCustomer(customerId, options)),
  );
  const { data } = customer;
  return (
    <Page
      title={data ? `${data.firstName} ${data.lastName}` : t.customer}
      badge={data && <StatusBadge status={data.status} tone={toneOfStatus(data.status)} />}
      about={data && [data.customerCode, data.email].filter(Boolean).join(" · ")}
      back={{ to: "/customers", label: t.title }}
      actions={data && <CustomerActions customer={data} />}
    >
      <Loaded query={customer} lines={10}>
        {(found) => <Parts customer={found} />}
      </Loaded>
    </Page>
  );
}

/** A tab for each part that this role may read. */
function Parts({ customer }: { customer: Customer }) {
  const t = useTexts(texts);
  const may = useMay();
  const tabs: (Tab | false)[] = [
    { key: "profile", label: t.profile, content: <Profile customer={customer} /> },
    may("readCustomerCompliance") && {
      key: "compliance",
      label: t.compliance,
      content: <Requirements customer={customer} />,
    },
    may("listDocuments") && { key: "documents", label: t.documents, content: <Documents customer={customer} /> },
    may("listRiskScores") && { key: "risk", label: t.risk, content: <RiskHistory customer={customer} /> },
    // At a desk a wallet is looked for to take cash; its statement is for who may read all of it.
    may("listBankAccounts") && { key: "wallets", label: t.wallets, content: <Wallets customer={customer} /> },
    may("listTransactions") && {
      key: "transactions",
      label: t.transactions,
      content: <CustomerTransactions customer={customer} />,
    },
    may("loanHistory") && { key: "loans", label: t.loans, content: <Loans customer={customer} /> },
    may("listInvestments") && { key: "holdings", label: t.holdings, content: <Holdings customer={customer} /> },
    may("findAllBeneficiaries") && {
      key: "recipients",
      label: t.beneficiaries,
      content: <Beneficiaries customer={customer} />,
    },
    may("listCases") && { key: "cases", label: t.cases, content: <CustomerCases customer={customer} /> },
  ];
  return (
    <Stack>
      {customer.status !== "CONFIRMED" && <WhyHeld customerId={customer.customerId} />}
      <Tabs label={t.customer} tabs={tabs.filter((tab) => tab !== false)} />
    </Stack>
  );
}
