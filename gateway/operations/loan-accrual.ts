import { z } from "zod";
import { outgoing } from "../../services/kernel/grpc/client.js";
import { route } from "../route.js";
import { instant } from "../schema.js";
import { absentIfEmpty } from "../wire.js";
import { date, staffBase } from "./loan-shapes.js";
import { manager } from "./loan-servicing.js";

const Progress = z
  .object({
    date: date.optional(),
    loansDone: z.number().int(),
    rangesDone: z.number().int(),
    ranges: z.number().int(),
    startedAt: instant.optional(),
    finishedAt: instant.optional(),
  })
  .meta({ id: "AccrualProgress" });

export const readAccrualProgress = route({
  method: "get",
  path: `${staffBase}/accrual`,
  operationId: "readAccrualProgress",
  tag: "Loan servicing",
  summary: "Read how far the latest day's accrual is",
  access: manager,
  scopes: ["loans:read"],
  answer: Progress,
  message: "Accrual",
  example: { as: "manager@demo.example" },
  run: async ({ call, clients }) => {
    const {
      date: day,
      loansDone,
      rangesDone,
      ranges,
      startedAt,
      finishedAt,
    } = await clients.lending.getAccrualProgress({}, outgoing(call));
    return {
      date: absentIfEmpty(day),
      loansDone: Number(loansDone),
      rangesDone,
      ranges,
      ...(startedAt && { startedAt: startedAt.toISOString() }),
      ...(finishedAt && { finishedAt: finishedAt.toISOString() }),
    };
  },
});
