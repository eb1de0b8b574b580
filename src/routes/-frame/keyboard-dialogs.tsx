import { ShortcutList } from '#components/keyboard/shortcut-list.tsx'
import { ModalDialog } from '#components/ui/modal-dialog.tsx'
import { isAppleMachine } from '#navigation/keyboard/pressed-key.ts'
import { anywhere, shortcutGroups, shortcutTexts } from '#navigation/keyboard/shortcut-texts.ts'
import { findKeys } from '#navigation/keyboard/shortcuts.ts'
import type { KeyboardDialog } from '#navigation/keyboard/start-keyboard.ts'
import type { TypeAhead } from '#navigation/keyboard/type-ahead.ts'
import type { ShellViewer } from '#server/console/shell/views.ts'
import { PaletteScreen } from './palette-screen.tsx'

interface KeyboardDialogsProps {
  dialog: KeyboardDialog
  viewer: ShellViewer
  typeAhead: TypeAhead
  onClose: () => void
}

/** The dialogs that the keyboard opens: the list of shortcuts, or the palette. */
export function KeyboardDialogs({ dialog, viewer, typeAhead, onClose }: KeyboardDialogsProps) {
  if (dialog === 'palette') {
    return (
      <ModalDialog title="Command palette" isTitleShown={false} onClose={onClose}>
        <PaletteScreen canConfigure={viewer.canConfigure} typeAhead={typeAhead} onClose={onClose} />
      </ModalDialog>
    )
  }
  return (
    <ModalDialog title="Keyboard shortcuts" onClose={onClose}>
      <ShortcutList groups={listGroups()} isOn={viewer.hasShortcuts} />
    </ModalDialog>
  )
}

/** Key combinations are listed with the keys that work on every page. */
function listGroups() {
  const palette = { text: 'Command palette', keys: [isAppleMachine() ? '⌘K' : 'Ctrl K'] }
  return shortcutGroups.map(({ title, names }) => {
    const shortcuts = names.map((name) => ({ text: shortcutTexts[name], keys: findKeys(name) }))
    return { title, shortcuts: title === anywhere ? [palette, ...shortcuts] : shortcuts }
  })
}
