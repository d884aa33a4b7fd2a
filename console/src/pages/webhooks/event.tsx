import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Copy } from "lucide-react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Button } from "../../ui/button";
import { Page } from "../../ui/page";
import { Loaded, Section } from "../../ui/panels";
import { useToast } from "../../ui/toast";
import { texts } from "./texts";

export default function EventPage() {
  const t = useTexts(texts);
  const toast = useToast();
  const { eventId } = useParams({ strict: false }) as { eventId: string };
  const event = useQuery(read("webhooks", "readEvent", { eventId }, (options) => api.events.read(eventId, options)));
  return (
    <Page title={event.data?.type ?? t.event} back={{ to: "/events", label: t.events }}>
      <Loaded query={event} lines={10}>
        {(found) => {
          const text = JSON.stringify(found, null, 2);
          const copy = () => void navigator.clipboard.writeText(text).then(() => toast(t.copied));
          return (
            <Section
              title="JSON"
              flush
              actions={
                <Button variant="quiet" icon={Copy} onClick={copy}>
                  {t.copy}
                </Button>
              }
            >
              <pre className="p-4 font-mono text-xs leading-5">{text}</pre>
            </Section>
          );
        }}
      </Loaded>
    </Page>
  );
}
