import { createContext, use, useMemo, type ReactNode } from 'react'

/** Placeholders in texts and their reasons: `[creditcard]` → `a payment card`. */
export type TextMarks = ReadonlyMap<string, string>

const MarksContext = createContext<{ marks: TextMarks; pattern: RegExp } | undefined>(undefined)

/** Provides every `MarkedText` below it with marks. Without marks, texts are shown as they are. */
export function TextMarksProvider({ marks, children }: { marks: TextMarks; children: ReactNode }) {
  const value = useMemo(() => {
    if (marks.size === 0) return undefined
    const escaped = [...marks.keys()].map((mark) => mark.replaceAll(/[[\]]/g, String.raw`\$&`))
    return { marks, pattern: new RegExp(`(${escaped.join('|')})`) }
  }, [marks])
  return <MarksContext value={value}>{children}</MarksContext>
}

/** A text with marks, each of which shows its reason on hover. */
export function MarkedText({ text }: { text: string }) {
  const known = use(MarksContext)
  if (known === undefined || !text.includes('[')) return text
  return text.split(known.pattern).map((part, index) =>
    // `split` with a capturing group returns the matches at odd indexes.
    index % 2 === 0 ? (
      part
    ) : (
      <mark key={index} className="redaction" title={known.marks.get(part)}>
        {part}
      </mark>
    ),
  )
}
