import { Field } from '#components/ui/field.tsx'
import type { TypedFields } from './setting-form.tsx'

/** The part of a form that tries out on a stored event what was typed. */
export function TryOut({
  typed,
  trial,
}: {
  typed: TypedFields
  trial: { ok: true } | { ok: false; problem: string } | undefined
}) {
  return (
    <div className="try-out">
      <Field
        label="Try it on"
        name="event"
        maxLength={40}
        placeholder="the latest event"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={typed.text('event', '')}
        problem={trial?.ok === false ? trial.problem : undefined}
        hint="An event’s id or digest. Nothing is stored."
      />
      <button type="submit" name="action" value="try" className="button">
        Try
      </button>
    </div>
  )
}
