import { useQuery } from "@tanstack/react-query";
import { api } from "../lib/api";
import { defineTexts, useTexts } from "../lib/language";
import { read } from "../lib/queries";
import { useMay, useUser } from "../lib/use-session";
import { Id, None } from "./figures";

const texts = defineTexts({
  en: { you: "you", system: "the system", operator: "an operator" },
  fr: { you: "vous", system: "le système", operator: "un opérateur" },
});

const services = /^(identity|compliance|remittance|wallet|lending|investment|ledger|events|rules|system|partner)$/;

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

const uuidWithin = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

/** Undefined where this role may not read it, and until it is there. */
function useStaff() {
  const may = useMay();
  const { data } = useQuery({
    ...read("staff", "listStaffUsers", { all: true }, (options) =>
      api.people.listStaffUsers({}, options).toArray({ max: 500 }),
    ),
    enabled: may("listStaffUsers"),
    staleTime: 300_000,
  });
  return data;
}

/** What a service says of people by their ids, with the names of staff before: two may have one. */
export function useStaffNames(): (text: string) => string {
  const staff = useStaff();
  const named = (id: string) => {
    const found = staff?.find(({ userId }) => userId === id);
    return found === undefined ? id : `${found.name} (${id})`;
  };
  return (text) => text.replaceAll(uuidWithin, named);
}

/** Who did or asked for something, by their id: the name where this role may read it. */
export function Person({ id }: { id: string | undefined }) {
  const t = useTexts(texts);
  const user = useUser();
  const staff = useStaff();
  if (id === undefined || id === "") return <None />;
  if (id === user.id) return <span>{t.you}</span>;
  if (id === "operator") return <span>{t.operator}</span>;
  if (services.test(id)) return <span title={id}>{t.system}</span>;
  if (!uuid.test(id)) return <span>{id}</span>;
  const found = staff?.find(({ userId }) => userId === id);
  if (!found) return <Id value={id} short />;
  return <span title={found.email}>{found.name}</span>;
}
