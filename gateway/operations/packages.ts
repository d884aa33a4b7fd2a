import { Readable } from "node:stream";
import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import * as leaf from "../../services/platform/events/shapes/leaves.js";
import type { Clients } from "../clients.js";
import { csvType } from "../csv-file.js";
import { FileAnswer } from "../file-answer.js";
import { operation } from "../operation.js";
import { route, type EdgeCall } from "../route.js";
import { cursorQuery, shown, text } from "../schema.js";
import { ChartMapping, Closing } from "../shapes/closing.js";
import { booksBase, booksOperation } from "./books.js";

const jsonLines = "application/x-ndjson";
const plainText = "text/plain; charset=utf-8";
const numberIn = z.string().regex(/^[1-9]\d{0,8}$/, "is not the number of a closing");
const renames = { cursor: "query.cursor", page_size: "query.size", number: "path.closingNumber", file: "path.file" };

const listClosings = operation({
  ...booksOperation,
  method: "get",
  path: `${booksBase}/closings`,
  scopes: ["books:read"],
  summary: "List closings with their packages, the newest first",
  query: cursorQuery,
  answer: z.object({ closings: z.array(Closing), nextCursor: leaf.nextCursor.optional() }),
  message: "Closings",
  renames,
  example: { as: "manager@demo.example" },
  rpc: "periods.listClosings",
});

const readClosing = operation({
  ...booksOperation,
  method: "get",
  path: `${booksBase}/closings/:closingNumber`,
  scopes: ["books:read"],
  summary: "Read a closing, and how far its package is",
  params: z.object({ closingNumber: numberIn }),
  answer: Closing,
  message: "Closing",
  renames,
  example: { as: "manager@demo.example", params: { closingNumber: "1" } },
  rpc: "periods.getClosing",
  asks: ({ params }) => ({ number: Number(params.closingNumber) }),
});

const contentTypes = { csv: csvType, jsonl: jsonLines } as const;

const readPackageFile = route({
  ...booksOperation,
  method: "get",
  path: `${booksBase}/closings/:closingNumber/package/:file`,
  scopes: ["books:read"],
  summary: "Get a file of a closing's package: the same bytes each time",
  params: z.object({
    closingNumber: numberIn,
    file: z
      .string()
      .regex(/^[a-z][a-z.-]{0,39}$/, "is not a file of a package")
      .meta({ examples: ["manifest.json"] }),
  }),
  answer: z.instanceof(FileAnswer),
  file: plainText,
  files: Object.values(contentTypes),
  message: "Package",
  refusable: true,
  renames,
  example: { as: "manager@demo.example", params: { closingNumber: "999999", file: "manifest.json" }, answers: 404 },
  run: async ({ params: { closingNumber, file }, call, clients }) => {
    const pages = pagesOf({ number: Number(closingNumber), file }, call, clients);
    // Read before answering, so that a refusal still has its status.
    const first = await pages.next();
    const ending = file.split(".").at(-1) as keyof typeof contentTypes;
    const content = Readable.from(contentOf(first, pages), { objectMode: false });
    return new FileAnswer(file, content, contentTypes[ending] ?? plainText);
  },
});

type Pages = AsyncGenerator<Buffer, undefined>;

async function* pagesOf(requested: { number: number; file: string }, call: EdgeCall, clients: Clients): Pages {
  const { tenantId, interactionId, renewToken, signal } = call;
  let cursor = "";
  do {
    const userToken = (await renewToken?.()) ?? call.userToken;
    // Each page has its own deadline, and the client's leaving ends the whole.
    const options = outgoing({ tenantId, interactionId, signal, ...(userToken !== undefined && { userToken }) });
    const page = await clients.packages.readPackageFile({ ...requested, cursor }, options);
    yield Buffer.from(page.content);
    cursor = page.nextCursor;
  } while (cursor !== "");
  return undefined;
}

async function* contentOf(first: IteratorResult<Buffer, undefined>, pages: Pages): AsyncGenerator<Buffer> {
  for (let page = first; page.done !== true; page = await pages.next()) yield page.value;
}

const readChartMapping = operation({
  ...booksOperation,
  method: "get",
  path: `${booksBase}/chart-mapping`,
  scopes: ["books:read"],
  summary: "Read which account of the organisation's own chart each code is, and which codes in use have none",
  query: z.object({
    version: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, "is not a version of the mapping")
      .optional()
      .meta({ description: "The newest where absent." }),
  }),
  answer: z
    .object({ mapping: ChartMapping, missing: z.array(shown(z.string(), "tax_payable")) })
    .meta({ id: "ReadChartMapping" }),
  message: "Chart mapping",
  renames: { version: "query.version" },
  example: { as: "manager@demo.example" },
  rpc: "packages.getChartMapping",
  asks: ({ query }) => ({ version: Number(query.version ?? 0) }),
});

const putChartMapping = operation({
  ...booksOperation,
  method: "put",
  path: `${booksBase}/chart-mapping`,
  scopes: ["books:write"],
  summary: "Put which account of the organisation's own chart each code is; closings keep the version of their day",
  headers: { idempotencyKey: "required" },
  body: z
    .object({
      codes: z
        .array(z.object({ code: text(64), account: text(40), name: text(100) }))
        .min(1)
        .max(200),
    })
    .meta({ id: "PutChartMappingRequest" }),
  answer: ChartMapping,
  message: "Chart mapping put",
  example: {
    as: "manager@demo.example",
    headers: { "x-idempotency-key": "chart-2026" },
    body: { codes: [{ code: "fee_income", account: "4000", name: "Fees earned" }] },
  },
  rpc: "packages.putChartMapping",
});

/** In the order in which the documentation shows them. */
export const packageRoutes = { listClosings, readClosing, readPackageFile, readChartMapping, putChartMapping };
