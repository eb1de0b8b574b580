import { problemOf } from '#components/account/page-form.tsx'
import type { FormState } from '#server/auth/views.ts'

/** What a token may do, as a person decides about it; the names are Sentry's. */
const scopes = [
  { name: 'org:read', text: 'List organizations' },
  { name: 'project:read', text: 'List projects and releases' },
  { name: 'project:releases', text: 'Make, finalize and delete releases, tell of deploys' },
  { name: 'event:read', text: 'Read issues and events' },
  { name: 'event:write', text: 'Resolve, archive and assign issues' },
] as const

/** Boxes to tick, one for each scope. */
export function ScopeChoice({ form }: { form: FormState | undefined }) {
  const problem = problemOf(form, 'scopes')
  const isTyped = form !== undefined && form.status !== 200
  return (
    <fieldset
      className="project-choice"
      aria-describedby={problem === undefined ? undefined : 'scopes-problem'}
    >
      <legend>It may</legend>
      {scopes.map(({ name, text }) => (
        <label key={name}>
          <input
            type="checkbox"
            name={`scope-${name}`}
            defaultChecked={isTyped ? form.values[`scope-${name}`] !== undefined : !name.endsWith('write')}
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
