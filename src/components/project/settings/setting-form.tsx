import type { ReactNode } from 'react'
import type { FormState } from '#server/auth/views.ts'

/** A form of a project's page; who may only read sees it, and cannot use it. */
export function SettingForm({
  action,
  isDisabled,
  submitLabel = 'Save',
  tone = 'primary',
  mark,
  hidden,
  children,
}: {
  /** Tells several forms of one page apart. */
  action: string
  isDisabled: boolean
  submitLabel?: string
  tone?: 'primary' | 'danger' | 'plain'
  /** Stands for what the form shows: sent over something else, it is refused. */
  mark?: string
  /** Sent with it and not shown. */
  hidden?: Record<string, string>
  children?: ReactNode
}) {
  return (
    <form method="post" className="setting-form">
      <fieldset disabled={isDisabled}>
        <input type="hidden" name="action" value={action} />
        {mark === undefined ? null : <input type="hidden" name="mark" value={mark} />}
        {Object.entries(hidden ?? {}).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {children}
        {isDisabled ? null : (
          <button type="submit" className="button" data-tone={tone}>
            {submitLabel}
          </button>
        )}
      </fieldset>
    </form>
  )
}

/** What was typed into one of the page's forms, where it came back; else what is set. */
export interface TypedFields {
  text: (field: string, current: string) => string
  isOn: (field: string, current: boolean) => boolean
  problem: (field: string) => string | undefined
  /** What was shown when somebody began to type; else, and once they were told that it is outdated, what is set. */
  mark: (current: string) => string
}

/** Reads a form that came back with what is wrong. `isMeant` tells whether it is this one. */
export function typedFields(
  form: FormState | undefined,
  isMeant: (values: Record<string, string>) => boolean,
): TypedFields {
  const own = form !== undefined && isMeant(form.values) ? form : undefined
  return {
    text: (field, current) => (own === undefined ? current : (own.values[field] ?? '')),
    isOn: (field, current) => (own === undefined ? current : own.values[field] !== undefined),
    problem: (field) => own?.problems.find((problem) => problem.field === field)?.message,
    mark: (current) => (own === undefined || own.status === 409 ? current : (own.values['mark'] ?? current)),
  }
}
