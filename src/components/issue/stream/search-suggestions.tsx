import { useEffect, useId, useState } from 'react'
import type { RefObject } from 'react'
import {
  findCompletion,
  suggestFixedValues,
  suggestKeys,
  type Completion,
  type Suggestion,
} from '#search/completion.ts'
import { quoteValue } from '#search/quote-value.ts'
import type { Person } from '#server/store/issues/records.ts'

/** Reads the values of a tag that begin with a text. */
export type FindValues = (key: string, begin: string) => Promise<readonly string[]>

/** Debounce of the lookup in milliseconds. */
const typingPauseMs = 150

/**
 * The completions at the cursor: terms and tags, then values of the selected one. Arrows select; Enter
 * accepts the selection, and without one it searches; Tab accepts the selection, or else the first suggestion
 * for the typed text; Escape closes.
 */
export function SearchSuggestions({
  input: inputRef,
  people,
  findValues,
}: {
  input: RefObject<HTMLInputElement | null>
  people: readonly Person[]
  findValues: FindValues
}) {
  const id = useId()
  const [completion, setCompletion] = useState<Completion>()
  const [chosen, setChosen] = useState(-1)
  const suggestions = useSuggestions(completion, people, findValues)
  const isOpen = completion !== undefined && suggestions.length > 0

  useEffect(() => {
    const input = inputRef.current
    if (input === null) return undefined
    const look = () => {
      const isFocused = input.ownerDocument.activeElement === input
      setCompletion(isFocused ? findCompletion(input.value, input.selectionEnd ?? 0) : undefined)
      setChosen(-1)
    }
    look()
    const events = ['input', 'click', 'focus', 'blur'] as const
    for (const event of events) input.addEventListener(event, look)
    return () => {
      for (const event of events) input.removeEventListener(event, look)
    }
  }, [inputRef])

  useEffect(() => {
    const input = inputRef.current
    if (input === null) return undefined
    input.setAttribute('role', 'combobox')
    input.setAttribute('aria-autocomplete', 'list')
    input.setAttribute('aria-expanded', String(isOpen))
    input.setAttribute('aria-controls', id)
    if (chosen >= 0) input.setAttribute('aria-activedescendant', `${id}-${chosen}`)
    else input.removeAttribute('aria-activedescendant')
    const press = (event: KeyboardEvent) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (!isOpen || event.isComposing) return
      // Without typed text, Tab moves to the next control.
      const isMeant = event.key === 'Tab' && !event.shiftKey && completion.typed !== ''
      const suggestion = suggestions[chosen] ?? (isMeant ? suggestions[0] : undefined)
      if (step !== undefined) setChosen(moveWithin(chosen + step, suggestions.length))
      else if (event.key === 'Escape') setCompletion(undefined)
      else if ((event.key === 'Enter' || event.key === 'Tab') && suggestion) take(suggestion)
      else return
      event.preventDefault()
    }
    input.addEventListener('keydown', press)
    return () => input.removeEventListener('keydown', press)
  })

  function take({ text, goesOn }: Suggestion): void {
    const input = inputRef.current
    if (input === null || completion === undefined) return
    input.focus()
    input.setRangeText(goesOn ? text : `${text} `, completion.start, completion.end, 'end')
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }

  if (!isOpen) return null
  return (
    <div className="search-suggestions" id={id} role="listbox" aria-label="Suggestions">
      {suggestions.map((suggestion, at) => (
        // The keys are those of the field, which keeps the focus.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={suggestion.text}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === chosen}
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(suggestion)}
        >
          <code>{suggestion.text}</code>
          {suggestion.hint === undefined ? null : <span>{suggestion.hint}</span>}
        </div>
      ))}
    </div>
  )
}

/** From the last one on to none, and from there to the first. */
function moveWithin(at: number, count: number): number {
  if (at >= count) return -1
  return at < -1 ? count - 1 : at
}

function useSuggestions(
  completion: Completion | undefined,
  people: readonly Person[],
  findValues: FindValues,
): readonly Suggestion[] {
  const { key, typed = '' } = completion ?? {}
  const names = people.map(({ name }) => name)
  const fixed = key === undefined ? undefined : suggestFixedValues(key, typed, names)
  // The keys of tags are the values of "has".
  const isLookedUp = completion !== undefined && fixed === undefined && (key !== undefined || typed !== '')
  const found = useFoundValues(isLookedUp ? (key ?? 'has') : undefined, { begin: typed, findValues })
  if (completion === undefined) return []
  if (key === undefined) return suggestKeys(typed, found)
  return fixed ?? found.map((value) => ({ text: quoteValue(value) }))
}

const noValues: readonly string[] = []

/** The values of a key that begin with a text, once they are there; none without a key. */
function useFoundValues(
  key: string | undefined,
  { begin, findValues }: { begin: string; findValues: FindValues },
): readonly string[] {
  const [found, setFound] = useState<{ question: string; values: readonly string[] }>()
  const question = key === undefined ? undefined : `${key}:${begin}`
  useEffect(() => {
    if (question === undefined || key === undefined) return undefined
    let isCurrent = true
    const show = (values: readonly string[]) => {
      if (isCurrent) setFound({ question, values })
    }
    const timer = setTimeout(() => {
      // Suggestions are a help: without them one types on.
      findValues(key, begin).then(show, () => show([]))
    }, typingPauseMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [question, key, begin, findValues])
  return found !== undefined && found.question === question ? found.values : noValues
}
