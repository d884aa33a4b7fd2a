import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { KeyValue } from "../../ui/facts";
import { Id, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Columns, Page } from "../../ui/page";
import { Empty, ErrorPanel, Loaded, Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { DeliveryStatus } from "./delivery-status";
import { texts } from "./texts";
import type { Delivery } from "./types";

export default function DeliveryPage() {
  const t = useTexts(texts);
  const { deliveryId } = useParams({ strict: false }) as { deliveryId: string };
  const delivery = useQuery(
    read("webhooks", "readWebhookDelivery", { deliveryId }, (options) =>
      api.webhooks.readDelivery(deliveryId, options),
    ),
  );
  const resend = useAction({
    operation: "resendWebhookDelivery",
    run: (_: void, options) => api.webhooks.resendDelivery(deliveryId, options),
    stales: ["webhooks"],
    done: t.resent,
  });
  const { data } = delivery;
  return (
    <Page
      title={data?.eventType ?? t.delivery}
      badge={data && <DeliveryStatus status={data.status} />}
      back={{ to: data ? `/webhooks/${data.endpointId}` : "/webhooks", label: t.deliveries }}
      actions={
        data && (
          <>
            <ErrorPanel error={resend.error} />
            <Button
              icon={RotateCcw}
              busy={resend.isRunning}
              disabled={data.status === "PENDING"}
              onClick={() => void resend.run()}
            >
              {t.resend}
            </Button>
          </>
        )
      }
    >
      <Loaded query={delivery} lines={8}>
        {(found) => (
          <Columns>
            <Attempts delivery={found} />
            <Facts delivery={found} />
          </Columns>
        )}
      </Loaded>
    </Page>
  );
}

function Attempts({ delivery }: { delivery: Delivery }) {
  const t = useTexts(texts);
  return (
    <Section title={t.attempts}>
      {delivery.attempts.length === 0 ? (
        <Empty title={t.noAttempt}>{t.noAttemptHint}</Empty>
      ) : (
        <ol className="flex flex-col gap-4">
          {delivery.attempts.toReversed().map(({ at, status, durationMs, answer, error }) => (
            <li key={at} className="flex flex-col gap-1.5">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <Badge tone={status !== undefined && status >= 200 && status < 300 ? "good" : "bad"}>
                  {status ?? t.noAnswer}
                </Badge>
                <Time at={at} seconds />
                <span className="figures text-muted">{durationMs} ms</span>
              </div>
              {error && <p className="text-bad [overflow-wrap:anywhere]">{error}</p>}
              {answer && (
                <pre className="max-h-60 overflow-auto rounded-md border border-line bg-canvas p-2.5 text-xs [overflow-wrap:anywhere] whitespace-pre-wrap">
                  {answer}
                </pre>
              )}
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function Facts({ delivery }: { delivery: Delivery }) {
  const t = useTexts(texts);
  return (
    <Section title={t.delivery}>
      <KeyValue
        columns={1}
        facts={[
          {
            label: t.event,
            value: (
              <Link to={`/events/${delivery.eventId}`} className="link">
                {t.showEvent}
              </Link>
            ),
          },
          { label: t.eventId, value: <Id value={delivery.eventId} /> },
          { label: t.subject, value: `${delivery.subject.type}:${delivery.subject.id}` },
          { label: t.sequence, value: delivery.sequence },
          { label: t.tries, value: delivery.attemptCount },
          { label: t.told, value: <Time at={delivery.createdAt} seconds /> },
          { label: t.nextTry, value: <Time at={delivery.nextAttemptAt} seconds /> },
        ]}
      />
    </Section>
  );
}
