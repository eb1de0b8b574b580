import { LongText } from '#components/ui/long-text.tsx'
import { MarkedText } from '#components/ui/marked-text.tsx'
import type { ExceptionValue } from '#protocol/event.ts'

/**
 * Maximum length of a value that is shown completely. A value can contain a complete SQL statement or
 * response body.
 */
const shortValueCharacters = 100

/** Length of a longer value in its collapsed line, which CSS truncates. */
const closedValueCharacters = 240

/** Characters of type and value that fit into the lines of the page's heading. */
const headingCharacters = 200

/** Characters of a type that the heading shows for certain. */
const headingTypeCharacters = 100

/**
 * The value of an exception next to its type. One line until expanded, so that the stack trace below it stays
 * on the first screen.
 */
export function ExceptionText({ text }: { text: string }) {
  const trimmed = text.trim()
  const isOneLine = !trimmed.includes('\n')
  if (isOneLine && text.length <= shortValueCharacters) return <WholeText text={text} />
  const limit = isOneLine ? closedValueCharacters : Math.min(closedValueCharacters, trimmed.indexOf('\n'))
  return (
    <LongText text={trimmed} limit={Math.min(limit, trimmed.length - 1)}>
      <WholeText text={text} />
    </LongText>
  )
}

/** The complete text of the exception in the page's heading, if it is longer than the heading. */
export function HeadingText({ exception: { type = '', value = '' } }: { exception: ExceptionValue }) {
  const isOneLine = !value.trim().includes('\n')
  if (isOneLine && type.length + value.length <= headingCharacters) return null
  return (
    <details className="long-text heading-text">
      <summary>
        <span className="long-text-more">Show full message</span>
        <span className="long-text-less">Show less</span>
      </summary>
      <WholeText text={type.length > headingTypeCharacters ? `${type}: ${value}` : value} />
    </details>
  )
}

function WholeText({ text }: { text: string }) {
  return (
    <p className="exception-value" dir="auto">
      <MarkedText text={text} />
    </p>
  )
}
