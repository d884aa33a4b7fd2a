import { redisPlaceOf } from "./redis-url.js";

test("one server is its URL", () => {
  expect(redisPlaceOf("redis://:secret@redis:6379/2")).toEqual({ kind: "single", url: "redis://:secret@redis:6379/2" });
  expect(redisPlaceOf("rediss://redis")).toEqual({ kind: "single", url: "rediss://redis" });
});

test("sentinels have a primary by name, ports of their own, and perhaps a database", () => {
  expect(redisPlaceOf("redis+sentinel://:p%40ss@a:26379,b/mymaster")).toEqual({
    kind: "sentinel",
    sentinels: [
      { host: "a", port: 26_379 },
      { host: "b", port: 26_379 },
    ],
    master: "mymaster",
    db: 0,
    password: "p@ss",
  });
  expect(redisPlaceOf("rediss+sentinel://manilla:x@[::1]:5000/m/3")).toMatchObject({
    sentinels: [{ host: "::1", port: 5_000 }],
    db: 3,
    username: "manilla",
    tls: {},
  });
});

test("the CA of TLS and the sentinels' own password follow a question mark", () => {
  expect(redisPlaceOf("rediss://:x@redis:6380/1?caFile=/etc/redis/ca.crt")).toEqual({
    kind: "single",
    url: "rediss://:x@redis:6380/1",
    tls: { caFile: "/etc/redis/ca.crt" },
  });
  const query = "caFile=/ca.crt&sentinelUsername=watch&sentinelPassword=s%26t";
  expect(redisPlaceOf(`rediss+sentinel://:x@a,b/m?${query}`)).toMatchObject({
    password: "x",
    db: 0,
    master: "m",
    tls: { caFile: "/ca.crt" },
    sentinelUsername: "watch",
    sentinelPassword: "s&t",
  });
  expect(redisPlaceOf("rediss+cluster://a?caFile=/ca.crt")).toMatchObject({ tls: { caFile: "/ca.crt" } });
});

test("a cluster has nodes, and neither databases nor a primary", () => {
  expect(redisPlaceOf("redis+cluster://:x@a:7000,b")).toEqual({
    kind: "cluster",
    nodes: [
      { host: "a", port: 7_000 },
      { host: "b", port: 6_379 },
    ],
    password: "x",
  });
});

test.each([
  "redis+cluster://a/1",
  "redis+cluster://a?sentinelPassword=x",
  "redis+sentinel://a/m?caFile=/ca.crt",
  "rediss+sentinel://a/m?misspelt=x",
  "redis://a?caFile=/ca.crt",
  "redis+sentinel://a",
  "redis+sentinel://a:0/m",
  "redis+cluster://a:70000",
  "redis+cluster://",
  "redis+other://a",
  "http://a",
  "hunter2",
])("%s is none", (url) => {
  expect(redisPlaceOf(url)).toBeUndefined();
});
