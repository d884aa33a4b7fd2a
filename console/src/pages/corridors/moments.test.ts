import { fieldText, momentOrNull } from "./moments";

describe("what a date and time field says in the organisation's zone", () => {
  test.each([
    ["2026-11-24T09:30", "Africa/Lagos", "2026-11-24T08:30:00.000Z"],
    ["2026-07-01T00:00", "Europe/Paris", "2026-06-30T22:00:00.000Z"],
    // The day on which the clock goes back an hour, before and after it.
    ["2026-10-25T01:30", "Europe/Paris", "2026-10-24T23:30:00.000Z"],
    ["2026-10-25T12:00", "Europe/Paris", "2026-10-25T11:00:00.000Z"],
    ["2026-01-01T00:00", "Asia/Kathmandu", "2025-12-31T18:15:00.000Z"],
  ])("%s in %s is %s, and is shown so again", (text, zone, moment) => {
    expect(momentOrNull(text, zone)).toBe(moment);
    expect(fieldText(moment, zone)).toBe(text);
  });

  test("nothing typed is no moment", () => {
    expect(momentOrNull("", "UTC")).toBeNull();
  });
});
