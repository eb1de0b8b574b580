import type { TextareaHTMLAttributes } from 'react'
import { FieldFrame, type FieldTexts } from './field-frame.tsx'

/** A labelled field of several lines, in which each line says something of its own. */
export function TextAreaField({
  label,
  hint,
  problem,
  ...area
}: FieldTexts & TextareaHTMLAttributes<HTMLTextAreaElement> & { name: string }) {
  return (
    <FieldFrame id={area.id ?? `field-${area.name}`} texts={{ label, hint, problem }}>
      {(control) => (
        <textarea
          rows={3}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          {...area}
          {...control}
        />
      )}
    </FieldFrame>
  )
}
