import type { ScreeningServiceDefinition } from "../../proto/gen/compliance/v1/screening.js";
import type { Handlers } from "../../services/kernel/grpc/server.js";

/** What the played lists answer. */
export const screeningListSamples = {} satisfies Partial<Handlers<ScreeningServiceDefinition>>;
