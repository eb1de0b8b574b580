import { Menu } from '#components/ui/menu.tsx'
import type { Person } from '#server/store/issues/records.ts'

/** Everyone who can be assigned to an issue of the page; the server checks it for each selected issue. */
export function BulkAssignMenu({ people, url }: { people: readonly Person[]; url: string }) {
  return (
    <Menu label="Assign to…">
      <div className="menu-choices">
        {[{ userId: 'nobody', name: 'Unassigned' }, ...people].map(({ userId, name }) => (
          <button
            key={userId}
            type="submit"
            className="menu-item"
            name="assignee"
            value={userId}
            formAction={url}
            data-does="assign"
          >
            <bdi>{name}</bdi>
          </button>
        ))}
      </div>
    </Menu>
  )
}

/** A menu is the first step, since deleting cannot be undone. */
export function BulkDeleteMenu({ url }: { url: string }) {
  return (
    <Menu label="Delete…">
      <p className="quiet">
        Permanently delete the selected issues and all their events? This can’t be undone.
      </p>
      {Object.entries({ no: 'Delete', yes: 'Delete and ignore future events' }).map(([discards, label]) => (
        <button
          key={discards}
          type="submit"
          className="menu-item"
          name="discards"
          value={discards}
          formAction={url}
          data-does="delete"
          data-tone="danger"
        >
          {label}
        </button>
      ))}
    </Menu>
  )
}
