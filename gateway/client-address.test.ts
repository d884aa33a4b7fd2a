import { networkOf } from "../services/kernel/text/client-network.js";
import { clientAddress } from "./client-address.js";

test.each([
  ["10.0.0.1", "", 0, "10.0.0.1"],
  ["::ffff:10.0.0.1", "", 0, "10.0.0.1"],
  ["10.0.0.1", "203.0.113.7", 0, "10.0.0.1"],
  ["10.0.0.1", "203.0.113.7", 1, "203.0.113.7"],
  ["10.0.0.1", "198.51.100.1, 203.0.113.7", 1, "203.0.113.7"],
  ["10.0.0.1", "198.51.100.1, 203.0.113.7, 10.0.0.2", 2, "203.0.113.7"],
  ["10.0.0.1", "203.0.113.7:4711", 1, "203.0.113.7"],
  ["10.0.0.1", "[2001:db8::1]:4711", 1, "2001:db8::1"],
  ["10.0.0.1", "", 1, "10.0.0.1"],
  ["10.0.0.1", "203.0.113.7", 2, "10.0.0.1"],
  ["10.0.0.1", "unknown", 1, "10.0.0.1"],
])("socket %s with X-Forwarded-For %j behind %i proxies is %s", (socket, forwarded, hops, expected) => {
  expect(clientAddress(socket, forwarded, hops)).toBe(expected);
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:db8::9", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("%s is limited as %s", (address, key) => {
  expect(networkOf(address)).toBe(key);
});
