/** Work that the slice queue does in steps. */
export interface SliceTask<Result> {
  /** True when only `finish` is left. */
  readonly isDone: boolean
  /** Bytes that it reads. */
  readonly byteCount: number
  /** Runs steps while there is time, at least one. May be terminated anywhere: it changes only the task. */
  run: (hasTime: () => boolean) => void
  /** Starts over after a step was terminated although it had used little CPU. */
  restart: () => void
  /** Ends the step that was terminated because it took too long; the task is done then. */
  giveUp: (cause: Error) => void
  finish: () => Result
}
