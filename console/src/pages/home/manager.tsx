import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CloudOff } from "lucide-react";
import { api } from "../../lib/api";
import { useTexts } from "../../lib/language";
import { pollMs, read } from "../../lib/queries";
import { Badge } from "../../ui/badge";
import { Ago } from "../../ui/figures";
import { Link } from "../../ui/link";
import { Columns, Stack } from "../../ui/page";
import { Empty, Loaded, Section } from "../../ui/panels";
import { awayOf, groups, waitingIn, type ShownQueue } from "./queues";
import { texts } from "./texts";
import { Today } from "./today";
import type { Queue } from "./types";

/** What waits for a manager, and how today goes. */
export function ManagerHome() {
  return (
    <Columns>
      <Stack>
        <Waiting />
        <Today />
      </Stack>
      <Lists />
    </Columns>
  );
}

function useQueues() {
  return useQuery({
    ...read("home", "listWorkQueues", {}, (options) => api.workQueues.list(options)),
    // Approvals that concern one of the staff are told by no event.
    refetchInterval: pollMs,
  });
}

function Waiting() {
  const t = useTexts(texts);
  const found = useQueues();
  return (
    <Loaded query={found} lines={8}>
      {({ queues, unavailable }) => {
        const filled = groups
          .map((group) => ({ group, waiting: waitingIn(group, queues) }))
          .filter(({ waiting }) => waiting.length > 0);
        return (
          <>
            {unavailable.length > 0 && <Away services={awayOf(unavailable)} />}
            {filled.map(({ group, waiting }) => (
              <Section key={group} title={t[group]} flush>
                <Lines label={t[group]} queues={waiting} />
              </Section>
            ))}
            {filled.length === 0 && unavailable.length === 0 && (
              <div className="card">
                <Empty icon={CircleCheck} title={t.nothingWaits}>
                  {t.nothingWaitsHint}
                </Empty>
              </div>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function Away({ services }: { services: readonly string[] }) {
  const t = useTexts(texts);
  return (
    <p role="status" className="card flex items-start gap-2.5 border-warn/40 bg-warn-soft px-3 py-2.5">
      <CloudOff size={17} aria-hidden className="mt-0.5 shrink-0 text-warn" />
      <span>{t.away(services.join(", "))}</span>
    </p>
  );
}

function Lines({ label, queues }: { label: string; queues: readonly ShownQueue[] }) {
  const t = useTexts(texts);
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{t.what}</th>
          <th scope="col" className="is-number w-24">
            {t.count}
          </th>
          <th scope="col" className="is-number w-36">
            {t.oldest}
          </th>
        </tr>
      </thead>
      <tbody>
        {queues.map((queue) => (
          <tr key={queue.name}>
            <td>
              {queue.to !== undefined ? (
                <Link to={queue.to} className="link font-medium">
                  {t[queue.name]}
                </Link>
              ) : (
                t[queue.name]
              )}
            </td>
            <td className="is-number">
              <Badge tone={queue.isAlarm ? "bad" : "accent"}>
                <Count queue={queue} />
              </Badge>
            </td>
            <td className="is-number">
              <Ago at={queue.oldestAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Count({ queue: { count, atLeast } }: { queue: Pick<Queue, "count"> & { atLeast?: boolean | undefined } }) {
  return (
    <>
      {count}
      {atLeast && "+"}
    </>
  );
}

/** How old the screening lists are: a stale one is compared with what was true once. */
function Lists() {
  const t = useTexts(texts);
  const found = useQueues();
  return (
    <Section title={t.lists}>
      <Loaded query={found} lines={2}>
        {({ queues, unavailable }) => {
          const lists = queues.find(({ queue }) => queue === "SCREENING_LISTS_IN_USE");
          if (lists === undefined) return unavailable.length > 0 ? t.notKnown : t.noLists;
          if (lists.count === 0) return t.noLists;
          return (
            <dl className="flex flex-col gap-2.5">
              <div>
                <dt className="text-xs text-muted">{t.listsInUse}</dt>
                <dd>
                  <Link to="/screening-lists" className="link">
                    <Count queue={lists} />
                  </Link>
                </dd>
              </div>
              <div>
                <dt className="text-xs text-muted">{t.stalest}</dt>
                <dd>
                  <Ago at={lists.oldestAt} />
                </dd>
              </div>
            </dl>
          );
        }}
      </Loaded>
    </Section>
  );
}
