/**
 * A read that is shared by all who ask in the same turn of the event loop. It begins after all of
 * them have asked, so no answer is older than its question; nothing is kept. What it gives is one
 * object for all: nobody may change it.
 */
export function createSharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let open: Promise<T> | undefined;
  return () =>
    (open ??= new Promise<T>((resolve, reject) => {
      setImmediate(() => {
        open = undefined;
        read().then(resolve, reject);
      });
    }));
}
