import { Fragment, useEffect, useRef, type ReactNode } from 'react'
import { Digest } from '#components/ui/form/action-form.tsx'
import { isInputEdited, isSelectEdited } from '#components/ui/form/edited-fields.ts'
import { FieldsContext } from '#components/ui/form/field-state.ts'
import type { FormFailure } from '#server/forms/form-views.ts'
import type { FormState } from './use-form.ts'

interface FormProps {
  form: FormState
  /** The accessible name of the form, if the page has several similar ones. */
  label?: string
  isDisabled?: boolean
  submitLabel?: string
  /** The accessible name of the button, if the page has several with the same label. */
  submitName?: string
  tone?: 'primary' | 'danger' | 'plain'
  /** Buttons next to the submit button. Enter in a field presses the first button, so they follow it. */
  moreButtons?: ReactNode
  children?: ReactNode
}

/**
 * A form of the page. Without JavaScript the browser posts it to the page, which is rendered again with the
 * errors; with it the form is submitted in place. Disabled for users with read-only access.
 */
export function Form({
  form,
  label,
  isDisabled = false,
  submitLabel = 'Save',
  submitName,
  tone = 'primary',
  moreButtons,
  children,
}: FormProps) {
  const element = useRef<HTMLFormElement>(null)
  const { onInput } = form
  useEffect(() => {
    // A form that was edited before the page was hydrated keeps its values, too.
    const fields = [...(element.current?.elements ?? [])]
    if (fields.some((field) => isInputEdited(field) || isSelectEdited(field))) onInput()
  }, [onInput])
  return (
    // The handler only observes its fields.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      ref={element}
      method="post"
      className="form"
      aria-label={label}
      aria-busy={form.isPending}
      onInput={onInput}
      onFocus={form.onFocus}
      onSubmit={form.onSubmit}
    >
      <fieldset disabled={isDisabled}>
        {Object.entries(form.hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <FieldsContext value={{ problems: form.problems, entered: form.entered }}>
          <Fragment key={form.version}>{children}</Fragment>
        </FieldsContext>
        <FormAlert form={form} />
        {isDisabled ? null : (
          <Buttons more={moreButtons}>
            <button type="submit" className="button" data-tone={tone} aria-label={submitName}>
              {submitLabel}
            </button>
          </Buttons>
        )}
      </fieldset>
    </form>
  )
}

function Buttons({ more, children }: { more: ReactNode; children: ReactNode }) {
  if (more === undefined) return children
  return (
    <div className="form-buttons">
      {children}
      {more}
    </div>
  )
}

/** The error of the form as a whole, next to the button that was pressed. */
function FormAlert({ form: { problems, failure, hidden, isOutdated } }: { form: FormState }) {
  const general = problems.filter(({ field }) => field === undefined || field in hidden)
  return (
    <>
      {general.map(({ message }) => (
        <p key={message} className="form-problem" role="alert">
          {message}
          {isOutdated ? <SeeTheirs /> : null}
        </p>
      ))}
      {failure === undefined ? null : <FailureAlert failure={failure} />}
    </>
  )
}

function SeeTheirs() {
  return (
    <>
      {' '}
      <a href="?" target="_blank" rel="noreferrer">
        See the current settings in a new tab
      </a>
    </>
  )
}

function FailureAlert({ failure: { text, digest, signInHref } }: { failure: FormFailure }) {
  return (
    <p className="form-problem" role="alert">
      {text}
      <Digest digest={digest} />
      {signInHref === undefined ? null : (
        <>
          {' '}
          <a href={signInHref}>Sign in again</a>
        </>
      )}
    </p>
  )
}
