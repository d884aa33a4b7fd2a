import type { CallOptions } from "@manilla/client";
import { useCallback, useRef, useState } from "react";
import type { OperationId } from "../generated/roles";
import { invalidate, isStatus, type AreaName } from "../lib/queries";
import { useToast } from "./toast";

export interface ActionOptions<Input, Result> {
  operation: OperationId;
  run: (input: Input, options: CallOptions) => PromiseLike<Result>;
  /** Areas whose pages show something else afterwards. */
  stales?: readonly AreaName[];
  /** Said in a toast. */
  done?: string | ((result: Result) => string);
  onDone?: (result: Result) => void;
}

export interface Action<Input, Result> {
  /** Resolves with undefined where it failed; `error` then says why. */
  run: (input: Input) => Promise<Result | undefined>;
  isRunning: boolean;
  error: unknown;
  reset: () => void;
}

/** Something that is done once, however often it is clicked and tried again. */
export function useAction<Input = void, Result = unknown>(
  options: ActionOptions<Input, Result>,
): Action<Input, Result> {
  const given = useRef(options);
  given.current = options;
  const running = useRef<Promise<Result | undefined>>(undefined);
  const [state, setState] = useState<{ isRunning: boolean; error: unknown }>({ isRunning: false, error: undefined });
  const toast = useToast();

  const run = useCallback(
    (input: Input) => {
      running.current ??= perform(input).finally(() => (running.current = undefined));
      return running.current;
    },
    // oxlint-disable-next-line react/exhaustive-deps -- what it reads is in refs, or never changes.
    [],
  );

  async function perform(input: Input): Promise<Result | undefined> {
    const { stales = [], done, onDone, run: send } = given.current;
    setState({ isRunning: true, error: undefined });
    try {
      const result = await send(input, {});
      void invalidate(stales);
      setState({ isRunning: false, error: undefined });
      if (done !== undefined) toast(typeof done === "string" ? done : done(result));
      onDone?.(result);
      return result;
    } catch (error) {
      // Somebody was faster: what is shown is theirs by now.
      if (isStatus(error, 404, 409)) void invalidate(stales);
      setState({ isRunning: false, error });
      return undefined;
    }
  }

  const reset = useCallback(() => setState({ isRunning: false, error: undefined }), []);
  return { run, ...state, reset };
}
