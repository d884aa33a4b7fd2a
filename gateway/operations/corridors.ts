import { z } from "zod";
import { operation } from "../operation.js";
import {
  ChangedCorridor,
  Corridor,
  CorridorChangeRequest,
  CorridorLoad,
  CorridorLoadReport,
  corridorOf,
} from "../shapes/corridors.js";
import { everyRole, v6 } from "../route.js";
import { approvalField, isToApprove } from "../schema.js";

const base = `${v6}/transactionmanagement`;
const listCorridors = operation({
  method: "get",
  path: `${base}/corridors`,
  tag: "Corridors",
  summary: "List where money can be sent and what it costs; customers and cashiers see what is switched on",
  access: everyRole,
  scopes: ["quotes:request", "transactions:create", "reports:read", "settings:write"],
  answer: z.array(Corridor),
  message: "Corridors",
  example: { as: "amina@demo.example" },
  rpc: "remittance.listCorridors",
});

const putCorridor = operation({
  method: "put",
  path: `${base}/corridors`,
  tag: "Corridors",
  summary:
    "Create a corridor or replace what holds of it; another manager approves new ones, limits, partners, and what an agent puts",
  access: ["MANAGER", "AGENT"],
  scopes: ["settings:write", "corridors:write"],
  body: CorridorChangeRequest,
  answer: ChangedCorridor,
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
    "otherFees.amountMinor": "amount",
  },
  rpc: "remittance.putCorridor",
  asks: ({ body: { reason = "", ...corridor } }) => ({ corridor: corridorOf(corridor), reason }),
  isWaiting: isToApprove,
});

const loadCorridors = operation({
  method: "post",
  path: `${base}/corridors/load`,
  tag: "Corridors",
  summary:
    "Load corridors from CSV: what is right is put, every faulty line is reported; limits, partners and an agent's wait",
  access: ["MANAGER", "AGENT"],
  scopes: ["settings:write", "corridors:write"],
  body: CorridorLoad,
  answer: CorridorLoadReport,
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
  rpc: "remittance.loadCorridors",
  answerFields: approvalField,
  isWaiting: isToApprove,
});

export const corridorRoutes = { listCorridors, putCorridor, loadCorridors };
