import { api } from "../../lib/api";
import { read } from "../../lib/queries";

export const templatesQuery = () =>
  read("organisation", "listDisclosureTemplates", {}, async (options) => await api.disclosures.listTemplates(options));
