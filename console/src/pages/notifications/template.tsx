import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Send, Undo2 } from "lucide-react";
import { useState } from "react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { invalidate, isStatus, read } from "../../lib/queries";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { ConfirmDialog } from "../../ui/confirm-dialog";
import { Columns, Page } from "../../ui/page";
import { ErrorPanel, Loaded, Section } from "../../ui/panels";
import { useAction } from "../../ui/use-action";
import { kindsQuery } from "./kinds";
import { texts } from "./texts";
import type { Kind, Template } from "./types";
import { WordsForm } from "./words-form";

export default function TemplatePage() {
  const t = useTexts(texts);
  const key = useParams({ strict: false }) as { kind: string; channel: string; language: string };
  const { kind, channel, language } = key;
  const template = useQuery(
    read("organisation", "readNotificationTemplate", key, async (options): Promise<Template> => {
      try {
        return await api.notifications.readTemplate(kind, channel, language, options);
      } catch (error) {
        // Nothing is written in this language yet: it begins empty.
        if (isStatus(error, 404))
          return { ...(key as Pick<Template, "kind" | "channel">), language, text: "", revision: 0 };
        throw error;
      }
    }),
  );
  const about = useQuery(kindsQuery()).data?.find((one) => one.kind === kind);
  const { data } = template;
  const isOwn = data !== undefined && data.revision > 0;
  return (
    <Page
      title={`${kind} · ${t[channel as "EMAIL" | "SMS"]} · ${language}`}
      about={about?.summary}
      badge={
        data && <Badge tone={isOwn ? "accent" : "neutral"}>{isOwn ? t.own : data.text ? t.usual : t.noWords}</Badge>
      }
      back={{ to: "/notifications", label: t.title }}
      actions={data?.text && <Actions template={data} isOwn={isOwn} />}
    >
      <Loaded query={template} lines={8}>
        {(found) => (
          <Columns>
            <WordsForm key={found.revision} template={found} placeholders={about?.placeholders ?? []} />
            <Placeholders kind={about} />
          </Columns>
        )}
      </Loaded>
    </Page>
  );
}

function Actions({ template, isOwn }: { template: Template; isOwn: boolean }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const { kind, channel, language } = template;
  const [isRemoving, setRemoving] = useState(false);
  const test = useAction({
    operation: "sendNotificationTest",
    run: (_: void, options) => api.notifications.sendTest(kind, channel, language, options),
    done: t.testSent,
  });
  const remove = useAction({
    operation: "removeNotificationTemplate",
    run: (_reason: string, options) => api.notifications.removeTemplate(kind, channel, language, options),
    done: t.removed,
    onDone: () => void navigate({ to: "/notifications" }).then(() => invalidate(["organisation"])),
  });
  return (
    <>
      <ErrorPanel error={test.error} />
      <Button icon={Send} busy={test.isRunning} onClick={() => void test.run()}>
        {t.sendTest}
      </Button>
      {isOwn && (
        <Button icon={Undo2} variant="danger" onClick={() => setRemoving(true)}>
          {t.remove}
        </Button>
      )}
      {isRemoving && (
        <ConfirmDialog
          title={t.remove}
          confirm={t.remove}
          danger
          reason="none"
          action={remove}
          onClose={() => setRemoving(false)}
        >
          {t.removeHint}
        </ConfirmDialog>
      )}
    </>
  );
}

function Placeholders({ kind }: { kind: Kind | undefined }) {
  const t = useTexts(texts);
  return (
    <Section title={t.placeholders} flush>
      <table className="table" aria-label={t.placeholders}>
        <thead>
          <tr>
            <th scope="col">{t.name}</th>
            <th scope="col">{t.example}</th>
          </tr>
        </thead>
        <tbody>
          {kind?.placeholders.map(({ name, example, required }) => (
            <tr key={name}>
              <td>
                <code className="text-xs">{`{{${name}}}`}</code>
                {required && <span className="ml-1.5 text-xs text-warn">{t.mustStand}</span>}
              </td>
              <td className="[overflow-wrap:anywhere]">{example}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
