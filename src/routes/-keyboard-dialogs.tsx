import { ShortcutList } from '#components/keyboard/shortcut-list.tsx'
import { ModalDialog } from '#components/ui/modal-dialog.tsx'
import { shortcutGroups, shortcutTexts } from '#navigation/keyboard/shortcut-texts.ts'
import { findKeys } from '#navigation/keyboard/shortcuts.ts'
import type { KeyboardDialog } from '#navigation/keyboard/start-keyboard.ts'
import { PaletteScreen } from './-palette-screen.tsx'

/** What the keyboard opens: the list of shortcuts, or the palette. */
export function KeyboardDialogs({
  dialog,
  isOn,
  onClose,
}: {
  dialog: KeyboardDialog
  isOn: boolean
  onClose: () => void
}) {
  if (dialog === 'palette') {
    return (
      <ModalDialog title="Go to or do" isTitleShown={false} onClose={onClose}>
        <PaletteScreen onClose={onClose} />
      </ModalDialog>
    )
  }
  return (
    <ModalDialog title="Keyboard shortcuts" onClose={onClose}>
      <ShortcutList groups={groups} isOn={isOn} />
    </ModalDialog>
  )
}

const groups = shortcutGroups.map(({ title, names }) => ({
  title,
  shortcuts: names.map((name) => ({ text: shortcutTexts[name], keys: findKeys(name) })),
}))
