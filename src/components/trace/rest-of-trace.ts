/** Loading the rows of a trace that are not in its page. */
export interface RestOfTrace {
  isLoading: boolean
  hasFailed: boolean
  /** Starts it, unless it has been started. */
  request: () => void
  retry: () => void
}
