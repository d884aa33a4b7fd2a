import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { read } from "../../lib/queries";
import { Badge, type Tone } from "../../ui/badge";
import { KeyValue } from "../../ui/facts";
import { Id, Time } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Columns, Page, Stack } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { Rows } from "../../ui/rows";
import { Tabs } from "../../ui/tabs";
import { inWords } from "../../ui/words";
import { PluginHealth, PluginStatus } from "./health";
import { PluginActions } from "./plugin-actions";
import { CallsTable, ChangesTable } from "./plugin-tables";
import { useKindName, useTypes } from "./plugins";
import { fieldsOf, textOf } from "./schema-fields";
import { texts } from "./texts";
import type { Plugin, PluginType } from "./types";

export default function PluginPage() {
  const t = useTexts(texts);
  const { installationId } = useParams({ strict: false }) as { installationId: string };
  const types = useTypes();
  const plugin = useQuery(
    read("plugins", "readPlugin", { installationId }, (options) => api.plugins.read(installationId, options)),
  );
  const { data } = plugin;
  const type = types.data?.find(({ name }) => name === data?.type);
  return (
    <Page
      title={data?.name ?? t.title}
      about={type?.title}
      badge={data && <PluginStatus plugin={data} />}
      back={{ to: "/plugins", label: t.title }}
      actions={data && type && <PluginActions plugin={data} type={type} />}
    >
      <Loaded query={plugin} lines={8}>
        {(found) => (
          <Columns>
            <Tabs
              label={t.title}
              tabs={[
                { key: "setup", label: t.setup, content: <Setup plugin={found} type={type} /> },
                { key: "calls", label: t.calls, content: <CallsTable installationId={installationId} /> },
                { key: "changes", label: t.changes, content: <ChangesTable installationId={installationId} /> },
              ]}
            />
            <Facts plugin={found} type={type} />
          </Columns>
        )}
      </Loaded>
    </Page>
  );
}

function Setup({ plugin, type }: { plugin: Plugin; type: PluginType | undefined }) {
  const t = useTexts(texts);
  const fields = type ? fieldsOf(type.configurationSchema) : [];
  return (
    <Stack>
      {plugin.kind === "PAYOUT" && <RoutesSection plugin={plugin} />}
      <Section title={t.configuration}>
        <KeyValue
          columns={1}
          hideEmpty
          facts={fields.map(({ name, label }) => {
            const text = textOf(plugin.configuration[name]);
            return { label, value: text && <span className="whitespace-pre-wrap">{text}</span> };
          })}
        />
      </Section>
      <TestReport plugin={plugin} />
    </Stack>
  );
}

function RoutesSection({ plugin: { routes } }: { plugin: Plugin }) {
  const t = useTexts(texts);
  return (
    <Section title={t.routes} flush>
      <Rows
        label={t.routes}
        rows={routes}
        rowKey={(route) => JSON.stringify(route)}
        columns={[
          { header: t.priority, isNumber: true, cell: (route) => route.priority },
          { header: t.originCountry, cell: (route) => route.originCountry ?? t.all },
          { header: t.sendCurrency, cell: (route) => route.sendCurrency ?? t.all },
          { header: t.receivingCountry, cell: (route) => route.receivingCountry ?? t.all },
          { header: t.receivingCurrency, cell: (route) => route.receivingCurrency ?? t.all },
          { header: t.method, cell: (route) => (route.method ? inWords(route.method) : t.all) },
        ]}
        empty={t.noRoutes}
      />
    </Section>
  );
}

const tones: Record<string, Tone> = { PASSED: "good", FAILED: "bad", LEFT_OUT: "neutral" };

/** What the last test found, check by check. */
function TestReport({ plugin: { lastTest, revision } }: { plugin: Plugin }) {
  const t = useTexts(texts);
  if (lastTest === undefined) {
    return (
      <Section title={t.lastTest}>
        <Empty title={t.noTest}>{t.noTestHint}</Empty>
      </Section>
    );
  }
  return (
    <Section title={t.lastTest} flush>
      <p className="flex flex-wrap items-center gap-2 px-4 py-2">
        <Badge tone={lastTest.hasPassed ? "good" : "bad"}>{lastTest.hasPassed ? t.PASSED : t.FAILED}</Badge>
        <Time at={lastTest.at} />
        {lastTest.revision < revision && <span className="text-xs text-muted">{t.earlierRevision}</span>}
      </p>
      <Rows
        label={t.lastTest}
        rows={lastTest.checks}
        rowKey={({ name }) => name}
        columns={[
          { header: t.check, cell: ({ name }) => name },
          {
            header: t.result,
            cell: ({ result }) => (
              <Badge tone={tones[result] ?? "neutral"}>{result in t ? t[result as "PASSED"] : result}</Badge>
            ),
          },
          { header: t.seen, cell: ({ detail }) => detail },
          { header: t.tookMs, isNumber: true, cell: ({ durationMs }) => durationMs },
        ]}
        empty={t.noTest}
      />
    </Section>
  );
}

function Facts({ plugin, type }: { plugin: Plugin; type: PluginType | undefined }) {
  const t = useTexts(texts);
  const kindName = useKindName();
  const setAt = (name: string) => plugin.secrets.find((one) => one.name === name)?.setAt;
  return (
    <Stack>
      <Section title={t.health}>
        <PluginHealth plugin={plugin} />
      </Section>
      <Section title={t.secrets}>
        {type?.secrets.length === 0 ? (
          <p className="text-muted">{t.noSecrets}</p>
        ) : (
          <KeyValue
            columns={1}
            facts={(type?.secrets ?? []).map(({ name, title }) => ({
              label: title,
              value: plugin.missingSecrets.includes(name) ? (
                <Badge tone="warn">{t.missing}</Badge>
              ) : setAt(name) === undefined ? (
                t.notSet
              ) : (
                <Time at={setAt(name)} />
              ),
            }))}
          />
        )}
      </Section>
      <Section title={t.about}>
        <KeyValue
          columns={1}
          hideEmpty
          facts={[
            {
              label: t.pending,
              value: plugin.pendingApprovalId && (
                <Link to="/approvals" className="link">
                  {t.toApprovals}
                </Link>
              ),
            },
            { label: t.kind, value: kindName(plugin.kind) },
            { label: t.callbackPath, value: plugin.callbackPath },
            { label: t.revision, value: plugin.revision },
            { label: t.made, value: <Time at={plugin.createdAt} /> },
            { label: t.changed, value: <Time at={plugin.changedAt} /> },
            { label: t.id, value: <Id value={plugin.installationId} /> },
          ]}
        />
      </Section>
    </Stack>
  );
}
