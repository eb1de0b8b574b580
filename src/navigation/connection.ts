import { createIsomorphicFn } from '@tanstack/react-start'
import { useSyncExternalStore } from 'react'

/** True in a browser that is offline. */
const isOffline = createIsomorphicFn()
  .server(() => false)
  .client(() => !navigator.onLine)

const offlineErrors = new WeakSet<object>()

/** True for an error that occurred offline, even when it is shown again after reconnecting. */
export function failedOffline(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return isOffline()
  if (isOffline()) offlineErrors.add(error)
  return offlineErrors.has(error)
}

/** The current value of `isOffline`; false while rendering on the server. */
export function useOffline(): boolean {
  return useSyncExternalStore(subscribe, isOffline, () => false)
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Calls back after each reconnect. Returns the unsubscribe function. */
export function whenBackOnline(listener: () => void): () => void {
  window.addEventListener('online', listener)
  return () => window.removeEventListener('online', listener)
}
