import { Readable } from "node:stream";
import { z } from "zod";
import type {
  ListAgentSettlementLinesResponse,
  ReadAgentStatementResponse,
} from "../../proto/gen/wallet/v1/agent_settlements.js";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { AgentLine } from "../../services/platform/events/shapes/agent-settlement-shape.js";
import { readerOf } from "../codec.js";
import { csvFile, csvType } from "../csv-file.js";
import { FileAnswer } from "../file-answer.js";
import { route, type EdgeCall } from "../route.js";
import { ofBoth, settlementPath, settlementsBase } from "./agent-settlements.js";

const jsonLines = "application/x-ndjson";
const linesPerPage = 1_000;
const line = readerOf(AgentLine);
const columns = [
  "at",
  "businessDay",
  "kind",
  "account",
  "amount",
  "currency",
  "transactionCode",
  "transactionId",
  "lineId",
] as const;

/** Each page has its own deadline, and the client's leaving ends the whole. */
async function* pagesOf<Page extends { nextCursor: string }>(
  read: (cursor: string, options: ReturnType<typeof outgoing>) => Promise<Page>,
  call: EdgeCall,
): AsyncGenerator<Page, undefined> {
  const { tenantId, interactionId, renewToken, signal } = call;
  let cursor = "";
  do {
    const userToken = (await renewToken?.()) ?? call.userToken;
    const options = outgoing({ tenantId, interactionId, signal, ...(userToken !== undefined && { userToken }) });
    const page = await read(cursor, options);
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== "");
  return undefined;
}

type Pages<Page> = AsyncGenerator<Page, undefined>;

async function* each<Page, Shown>(
  first: IteratorResult<Page, undefined>,
  pages: Pages<Page>,
  shown: (page: Page) => Shown,
): AsyncGenerator<Shown> {
  for (let page = first; page.done !== true; page = await pages.next()) yield shown(page.value);
}

const rowsOf = ({ lines }: ListAgentSettlementLinesResponse) => lines.map(line);

const agentStatement = route({
  ...ofBoth,
  method: "get",
  path: `${settlementsBase}/:settlementId/statement`,
  summary:
    "Get the statement of a closed settlement of an agent as JSON lines, whose sha256 the settlement has, or as CSV",
  params: settlementPath,
  query: z.object({
    format: z.enum(["jsonl", "csv"]).optional().meta({ description: "jsonl when absent." }),
  }),
  answer: z.instanceof(FileAnswer),
  file: jsonLines,
  files: [csvType],
  message: "Statement of an agent",
  renames: { settlementId: "path.settlementId" },
  example: {
    as: "manager@demo.example",
    params: { settlementId: "no-such-settlement" },
    query: { format: "csv" },
    answers: 404,
  },
  run: async ({ params: { settlementId }, query, call, clients: { agentSettlements } }) => {
    const text = pagesOf<ReadAgentStatementResponse>(
      (cursor, options) => agentSettlements.readAgentStatement({ settlementId, cursor }, options),
      call,
    );
    // Read before answering, so that a refusal still has its status.
    const first = await text.next();
    if (query.format !== "csv") {
      const pages = each(first, text, (page) => page.text);
      return new FileAnswer(`agent-settlement-${settlementId}.jsonl`, Readable.from(pages), jsonLines);
    }
    const lines = pagesOf<ListAgentSettlementLinesResponse>(
      (cursor, options) =>
        agentSettlements.listAgentSettlementLines({ settlementId, pageSize: linesPerPage, cursor }, options),
      call,
    );
    const pages = each(await lines.next(), lines, rowsOf);
    return csvFile(`agent-settlement-${settlementId}.csv`, columns, pages);
  },
});

export const agentStatementRoutes = { agentStatement };
