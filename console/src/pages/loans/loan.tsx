import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { isStatus, read } from "../../lib/queries";
import { useMay } from "../../lib/use-session";
import { StatusBadge } from "../../ui/badge";
import { Elsewhere } from "../../ui/elsewhere";
import { Columns, Page, Stack } from "../../ui/page";
import { Empty, ErrorPanel, Skeleton } from "../../ui/panels";
import { ApplicationActions, Decision } from "./application";
import { Balances, Delinquency, Paybacks } from "./balances";
import { LoanActions } from "./loan-actions";
import { LoanRepayments } from "./loan-repayments";
import { Offer } from "./offer";
import { Schedule } from "./schedule";
import { texts } from "./texts";
import type { Application, Loan } from "./types";

/**
 * An application, and the loan that came of it. The id is the application's, or the loan account's.
 */
export default function LoanPage() {
  const t = useTexts(texts);
  const { loanId } = useParams({ strict: false }) as { loanId: string };
  const { application, loan, error, isLoading, retry } = useLoan(loanId);
  const product = application?.offer.loanProductName ?? loan?.loanProductName;
  const status = loan?.status ?? application?.status;
  return (
    <Page
      title={product === undefined ? t.aLoan : t.loan(product)}
      badge={status && <StatusBadge status={status} />}
      back={{ to: "/loans", label: t.title }}
      actions={
        <>
          {application && <ApplicationActions application={application} />}
          {loan && <LoanActions loan={loan} />}
        </>
      }
    >
      {error != null && <ErrorPanel error={error} onRetry={retry} />}
      {isLoading && <Skeleton lines={10} />}
      {!isLoading && error == null && !application && !loan && (
        <div className="card">
          <Empty title={t.notFound}>
            <Elsewhere />
          </Empty>
        </div>
      )}
      {(application || loan) && <Content application={application} loan={loan} />}
    </Page>
  );
}

function Content({ application, loan }: { application: Application | undefined; loan: Loan | undefined }) {
  const may = useMay();
  const schedule = loan?.schedule ?? application?.offer.schedule;
  const currency = loan?.currency ?? application?.offer.currency;
  return (
    <>
      <Columns>
        <Stack>
          {loan && <Balances loan={loan} />}
          {application && <Offer application={application} isNew={!loan} />}
        </Stack>
        <Stack>
          {loan && <Delinquency loan={loan} />}
          {application && <Decision application={application} />}
        </Stack>
      </Columns>
      {schedule && currency && <Schedule instalments={schedule} currency={currency} isOffer={!loan} />}
      {loan && may("repaidTransactions") && may("readCustomer") && <LoanRepayments loan={loan} />}
      {loan && <Paybacks loan={loan} />}
    </>
  );
}

/**
 * Reads by the application's id; an approval names the loan's account,
 * whose loan names its application.
 */
function useLoan(id: string) {
  const byId = useQuery(readApplication(id));
  const isLoan = byId.data === null || byId.data?.accountId !== undefined;
  const loan = useQuery({ ...readLoan(id), enabled: isLoan });
  const otherId = loan.data?.loanApplicationId ?? id;
  const byLoan = useQuery({ ...readApplication(otherId), enabled: otherId !== id });
  const all = [byId, loan, byLoan];
  return {
    application: byId.data ?? byLoan.data ?? undefined,
    loan: loan.data ?? undefined,
    error: all.find((query) => query.error)?.error,
    isLoading: all.some((query) => query.isLoading),
    retry: () => all.forEach((query) => void (query.error && query.refetch())),
  };
}

const readApplication = (id: string) =>
  read("loans", "readLoanApplication", { id }, (options) => orNull(api.loans.readApplication(id, options)));

const readLoan = (id: string) => read("loans", "readLoan", { id }, (options) => orNull(api.loans.read(id, options)));

async function orNull<T>(call: PromiseLike<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}
