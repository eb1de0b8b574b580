import { useRef, type Ref } from 'react'
import { ActionForm, type FormAction } from '#components/ui/form/action-form.tsx'
import type { IssueListView, IssueSearch, SavedSearch } from '#server/console/issues/views.ts'
import { appConfig } from '../../../../app.config.ts'

/** Saves the current search, and changes or deletes saved ones. */
export function SavedSearchMenu({
  savedSearches,
  sharing,
  search,
  action,
}: Pick<IssueListView, 'savedSearches' | 'sharing'> & { search: IssueSearch; action: FormAction }) {
  const { cursor: _cursor, ...kept } = search
  const nameField = useRef<HTMLInputElement>(null)
  const clearName = () => {
    if (nameField.current !== null) nameField.current.value = ''
  }
  return (
    <div className="saved-searches-menu">
      <ActionForm action={action} label="Save this search" onDone={clearName}>
        <input type="hidden" name="action" value="save" />
        {Object.entries(kept).map(([name, value]) =>
          value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
        )}
        <NameField label="Name of this search" ref={nameField} />
        <SharedWith sharing={sharing} />
        <button type="submit" className="button" data-tone="primary">
          Save
        </button>
      </ActionForm>
      {savedSearches.map((saved) => (
        <SavedSearchForms key={saved.id} saved={saved} sharing={sharing} action={action} />
      ))}
    </div>
  )
}

interface SavedSearchFormsProps {
  saved: SavedSearch
  sharing: IssueListView['sharing']
  action: FormAction
}

function SavedSearchForms({ saved, sharing, action }: SavedSearchFormsProps) {
  const { id, name, isDefault, canChange, organizationId } = saved
  return (
    <div className="saved-search">
      {canChange ? (
        <ActionForm action={action} label={`Change ${name}`}>
          <input type="hidden" name="action" value="change" />
          <input type="hidden" name="id" value={id} />
          <NameField key={name} label={`Name of ${name}`} value={name} />
          <SharedWith key={organizationId} sharing={sharing} chosen={organizationId} />
          <button type="submit" className="button">
            Save
          </button>
        </ActionForm>
      ) : (
        <span className="saved-search-name">{name}</span>
      )}
      <ActionForm action={action} label={`Default ${name}`}>
        <input type="hidden" name="action" value="default" />
        <button
          type="submit"
          className="button"
          name="id"
          value={isDefault ? '' : id}
          aria-pressed={isDefault}
        >
          {isDefault ? 'Unset default' : 'Set as default'}
        </button>
      </ActionForm>
      {canChange ? (
        <details name="saved-search-deletion">
          <summary className="button" aria-label={`Delete ${name}…`}>
            Delete…
          </summary>
          <ActionForm action={action} label={`Delete ${name}`}>
            <p>A deleted search can’t be restored.</p>
            <input type="hidden" name="action" value="delete" />
            <button type="submit" className="button" data-tone="danger" name="id" value={id}>
              Delete
            </button>
          </ActionForm>
        </details>
      ) : null}
    </div>
  )
}

function NameField({ label, value, ref }: { label: string; value?: string; ref?: Ref<HTMLInputElement> }) {
  return (
    <input
      ref={ref}
      name="name"
      aria-label={label}
      placeholder={value === undefined ? label : undefined}
      defaultValue={value}
      required
      maxLength={appConfig.savedSearchNameCharacters}
      autoComplete="off"
    />
  )
}

function SharedWith({ sharing, chosen }: { sharing: IssueListView['sharing']; chosen?: number | undefined }) {
  if (sharing.length === 0) return <input type="hidden" name="sharedWith" value="" />
  return (
    <select name="sharedWith" aria-label="Visible to" defaultValue={chosen ?? ''}>
      <option value="">Only me</option>
      {sharing.map(({ organizationId, name }) => (
        <option key={organizationId} value={organizationId}>
          Everyone in {name}
        </option>
      ))}
    </select>
  )
}
