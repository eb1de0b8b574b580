import { type ChangeEvent, type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react'

/**
 * A form of filters that are in the URL. A choice acts at once, and Enter applies a text; "Apply" is shown
 * while a text waits to be applied, and always without JavaScript. Styles hide it, so that nothing moves when
 * the page is hydrated. The fields keep the focus, and follow the URL when it changes.
 */
export function FilterForm({
  action,
  values,
  label,
  role,
  className,
  onApply,
  children,
}: {
  /** Where a browser without JavaScript sends it, by GET. */
  action: string
  /** The parameters of the URL, by the name of the field. */
  values: Values
  label: string
  role?: 'search'
  className?: string
  onApply: (form: FormData) => void
  children: ReactNode
}) {
  const form = useRef<HTMLFormElement>(null)
  const [isEdited, setEdited] = useState(false)
  const shown = useRef(values)
  useEffect(() => {
    if (form.current !== null) showChanges(form.current, { from: shown.current, to: values })
    shown.current = values
  })

  function apply(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setEdited(false)
    onApply(new FormData(event.currentTarget))
  }

  function change({ target, currentTarget }: ChangeEvent<HTMLFormElement>) {
    if (target instanceof HTMLSelectElement) currentTarget.requestSubmit()
    else setEdited(true)
  }

  return (
    <form
      ref={form}
      action={action}
      method="get"
      role={role}
      aria-label={label}
      className={className}
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
