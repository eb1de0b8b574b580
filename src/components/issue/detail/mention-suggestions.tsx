import { useEffect, useId, useState, type RefObject } from 'react'
import { insertText } from '#components/ui/form/insert-text.ts'
import type { Person } from '#server/store/issues/records.ts'

/** Maximum number of shown suggestions. */
const mostShown = 8

/** The text after an `@`, and the position of the `@`. */
interface TypedMention {
  at: number
  typed: string
}

/**
 * The members whose names contain the text after an `@`. Arrows select, Enter and Tab accept, Escape closes.
 * Optional: a typed name also mentions the member.
 */
export function MentionSuggestions({
  field: fieldRef,
  people,
}: {
  field: RefObject<HTMLTextAreaElement | null>
  people: readonly Person[]
}) {
  const id = useId()
  const [mention, setMention] = useState<TypedMention>()
  const [chosen, setChosen] = useState(0)
  const found = mention === undefined ? [] : findPeople(people, mention.typed)
  const isOpen = mention !== undefined && found.length > 0

  useEffect(() => {
    const field = fieldRef.current
    if (field === null) return undefined
    const update = () => {
      const isFocused = field.ownerDocument.activeElement === field
      setMention(isFocused ? findTypedMention(field.value, field.selectionEnd) : undefined)
      setChosen(0)
    }
    const close = () => setMention(undefined)
    field.addEventListener('input', update)
    field.addEventListener('click', update)
    field.addEventListener('blur', close)
    return () => {
      field.removeEventListener('input', update)
      field.removeEventListener('click', update)
      field.removeEventListener('blur', close)
    }
  }, [fieldRef])

  useEffect(() => {
    const field = fieldRef.current
    if (field === null) return undefined
    field.setAttribute('aria-autocomplete', 'list')
    if (isOpen) {
      field.setAttribute('aria-controls', id)
      field.setAttribute('aria-activedescendant', `${id}-${chosen}`)
    } else for (const name of ['aria-controls', 'aria-activedescendant']) field.removeAttribute(name)
    const press = (event: KeyboardEvent) => {
      if (!isOpen || event.isComposing || event.shiftKey || event.ctrlKey || event.metaKey) return
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const person = found[chosen]
      if (step !== undefined) setChosen((chosen + step + found.length) % found.length)
      else if (event.key === 'Escape') setMention(undefined)
      else if ((event.key === 'Enter' || event.key === 'Tab') && person !== undefined) take(person)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    field.addEventListener('keydown', press)
    return () => field.removeEventListener('keydown', press)
  })

  function take({ name }: Person): void {
    const field = fieldRef.current
    if (field === null || mention === undefined) return
    const { at, typed } = mention
    insertText(field, { text: `@${name} `, start: at, end: at + 1 + typed.length })
    setMention(undefined)
  }

  if (!isOpen) return null
  return (
    <div className="search-suggestions" id={id} role="listbox" aria-label="Members">
      {found.map((person, at) => (
        // The field keeps the focus and handles the keys.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={person.userId}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === chosen}
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(person)}
        >
          <bdi>{person.name}</bdi>
        </div>
      ))}
    </div>
  )
}

/** Names may contain spaces, so up to two words are compared. */
function findTypedMention(text: string, cursor: number): TypedMention | undefined {
  const [, typed] =
    /(?:^|[\s(])@([^\s@]*(?: [^\s@]+)?)$/.exec(text.slice(Math.max(0, cursor - 100), cursor)) ?? []
  return typed === undefined ? undefined : { at: cursor - typed.length - 1, typed }
}

function findPeople(people: readonly Person[], typed: string): Person[] {
  const begin = typed.toLowerCase()
  const found = people.filter(({ name }) =>
    name
      .toLowerCase()
      .split(' ')
      .some((_, at, words) => words.slice(at).join(' ').startsWith(begin)),
  )
  // A complete name needs no suggestion.
  if (found.length === 1 && found[0]?.name.toLowerCase() === begin) return []
  return found.slice(0, mostShown)
}
