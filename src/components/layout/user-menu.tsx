import { Link } from '#components/ui/link.tsx'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import type { ShellViewer } from '#server/console/shell/views.ts'

/** The signed-in user, with links to the settings and the sign-out; opens without JavaScript. */
export function UserMenu({ viewer }: { viewer: ShellViewer }) {
  return (
    <div className="user-menu">
      <button type="button" className="user-menu-button" popoverTarget="user-menu" title={viewer.email}>
        <span aria-hidden="true">{initialsOf(viewer.name)}</span>
        <span className="visually-hidden">Account: {viewer.name}</span>
      </button>
      <div id="user-menu" popover="auto" className="user-menu-panel">
        <p>
          <strong>{viewer.name}</strong>
          <span className="quiet">{viewer.email}</span>
        </p>
        <Link to="/settings" data-shortcut="go-settings">
          Settings
        </Link>
        <Link to="/docs">Documentation</Link>
        <DialogButton opens="help">Keyboard shortcuts</DialogButton>
        <form method="post" action="/sign-out">
          <button type="submit">Sign out</button>
        </form>
      </div>
    </div>
  )
}

/** Opens a dialog that needs scripts, in browsers that run them. */
function DialogButton({ opens, children }: { opens: 'help' | 'palette'; children: string }) {
  if (!useHydrated()) return null
  return (
    <button type="button" data-opens={opens} popoverTarget="user-menu" popoverTargetAction="hide">
      {children}
    </button>
  )
}

/** The first letters of the first two words. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).slice(0, 2)
  return words.map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0x3f).toUpperCase()).join('') || '?'
}
