import { useRouter } from '@tanstack/react-router'
import { type ComponentType, useEffect, useState } from 'react'
import { type KeyboardDialog, startKeyboard } from '#navigation/keyboard/start-keyboard.ts'
import { showNotice } from '#navigation/notices.ts'

interface DialogProps {
  dialog: KeyboardDialog
  isOn: boolean
  onClose: () => void
}

interface Shown {
  dialog: KeyboardDialog
  Dialogs: ComponentType<DialogProps>
}

/** The keyboard on every screen; its dialogs are loaded when first asked for. */
export function Keyboard({ isOn }: { isOn: boolean }) {
  const router = useRouter()
  const [shown, setShown] = useState<Shown>()
  useEffect(() => {
    const open = (dialog: KeyboardDialog) =>
      import('./-keyboard-dialogs.tsx').then(
        ({ KeyboardDialogs }) => setShown({ dialog, Dialogs: KeyboardDialogs }),
        () => showNotice({ text: 'This could not be loaded. Try it again.', isFailure: true }),
      )
    return startKeyboard({ router, isOn, onDialog: (dialog) => void open(dialog) })
  }, [router, isOn])
  if (shown === undefined) return null
  const { dialog, Dialogs } = shown
  return <Dialogs dialog={dialog} isOn={isOn} onClose={() => setShown(undefined)} />
}
