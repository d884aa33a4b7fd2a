import { api } from "../../lib/api";
import { read } from "../../lib/queries";

export function kindsQuery() {
  return {
    ...read("organisation", "listNotificationKinds", {}, async (options) => {
      const { kinds } = await api.notifications.listKinds(options);
      return kinds;
    }),
    staleTime: 300_000,
  };
}

export const pageOf = (key: { kind: string; channel: string; language: string }): string =>
  `/notifications/${encodeURIComponent(key.kind)}/${key.channel}/${key.language}`;
