import { useRouter } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import { recordEarlyInput } from '#navigation/keyboard/early-input.ts'
import type { KeyboardDialog } from '#navigation/keyboard/start-keyboard.ts'
import { createTypeAhead, type TypeAhead } from '#navigation/keyboard/type-ahead.ts'
import { showNotice } from '#navigation/notices.ts'
import type { ShellViewer } from '#server/console/shell/views.ts'

interface DialogProps {
  dialog: KeyboardDialog
  viewer: ShellViewer
  typeAhead: TypeAhead
  onClose: () => void
}

interface Shown {
  dialog: KeyboardDialog
  Dialogs: ComponentType<DialogProps>
}

/** The keyboard on every screen. Its code is loaded after the page, its dialogs when first used. */
export function Keyboard({ viewer }: { viewer: ShellViewer }) {
  const isOn = viewer.hasShortcuts
  const router = useRouter()
  const [shown, setShown] = useState<Shown>()
  const [typeAhead] = useState(createTypeAhead)
  useEffect(() => {
    const open = (dialog: KeyboardDialog) =>
      void import('./keyboard-dialogs.tsx').then(
        ({ KeyboardDialogs }) => setShown({ dialog, Dialogs: KeyboardDialogs }),
        () => {
          typeAhead.take()
          showNotice({ text: 'Couldn’t load this. Try again.', isFailure: true })
        },
      )
    const ended = new AbortController()
    const early = recordEarlyInput()
    async function start(): Promise<void> {
      const { startKeyboard } = await import('#navigation/keyboard/start-keyboard.ts')
      if (ended.signal.aborted) return
      const stop = startKeyboard({ router, isOn, typeAhead, early: early.take(), onDialog: open })
      ended.signal.addEventListener('abort', stop)
    }
    // If the code fails to load, the buttons still work.
    void start().catch(() => {})
    return () => {
      early.take()
      ended.abort()
    }
  }, [router, isOn, typeAhead])
  // The commands of an open palette are those of the page on which it was opened.
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ hrefChanged }) => {
        if (hrefChanged) setShown(undefined)
      }),
    [router],
  )
  if (shown === undefined) return null
  const { dialog, Dialogs } = shown
  return <Dialogs dialog={dialog} viewer={viewer} typeAhead={typeAhead} onClose={() => setShown(undefined)} />
}
