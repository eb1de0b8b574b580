import { exactCount } from '#numbers/number-text.ts'

interface NewRowsProps {
  count: number
  /** There are more than one page. */
  isMore: boolean
  name: 'issue' | 'event'
  onShow: () => void
}

/** Announces new rows above a list. The list does not move before the button is pressed. */
export function NewRows({ count, isMore, name, onShow }: NewRowsProps) {
  const text =
    count === 1 && !isMore ? `1 new ${name} ·` : `${exactCount(count)}${isMore ? '+' : ''} new ${name}s ·`
  return (
    <button type="button" onClick={onShow} data-shortcut="show-new">
      {text} <span className="new-rows-verb">Show</span>
    </button>
  )
}
