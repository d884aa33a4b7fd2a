import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { deliveryStatuses } from "../../generated/enums";
import { api } from "../../lib/api";
import { isSandbox } from "../../lib/environment";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { useFilters } from "../../lib/url-state";
import { DataTable } from "../../ui/data-table";
import { KeyValue } from "../../ui/facts";
import { Id, Time } from "../../ui/figures";
import { FilterBar } from "../../ui/filters";
import { Columns, Page, Stack } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import type { Column } from "../../ui/table";
import { DeliveryStatus } from "./delivery-status";
import { EndpointActions } from "./endpoint-actions";
import { Health } from "./health";
import { texts } from "./texts";
import type { Delivery, Endpoint } from "./types";

export default function EndpointPage() {
  const t = useTexts(texts);
  const { endpointId } = useParams({ strict: false }) as { endpointId: string };
  const endpoint = useQuery(
    read("webhooks", "readWebhookEndpoint", { endpointId }, (options) =>
      api.webhooks.readEndpoint(endpointId, options),
    ),
  );
  const { data } = endpoint;
  return (
    <Page
      title={data?.url ?? t.title}
      about={data?.description}
      badge={data && <Health endpoint={data} />}
      back={{ to: "/webhooks", label: t.title }}
      actions={data && <EndpointActions endpoint={data} />}
    >
      <Columns>
        <Deliveries endpointId={endpointId} />
        <Loaded query={endpoint} lines={8}>
          {(found) => <Facts endpoint={found} />}
        </Loaded>
      </Columns>
    </Page>
  );
}

function Facts({ endpoint }: { endpoint: Endpoint }) {
  const t = useTexts(texts);
  const yes = (is: boolean) => (is ? t.yes : t.no);
  return (
    <Stack>
      <Section title={t.settings}>
        <KeyValue
          columns={1}
          facts={[
            ...(endpoint.statusReason ? [{ label: t.because, value: endpoint.statusReason }] : []),
            {
              label: t.eventTypes,
              value: <span className="font-mono text-xs">{endpoint.eventTypes.join(", ")}</span>,
            },
            { label: t.ordered, value: yes(endpoint.ordered) },
            { label: t.confidential, value: yes(endpoint.includesConfidential) },
            { label: t.rateLimit, value: endpoint.rateLimitPerSecond || t.noLimit },
            { label: t.made, value: <Time at={endpoint.createdAt} /> },
            { label: t.changed, value: <Time at={endpoint.changedAt} /> },
            { label: t.id, value: <Id value={endpoint.endpointId} /> },
          ]}
        />
      </Section>
      <Section title={t.secrets}>
        <ul className="flex flex-col gap-2">
          {endpoint.secrets.map(({ secretId, createdAt, expiresAt }) => (
            <li key={secretId}>
              <Id value={secretId} short />
              <div className="text-xs text-muted">
                {t.made} <Time at={createdAt} />
              </div>
              {expiresAt !== undefined && (
                <div className="text-xs text-warn">
                  {t.signsUntil} <Time at={expiresAt} />
                </div>
              )}
            </li>
          ))}
        </ul>
      </Section>
      {isSandbox && <p className="text-xs text-muted">{t.sandboxHint}</p>}
    </Stack>
  );
}

function Deliveries({ endpointId }: { endpointId: string }) {
  const t = useTexts(texts);
  const filters = useFilters(["status", "eventId"]);
  const columns: readonly Column<Delivery>[] = [
    { header: t.event, cell: (row) => <span className="font-mono text-xs">{row.eventType}</span> },
    { header: t.status, cell: (row) => <DeliveryStatus status={row.status} /> },
    { header: t.tries, isNumber: true, cell: (row) => row.attemptCount },
    { header: t.lastAnswer, cell: (row) => <LastAnswer delivery={row} /> },
    { header: t.told, cell: (row) => <Time at={row.createdAt} seconds /> },
    { header: t.nextTry, cell: (row) => <Time at={row.nextAttemptAt} seconds /> },
  ];
  return (
    <Stack>
      <FilterBar
        filters={filters}
        fields={[
          {
            name: "status",
            label: t.status,
            kind: "select",
            options: deliveryStatuses.map((value) => ({ value, label: t[value] })),
          },
          { name: "eventId", label: t.eventId, kind: "text" },
        ]}
      />
      <DataTable
        label={t.deliveries}
        area="webhooks"
        operation="listWebhookDeliveries"
        of={endpointId}
        list={(query, options) => api.webhooks.listDeliveries(endpointId, query, options)}
        filters={filters}
        columns={columns}
        rowKey={(row) => row.deliveryId}
        rowLink={(row) => `/webhooks/deliveries/${row.deliveryId}`}
        empty={<Empty title={t.noDeliveries}>{t.noDeliveriesHint}</Empty>}
      />
    </Stack>
  );
}

function LastAnswer({ delivery }: { delivery: Delivery }) {
  const last = delivery.attempts.at(-1);
  if (last === undefined) return "";
  return last.status === undefined ? (last.error ?? "") : last.status;
}
