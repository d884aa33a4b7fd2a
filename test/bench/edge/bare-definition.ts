const bytes = (value: Buffer) => value;

/** A service of one rpc whose messages are bytes. */
export const bareDefinition = {
  read: {
    path: "/bench.Bare/Read",
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  },
} as const;
