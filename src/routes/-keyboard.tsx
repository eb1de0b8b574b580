import { useRouter } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import { type KeyboardDialog, startKeyboard } from '#navigation/keyboard/start-keyboard.ts'
import { createTypeAhead, type TypeAhead } from '#navigation/keyboard/type-ahead.ts'
import { showNotice } from '#navigation/notices.ts'
import type { ShellViewer } from '#server/store/shell-views.ts'

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

/** The keyboard on every screen; its dialogs are loaded when first asked for. */
export function Keyboard({ viewer }: { viewer: ShellViewer }) {
  const isOn = viewer.hasShortcuts
  const router = useRouter()
  const [shown, setShown] = useState<Shown>()
  const [typeAhead] = useState(createTypeAhead)
  useEffect(() => {
    const open = (dialog: KeyboardDialog) =>
      import('./-keyboard-dialogs.tsx').then(
        ({ KeyboardDialogs }) => setShown({ dialog, Dialogs: KeyboardDialogs }),
        () => {
          typeAhead.take()
          showNotice({ text: 'This could not be loaded. Try it again.', isFailure: true })
        },
      )
    return startKeyboard({ router, isOn, typeAhead, onDialog: (dialog) => void open(dialog) })
  }, [router, isOn, typeAhead])
  if (shown === undefined) return null
  const { dialog, Dialogs } = shown
  return <Dialogs dialog={dialog} viewer={viewer} typeAhead={typeAhead} onClose={() => setShown(undefined)} />
}
