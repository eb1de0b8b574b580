import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * Announces the new page to screen readers, and focuses it if the clicked control no longer exists. A control
 * that still exists, such as a link in the header, keeps the focus.
 */
export function PageAnnouncer() {
  const router = useRouter()
  const [title, setTitle] = useState('')
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return
        // The title is updated in the next frame.
        requestAnimationFrame(() => {
          setTitle(document.title)
          if (document.activeElement === document.body)
            document.querySelector('main')?.focus({ preventScroll: true })
        })
      }),
    [router],
  )
  return (
    <p className="visually-hidden" role="status">
      {title}
    </p>
  )
}
