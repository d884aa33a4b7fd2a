import { systemClock, type Clock } from "../../services/kernel/time/clock.js";
import { businessTime, type BusinessClock } from "../../services/platform/preferences/business-clock.js";

/** Every tenant's business clock is one clock, its days are those of UTC. */
export const utcBusinessClock = (clock: Clock = systemClock): BusinessClock => ({
  forTenant: async () => businessTime(clock, 0, "UTC"),
});
