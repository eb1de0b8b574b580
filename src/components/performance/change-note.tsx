import { changeText } from './figure-text.ts'

interface ChangeNoteProps {
  value: number
  before: number | undefined
  than: string
}

/** The change of a figure in percent; marked if it is more than 10 % higher, which is worse. */
export function ChangeNote({ value, before, than }: ChangeNoteProps) {
  const text = before === undefined ? undefined : changeText(value, before)
  if (text === undefined || before === undefined) return null
  return (
    <span className="figure-change" data-worse={value > before * 1.1 || undefined} title={`Than ${than}`}>
      {text}
      <span className="visually-hidden"> than {than}</span>
    </span>
  )
}
