/** Work that the slice queue runs in steps. */
export interface SliceTask<Result> {
  /** True if only `finish` is left. */
  readonly isDone: boolean
  /** Bytes that it reads. */
  readonly byteCount: number
  /** Runs steps while there is time, at least one. May be terminated anywhere: it changes only the task. */
  run: (hasTime: () => boolean) => void
  /** Restarts after a step was terminated although it had used little CPU. */
  restart: () => void
  /** Ends the step that was terminated because it took too long; afterwards the task is done. */
  giveUp: (cause: Error) => void
  finish: () => Result
}
