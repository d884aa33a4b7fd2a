import { api } from "./api";
import { read } from "./queries";

/** The chart of accounts, which a release changes and nobody else. */
export const chartQuery = {
  ...read("books", "readChart", {}, (options) => api.books.readChart(options)),
  staleTime: 300_000,
};
