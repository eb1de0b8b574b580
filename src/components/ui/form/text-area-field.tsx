import { type TextareaHTMLAttributes, useLayoutEffect, useRef, useState } from 'react'
import { useHydrated } from '#components/ui/use-hydrated.ts'
import { isInputEdited } from './edited-fields.ts'
import { FieldFrame, type FieldTexts } from './field-frame.tsx'
import { useField } from './field-state.ts'

/** A labelled field of several lines, each of which is one entry. */
export function TextAreaField({
  label,
  hint,
  defaultValue = '',
  ...area
}: FieldTexts &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'defaultValue'> & {
    name: string
    defaultValue?: string
  }) {
  const { problem, text } = useField(area.name)
  const id = area.id ?? `field-${area.name}`
  const element = useEarlyText(id)
  return (
    <FieldFrame id={id} texts={{ label, hint }} problem={problem}>
      {(control) => (
        <textarea
          ref={element}
          rows={3}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          {...area}
          {...control}
          defaultValue={text(defaultValue)}
        />
      )}
    </FieldFrame>
  )
}

/**
 * Keeps a text that was entered before hydration. React sets a `textarea` of the server to its default value
 * while it is hydrated, unlike other fields.
 */
function useEarlyText(id: string) {
  const element = useRef<HTMLTextAreaElement>(null)
  const isHydrated = useHydrated()
  const [early] = useState(() => {
    if (isHydrated || typeof document === 'undefined') return undefined
    const field = document.getElementById(id)
    return field instanceof HTMLTextAreaElement && isInputEdited(field) ? field.value : undefined
  })
  useLayoutEffect(() => {
    if (early !== undefined && element.current !== null) element.current.value = early
  }, [early])
  return element
}
