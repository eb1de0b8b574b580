import { useSyncExternalStore } from 'react'

/** What a person is told about something they did. */
export interface Notice {
  text: string
  /** It did not work. */
  isFailure?: boolean
  /** Leads to the error behind it. */
  digest?: string | undefined
  /** Where to sign in again, and come back. */
  signInHref?: string
  /** Takes back what was done. */
  onUndo?: () => void
}

let shown: Notice | undefined
const listeners = new Set<() => void>()

/** Tells it, in the place of what was told before; undefined takes it away. Only in the browser. */
export function showNotice(notice: Notice | undefined): void {
  shown = notice
  for (const listener of listeners) listener()
}

/** The notice to show now. */
export function useNotice(): Notice | undefined {
  return useSyncExternalStore(
    subscribe,
    () => shown,
    () => undefined,
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
