import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { filled } from "../wire.js";
import { everyRole, v6 } from "./base.js";
import { Corridor, corridorFromWire, CorridorRequest, corridorToWire } from "./corridor-shapes.js";
import { csvLoadFields, faultsFromWire, faultyLines } from "./csv-load.js";
import { maybeReasonIn } from "./cursor-pages.js";
import { waiting, waitingFor } from "./waiting.js";

const base = `${v6}/transactionmanagement`;
const reason = maybeReasonIn.meta({
  description: "Told to whoever approves a new corridor or a change of limits or partners.",
});

const Waiting = waiting("what held holds (version 0: nothing)");

const listCorridors = route({
  method: "get",
  path: `${base}/corridors`,
  operationId: "listCorridors",
  tag: "Corridors",
  summary: "List where money can be sent and what it costs; customers and cashiers see what is switched on",
  access: everyRole,
  scopes: ["quotes:request", "transactions:create", "reports:read", "settings:write"],
  answer: z.array(Corridor),
  message: "Corridors",
  example: { as: "amina@demo.example" },
  run: async ({ call, clients }) => {
    const { corridors } = await clients.remittance.listCorridors({}, outgoing(call));
    return corridors.map(corridorFromWire);
  },
});

const putCorridor = route({
  method: "put",
  path: `${base}/corridors`,
  operationId: "putCorridor",
  tag: "Corridors",
  summary:
    "Create a corridor or replace what holds of it; another manager approves new ones, limits, partners, and what an agent puts",
  access: ["MANAGER", "AGENT"],
  scopes: ["settings:write", "corridors:write"],
  body: CorridorRequest.extend({ reason }).meta({ id: "CorridorChangeRequest" }),
  answer: Corridor.extend({ approval: Waiting }).meta({ id: "ChangedCorridor", description: "What holds now." }),
  message: "Corridor",
  waits: "Change waits for another manager",
  example: {
    as: "manager@demo.example",
    answers: 202,
    body: {
      originCountry: "KEN",
      sendCurrency: "KES",
      receivingCountry: "NGA",
      receivingCurrency: "NGN",
      types: ["ACCOUNTPAYMENT"],
      minimumAmount: "100.00",
      maximumAmount: "1000000.00",
      fees: [{ name: "Transfer fee", fixed: "50.00", rateBps: 100, taxBps: 1600 }],
    },
  },
  renames: {
    corridor: "body",
    fixedMinor: "fixed",
    minimumMinor: "minimumAmount",
    maximumMinor: "maximumAmount",
    "fees.minimumMinor": "minimum",
    "fees.maximumMinor": "maximum",
    fromMinor: "from",
    category: "chargeCategory",
    deliveryMethods: "types",
    "deliveries.method": "type",
  },
  run: async ({ body, call, clients }) => {
    const request = { corridor: corridorToWire(body), reason: body.reason ?? "" };
    const { corridor, ...asked } = await clients.remittance.putCorridor(request, outgoing(call));
    return { ...corridorFromWire(filled(corridor, "corridor")), approval: waitingFor(asked, call) };
  },
});

const loadCorridors = route({
  method: "post",
  path: `${base}/corridors/load`,
  operationId: "loadCorridors",
  tag: "Corridors",
  summary:
    "Load corridors from CSV: what is right is put, every faulty line is reported; limits, partners and an agent's wait",
  access: ["MANAGER", "AGENT"],
  scopes: ["settings:write", "corridors:write"],
  body: z.object({ ...csvLoadFields, reason }).meta({ id: "CorridorLoad" }),
  answer: z
    .object({
      lines: z.int(),
      created: z.int(),
      changed: z.int(),
      unchanged: z.int(),
      waiting: z.int().meta({ description: "Lines that change limits or partners: another manager approves them." }),
      faults: faultyLines,
      approval: Waiting,
    })
    .meta({ id: "CorridorLoadReport" }),
  message: "Corridors loaded",
  waits: "Some lines wait for another manager",
  example: {
    as: "manager@demo.example",
    answers: 202,
    body: {
      csv: [
        "originCountry,sendCurrency,receivingCountry,receivingCurrency,types,minimumAmount,maximumAmount,feeName,feeFixed",
        "KEN,KES,UGA,UGX,MOBILE_MONEY|CASH_PICKUP,100.00,500000.00,Transfer fee,50.00",
        "",
      ].join("\n"),
    },
  },
  run: async ({ body, call, clients }) => {
    const request = { csv: body.csv, dryRun: body.dryRun ?? false, reason: body.reason ?? "" };
    const report = await clients.remittance.loadCorridors(request, outgoing(call));
    const { lines, created, changed, unchanged, waiting } = report;
    const faults = faultsFromWire(report.faults);
    return { lines, created, changed, unchanged, waiting, faults, approval: waitingFor(report, call) };
  },
});

export const corridorRoutes = [listCorridors, putCorridor, loadCorridors];
