import { compactCount, exactCount } from '#numbers/number-text.ts'

/** A number that is read at a glance: `12.4k`, with the exact one, or a text, on hover and in the markup. */
export function Count({ value, title }: { value: number; title?: string }) {
  const compact = compactCount(value)
  const exact = exactCount(value)
  return (
    <data value={value} title={title ?? (compact === exact ? undefined : exact)}>
      {compact}
    </data>
  )
}
