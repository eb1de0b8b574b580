/** The line that reports the offline state. Always present, so that its text is announced. */
export function OfflineLine({ isOffline }: { isOffline: boolean }) {
  return (
    <p className="offline-line" role="status" data-shown={isOffline || undefined}>
      {isOffline ? 'You’re offline. This page will reload when you reconnect.' : null}
    </p>
  )
}
