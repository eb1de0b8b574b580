import { type ChangeEvent, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'
import { isInputEdited, isSelectEdited } from './edited-fields.ts'

interface FilterFormProps {
  /** Where a browser without JavaScript sends it, by GET. */
  action: string
  /** The parameters of the URL, by the name of the field. */
  values: Values
  label: string
  role?: 'search'
  className?: string
  /** `valueOf`: the trimmed text of a field; empty if there is none. */
  onApply: (valueOf: (name: string) => string) => void
  children: ReactNode
}

/**
 * A form of filters that are in the URL. A choice applies immediately, Enter applies a text; "Apply" is shown
 * while a text waits to be applied, and always without JavaScript. Styles hide it, so that nothing moves when
 * the page is hydrated. The fields keep the focus, and follow the URL when it changes.
 */
export function FilterForm({ action, values, label, role, className, onApply, children }: FilterFormProps) {
  const element = useRef<HTMLFormElement>(null)
  const [isEdited, setEdited] = useState(false)
  const shown = useRef(values)
  useEffect(() => {
    if (element.current !== null) showChanges(element.current, { from: shown.current, to: values })
    shown.current = values
  })
  useEffect(() => {
    // What was chosen and entered before the page was hydrated.
    const fields = [...(element.current?.elements ?? [])]
    if (fields.some(isSelectEdited)) element.current?.requestSubmit()
    else if (fields.some(isInputEdited)) setEdited(true)
  }, [])

  function apply(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setEdited(false)
    const form = new FormData(event.currentTarget)
    onApply((name) => {
      const value = form.get(name)
      return typeof value === 'string' ? value.trim() : ''
    })
  }

  function change({ target, currentTarget }: ChangeEvent<HTMLFormElement>) {
    if (target instanceof HTMLSelectElement) currentTarget.requestSubmit()
    else setEdited(true)
  }

  return (
    <form
      ref={element}
      action={action}
      method="get"
      role={role}
      aria-label={label}
      className={className}
      // The fields show the URL, not what the browser remembers of an earlier visit.
      autoComplete="off"
      onSubmit={apply}
      onChange={change}
    >
      {children}
      <button type="submit" className="button filter-apply" data-edited={isEdited || undefined}>
        Apply
      </button>
    </form>
  )
}

type Values = Readonly<Record<string, string | undefined>>

/** Only fields that the URL changed: the user may have changed another field since. */
function showChanges(form: HTMLFormElement, { from, to }: { from: Values; to: Values }): void {
  for (const [name, value = ''] of Object.entries(to)) {
    const field = form.elements.namedItem(name)
    const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement
    if (isField && value !== (from[name] ?? '')) field.value = value
  }
}
