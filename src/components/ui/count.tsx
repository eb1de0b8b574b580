import { compactCount, exactCount } from './number-text.ts'

/** A number that is read at a glance: `12.4k`, with the exact one on hover and in the markup. */
export function Count({ value }: { value: number }) {
  const compact = compactCount(value)
  const exact = exactCount(value)
  return (
    <data value={value} title={compact === exact ? undefined : exact}>
      {compact}
    </data>
  )
}
