import { useTexts } from "../../lib/language";
import { KeyValue } from "../../ui/facts";
import { Day, Id, Time } from "../../ui/figures";
import { Columns, Stack } from "../../ui/page";
import { Section } from "../../ui/panels";
import { Person } from "../../ui/person";
import { Rows } from "../../ui/rows";
import { inWords } from "../../ui/words";
import { texts } from "./texts";
import type { Customer } from "./types";

/** Who they are, as they or staff said it. */
export function Profile({ customer }: { customer: Customer }) {
  const t = useTexts(texts);
  const { address } = customer;
  return (
    <Columns>
      <Stack>
        <Section title={t.person}>
          <KeyValue
            columns={3}
            facts={[
              { label: t.firstName, value: customer.firstName },
              { label: t.lastName, value: customer.lastName },
              { label: t.country, value: customer.country },
              { label: t.email, value: customer.email },
              { label: t.phone, value: customer.phoneNumber },
              { label: t.dateOfBirth, value: customer.dateOfBirth && <Day at={customer.dateOfBirth} /> },
              {
                label: t.placeOfBirth,
                value: customer.placeOfBirth && `${customer.placeOfBirth.city}, ${customer.placeOfBirth.country}`,
              },
              { label: t.nationality, value: customer.nationality },
            ]}
          />
        </Section>
        <Section title={t.identityDocuments} flush>
          <IdentityDocuments customer={customer} />
        </Section>
      </Stack>
      <Stack>
        <Section title={t.account}>
          <KeyValue
            columns={1}
            facts={[
              { label: t.code, value: customer.customerCode },
              { label: t.agent, value: customer.agentId && <Person id={customer.agentId} /> },
              { label: t.registered, value: <Time at={customer.createdAt} /> },
              { label: t.customerId, value: <Id value={customer.customerId} /> },
              { label: t.userId, value: <Id value={customer.userId} /> },
            ]}
          />
        </Section>
        <Section title={t.address}>
          {address ? (
            <address className="not-italic">
              {[
                ...address.lines,
                [address.postalCode, address.city].filter(Boolean).join(" "),
                [address.region, address.country].filter(Boolean).join(", "),
              ].map((line) => (
                <p key={line}>{line}</p>
              ))}
            </address>
          ) : (
            <p className="text-muted">{t.noAddress}</p>
          )}
        </Section>
      </Stack>
    </Columns>
  );
}

function IdentityDocuments({ customer }: { customer: Customer }) {
  const t = useTexts(texts);
  return (
    <Rows
      label={t.identityDocuments}
      rows={customer.identityDocuments ?? []}
      rowKey={({ type, number }) => `${type} ${number}`}
      empty={t.noIdentityDocuments}
      columns={[
        { header: t.documentType, cell: ({ type }) => inWords(type) },
        {
          header: t.documentNumber,
          cell: ({ number }) => <span className="font-mono text-[0.8125rem]">{number}</span>,
        },
        { header: t.issuedBy, cell: ({ country }) => country },
        { header: t.validUntil, cell: ({ expiresAt }) => <Day at={expiresAt} /> },
        { header: t.gender, cell: ({ gender }) => (gender ? inWords(gender) : "") },
      ]}
    />
  );
}
