import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * Says for screen readers which page is shown now, and gives the focus to it where the control that led there
 * is gone. Where the focus is still on something, as on a link of the header, it stays.
 */
export function PageAnnouncer() {
  const router = useRouter()
  const [title, setTitle] = useState('')
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined || !pathChanged) return
        // The title is in the document with the next frame.
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
