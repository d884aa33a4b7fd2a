import type { ChannelOptions } from "@grpc/grpc-js";

export const defaultTimeoutMs = 10_000;

// A ledger group may be 4 MB; the rest is room for what wraps it.
const maxMessageBytes = 5 * 1024 * 1024;

// A client's ping interval must stay above the server's smallest, or servers in other languages
// answer with GOAWAY "too_many_pings".
const clientKeepaliveMs = 30_000;
const serverKeepaliveMs = 60_000;
const smallestPingIntervalMs = 10_000;
const keepaliveTimeoutMs = 10_000;

export const clientChannelOptions: ChannelOptions = {
  "grpc.max_receive_message_length": maxMessageBytes,
  "grpc.max_send_message_length": maxMessageBytes,
  "grpc.keepalive_time_ms": clientKeepaliveMs,
  "grpc.keepalive_timeout_ms": keepaliveTimeoutMs,
  "grpc.keepalive_permit_without_calls": 1,
  "grpc.service_config": JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  "grpc.service_config_disable_resolution": 1,
  // Replicas come and go, so a lost connection is resolved and opened again soon.
  "grpc.dns_min_time_between_resolutions_ms": 5_000,
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 2_000,
  // nice-grpc reads this as the longest a connection attempt may take.
  "grpc.min_reconnect_backoff_ms": 5_000,
  // A connection that nobody uses would be opened anew each minute, as it grows too old.
  "grpc.client_idle_timeout_ms": 45_000,
  // Calls between services never go through a proxy of the environment.
  "grpc.enable_http_proxy": 0,
  // Nobody reads channelz, and every call would be written into it.
  "grpc.enable_channelz": 0,
};

export const serverChannelOptions: ChannelOptions = {
  "grpc.max_receive_message_length": maxMessageBytes,
  "grpc.max_send_message_length": maxMessageBytes,
  "grpc.keepalive_time_ms": serverKeepaliveMs,
  "grpc.keepalive_timeout_ms": keepaliveTimeoutMs,
  "grpc.http2.min_ping_interval_without_data_ms": smallestPingIntervalMs,
  // Clients resolve again within a minute, so that new replicas get their share and renewed
  // certificates are in use soon.
  "grpc.max_connection_age_ms": 60_000,
  "grpc.max_connection_age_grace_ms": 30_000,
  // With channelz off, grpc-js 1.14 forgets which connections are open and forceShutdown ends none
  // of them.
  "grpc.enable_channelz": 1,
};
