import { useField } from '#components/ui/form/field-state.ts'

/** The scopes of a token, grouped for the form; the names are Sentry's. */
const scopes = [
  { name: 'org:read', text: 'List organizations' },
  { name: 'project:read', text: 'Read projects and releases' },
  { name: 'project:releases', text: 'Manage releases and deploys' },
  { name: 'event:read', text: 'Read issues and events' },
  { name: 'event:write', text: 'Resolve, archive and assign issues' },
  { name: 'alerts:write', text: 'Change alert rules and monitors' },
  { name: 'org:admin', text: 'Change settings, projects, keys and members' },
] as const

/** Boxes to tick, one for each offered scope. */
export function ScopeChoice({ offered }: { offered: readonly string[] }) {
  const { problem, isTicked } = useField('scopes')
  return (
    <fieldset
      className="project-choice"
      aria-describedby={problem === undefined ? undefined : 'scopes-problem'}
    >
      <legend>Scopes</legend>
      {scopes
        .filter(({ name }) => offered.includes(name))
        .map(({ name, text }) => (
          <label key={name}>
            <input
              type="checkbox"
              name="scopes"
              value={name}
              aria-invalid={problem === undefined ? undefined : true}
              defaultChecked={isTicked(!/:(?:write|admin)$/.test(name), name)}
            />{' '}
            {text} <code className="quiet">{name}</code>
          </label>
        ))}
      {problem === undefined ? null : (
        <p className="field-problem" id="scopes-problem">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
