import { calendarDay } from "./days.js";

const dayIn = (instant: string, zone: string) => calendarDay(new Date(instant), zone);

describe("calendarDay", () => {
  it("turns at the zone's midnight, not at UTC's", () => {
    expect(dayIn("2026-03-10T22:59:59.999Z", "Africa/Lagos")).toBe("2026-03-10");
    expect(dayIn("2026-03-10T23:00:00.000Z", "Africa/Lagos")).toBe("2026-03-11");
    expect(dayIn("2026-03-11T07:59:59.999Z", "America/Los_Angeles")).toBe("2026-03-11");
    expect(dayIn("2026-03-11T06:59:59.999Z", "America/Los_Angeles")).toBe("2026-03-10");
    expect(dayIn("2026-03-10T09:59:59.999Z", "Pacific/Kiritimati")).toBe("2026-03-10");
    expect(dayIn("2026-03-10T10:00:00.000Z", "Pacific/Kiritimati")).toBe("2026-03-11");
  });

  it("gives the day clocks go forward 23 hours and the day they go back 25 (London 2026)", () => {
    expect(dayIn("2026-03-28T23:59:59Z", "Europe/London")).toBe("2026-03-28");
    expect(dayIn("2026-03-29T00:00:00Z", "Europe/London")).toBe("2026-03-29");
    expect(dayIn("2026-03-29T22:59:59Z", "Europe/London")).toBe("2026-03-29");
    expect(dayIn("2026-03-29T23:00:00Z", "Europe/London")).toBe("2026-03-30");
    expect(dayIn("2026-10-24T23:00:00Z", "Europe/London")).toBe("2026-10-25");
    expect(dayIn("2026-10-25T23:59:59Z", "Europe/London")).toBe("2026-10-25");
    expect(dayIn("2026-10-26T00:00:00Z", "Europe/London")).toBe("2026-10-26");
  });

  it("keeps the hour that happens twice on its day", () => {
    expect(dayIn("2026-11-01T05:30:00Z", "America/New_York")).toBe("2026-11-01");
    expect(dayIn("2026-11-01T06:30:00Z", "America/New_York")).toBe("2026-11-01");
  });

  it("knows a day that starts at one o'clock (Asunción's midnight skipped in 2023) and zones off the half hour", () => {
    expect(dayIn("2023-10-01T03:59:59Z", "America/Asuncion")).toBe("2023-09-30");
    expect(dayIn("2023-10-01T04:00:00Z", "America/Asuncion")).toBe("2023-10-01");
    expect(dayIn("2026-05-01T18:14:59Z", "Asia/Kathmandu")).toBe("2026-05-01");
    expect(dayIn("2026-05-01T18:15:00Z", "Asia/Kathmandu")).toBe("2026-05-02");
  });

  it("throws for a zone nobody knows", () => {
    expect(() => dayIn("2026-05-01T00:00:00Z", "Mars/Olympus")).toThrow("time zone");
  });
});
