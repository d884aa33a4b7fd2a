import type { api, RowOf } from "../../lib/api";

export type Staff = RowOf<typeof api.people.listStaffUsers>;
