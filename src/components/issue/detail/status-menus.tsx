import { ActionForm, type FormAction } from '#components/ui/form/action-form.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { Menu } from '#components/ui/menu.tsx'
import { useTimeZone } from '#components/ui/time/time-zone.tsx'
import { VersionText } from '#components/ui/version-text.tsx'
import { appConfig } from '../../../../app.config.ts'

interface StatusMenuProps {
  issueId: string
  action: FormAction
}

const chevron = <Icon name="chevron-down" />

/** Resolves the issue in a release: events of older releases do not reopen it. */
export function ResolveMenu({ issueId, action, releases }: StatusMenuProps & { releases: string[] }) {
  const [newest] = releases
  return (
    <Menu label="Resolve options" isLabelShown={false} icon={chevron}>
      {newest === undefined ? (
        <p className="quiet">No releases yet.</p>
      ) : (
        <ActionForm action={action} label="Resolve in next release">
          <input type="hidden" name="issueIds" value={issueId} />
          <button type="submit" className="menu-item" name="status" value="resolved:next-release">
            Resolve in next release
            <small>
              after <VersionText version={newest} />
            </small>
          </button>
        </ActionForm>
      )}
      {newest === undefined ? null : (
        <ActionForm action={action} label="Resolve in current release">
          <input type="hidden" name="issueIds" value={issueId} />
          <input type="hidden" name="release" value={newest} />
          <button type="submit" className="menu-item" name="status" value="resolved:release">
            Resolve in current release
            <small>
              <VersionText version={newest} />
            </small>
          </button>
        </ActionForm>
      )}
      <ActionForm action={action} label="Resolve in a specific release">
        <input type="hidden" name="issueIds" value={issueId} />
        <label className="menu-field">
          Resolve in a specific release
          <input name="release" list="resolve-releases" required maxLength={250} autoComplete="off" />
        </label>
        <datalist id="resolve-releases">
          {releases.map((release) => (
            <option key={release} value={release}>
              {release}
            </option>
          ))}
        </datalist>
        <button type="submit" className="button" name="status" value="resolved:release">
          Resolve
        </button>
      </ActionForm>
    </Menu>
  )
}

const spans = [
  ['archived:hour', 'For 1 hour'],
  ['archived:day', 'For 1 day'],
  ['archived:week', 'For 1 week'],
  ['archived:month', 'For 30 days'],
] as const

/** Archives the issue until a condition is met. */
export function ArchiveMenu({ issueId, action }: StatusMenuProps) {
  const zone = useTimeZone()
  return (
    <Menu label="Archive options" isLabelShown={false} icon={chevron}>
      <ActionForm action={action} label="Archive for a time">
        <input type="hidden" name="issueIds" value={issueId} />
        <button type="submit" className="menu-item" name="status" value="archived:escalates">
          Until it escalates
          <small>3× the busiest hour of the past week</small>
        </button>
        {spans.map(([value, text]) => (
          <button key={value} type="submit" className="menu-item" name="status" value={value}>
            {text}
          </button>
        ))}
      </ActionForm>
      <ActionForm action={action} label="Archive until a date">
        <input type="hidden" name="issueIds" value={issueId} />
        <input type="hidden" name="zone" value={zone} />
        <label className="menu-field">
          Until (midnight, {zone})
          <input type="date" name="until" required />
        </label>
        <button type="submit" className="button" name="status" value="archived:until">
          Archive
        </button>
      </ActionForm>
      <ActionForm action={action} label="Archive until a count is reached">
        <input type="hidden" name="issueIds" value={issueId} />
        <label className="menu-field">
          Until this many more
          <input
            type="number"
            name="count"
            min={1}
            max={appConfig.archiveCount}
            defaultValue={100}
            required
            inputMode="numeric"
          />
        </label>
        <select name="status" aria-label="Events or users" defaultValue="archived:events">
          <option value="archived:events">events</option>
          <option value="archived:users">users</option>
        </select>
        <button type="submit" className="button">
          Archive
        </button>
      </ActionForm>
    </Menu>
  )
}
